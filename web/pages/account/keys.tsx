import { useState } from "preact/hooks";
import type { CreateKeyResponse, KeyCard } from "../../../src/sdk/index.js";
import { vigil } from "../../client.js";
import { useNow } from "../../clock.js";
import { agoText, instantText } from "../../format.js";
import { ConfirmDialog } from "../../parts/confirm-dialog.js";
import { CopyButton } from "../../parts/copy-button.js";
import { type Column, DataTable } from "../../parts/data-table.js";
import { ReadFrame } from "../../parts/read-frame.js";
import { useRead } from "../../reads/read.js";
import { NewKey } from "./new-key.js";

/** The account's keys. They can be created and revoked; a new key is shown once. */
export function Keys() {
  const read = useRead("list-keys", {}, { hasPast: false, isLive: false });
  const [createdKey, setCreatedKey] = useState<CreateKeyResponse>();
  const [ending, setEnding] = useState<KeyCard>();
  return (
    <ReadFrame
      read={read}
      title="Keys"
      empty={{ when: ({ keys }) => keys.length === 0, text: "The account has no keys." }}
    >
      {({ keys }) => (
        <>
          {createdKey && (
            <div class="notice" role="status">
              <p>
                <strong>{createdKey.card.name}</strong>: copy the key now. It is not stored and cannot be shown again.
              </p>
              <p class="row">
                <code>{createdKey.key}</code> <CopyButton text={createdKey.key} name="Copy the key" />
              </p>
            </div>
          )}
          <KeyTable keys={keys} onRevoke={setEnding} />
          <NewKey
            onMade={(response) => {
              setCreatedKey(response);
              read.again();
            }}
          />
          {ending && (
            <ConfirmDialog
              title={`Revoke the key ${ending.name}?`}
              action="Revoke"
              onConfirm={() => vigil.account.revokeKey({ keyId: ending.id })}
              onClose={(isDone) => {
                setEnding(undefined);
                if (isDone) read.again();
              }}
            >
              <p>Programs that use this key will be refused at once, and its sessions and tokens will end.</p>
            </ConfirmDialog>
          )}
        </>
      )}
    </ReadFrame>
  );
}

interface KeyTableProps {
  readonly keys: readonly KeyCard[];
  readonly onRevoke: (key: KeyCard) => void;
}

function KeyTable({ keys, onRevoke }: KeyTableProps) {
  const now = useNow();
  const columns: readonly Column<KeyCard>[] = [
    { id: "name", name: "Name", cell: ({ name }) => name },
    { id: "hint", name: "Starts with", cell: ({ hint }) => <code>{hint}</code> },
    { id: "scopes", name: "Scopes", cell: ({ scopes }) => scopes.join(", ") },
    { id: "created", name: "Created", cell: ({ createdAt }) => agoText(createdAt, now) },
    {
      id: "used",
      name: "Last used",
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? <span class="quiet">never</span> : agoText(lastUsedAt, now)),
    },
    { id: "state", name: "State", cell: (key) => stateText(key, now) },
    {
      id: "revoke",
      name: "Action",
      cell: (key) =>
        key.revokedAt === null && (
          <button type="button" aria-label={`Revoke ${key.name}`} onClick={() => onRevoke(key)}>
            Revoke
          </button>
        ),
    },
  ];
  return <DataTable caption="Keys of the account" columns={columns} rows={keys} idOf={({ id }) => id} />;
}

function stateText({ revokedAt, expiresAt }: KeyCard, now: number): string {
  if (revokedAt !== null) return `revoked ${agoText(revokedAt, now)}`;
  if (expiresAt === null) return "valid";
  return expiresAt > now ? `valid until ${instantText(expiresAt)}` : "expired";
}
