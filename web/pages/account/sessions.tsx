import { useState } from "preact/hooks";
import type { SessionCard } from "../../../src/sdk/index.js";
import { vigil } from "../../client.js";
import { useNow } from "../../clock.js";
import { agoText } from "../../format.js";
import { ConfirmDialog } from "../../parts/confirm-dialog.js";
import { type Column, DataTable } from "../../parts/data-table.js";
import { ReadFrame } from "../../parts/read-frame.js";
import { useRead } from "../../reads/read.js";
import { session } from "../../session.js";
import { useStore } from "../../store.js";

/** The browsers signed in to the account. With `account:write`, all except this browser can be signed out here. */
export function Sessions() {
  const read = useRead("list-sessions", {}, { hasPast: false, isLive: false });
  const [ending, setEnding] = useState<SessionCard>();
  return (
    <ReadFrame
      read={read}
      title="Sessions"
      empty={{
        when: ({ sessions }) => sessions.length === 0,
        text: "No browser is signed in with a key of the account.",
      }}
    >
      {({ sessions }) => (
        <>
          <p class="quiet">
            A session is a browser that signed in with a key. It lasts 12 hours, or until its key ends. Ending a session
            does not revoke its key: anyone who has the key can sign in again.
          </p>
          <SessionTable sessions={sessions} onEnd={setEnding} />
          {ending && (
            <ConfirmDialog
              title={`End the session from ${ending.address ?? "an unknown address"}?`}
              action="End session"
              onConfirm={() => vigil.account.endSession({ sessionId: ending.id })}
              onClose={(isDone) => {
                setEnding(undefined);
                if (isDone) read.again();
              }}
            >
              <p>That browser is asked to sign in again. To keep it out, revoke the key {ending.keyName}.</p>
            </ConfirmDialog>
          )}
        </>
      )}
    </ReadFrame>
  );
}

interface SessionTableProps {
  readonly sessions: readonly SessionCard[];
  readonly onEnd: (card: SessionCard) => void;
}

function SessionTable({ sessions, onEnd }: SessionTableProps) {
  const now = useNow();
  const who = useStore(session);
  const mayEnd = who.kind === "in" && who.account.scopes.includes("account:write");
  const columns: readonly Column<SessionCard>[] = [
    { id: "address", name: "Address", cell: ({ address }) => address ?? <span class="quiet">not known</span> },
    { id: "key", name: "Key", cell: ({ keyName }) => keyName },
    { id: "opened", name: "Signed in", cell: ({ createdAt }) => agoText(createdAt, now) },
    { id: "ends", name: "Ends", cell: ({ expiresAt }) => agoText(expiresAt, now) },
    {
      id: "end",
      name: "Action",
      cell: (card) =>
        card.isCurrent ? (
          <span class="quiet">this browser</span>
        ) : (
          mayEnd && (
            <button
              type="button"
              aria-label={`End the session of ${card.keyName} from ${card.address ?? "an unknown address"}`}
              onClick={() => onEnd(card)}
            >
              End
            </button>
          )
        ),
    },
  ];
  return <DataTable caption="Sessions of the account" columns={columns} rows={sessions} idOf={({ id }) => id} />;
}
