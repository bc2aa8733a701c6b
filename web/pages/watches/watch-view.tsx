import { useRef, useState } from "preact/hooks";
import type { Watch } from "../../../src/sdk/index.js";
import { vigil } from "../../client.js";
import { enumText, instantText, numberText } from "../../format.js";
import { ConfirmDialog } from "../../parts/confirm-dialog.js";
import { CopyButton } from "../../parts/copy-button.js";
import { failureText } from "../../reads/failure-text.js";
import { useWrite } from "../../writes/write.js";
import { draftOfWatch } from "./draft.js";
import { WatchForm } from "./watch-form.js";
import { WatchState } from "./watch-state.js";
import { waitsFor } from "./watch-texts.js";

interface WatchViewProps {
  readonly watch: Watch;
  readonly onChange: () => void;
  readonly onClose: () => void;
}

/** One watch: its definition, its state, its channels, and buttons to edit, pause and delete it. */
export function WatchView({ watch, onChange, onClose }: WatchViewProps) {
  const { watchId, name, state, recipients = [], feedPath } = watch;
  const [pendingAction, setPendingAction] = useState<"delete" | "rotate">();
  const [isEdited, setEdited] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);
  const stopEditing = (): void => {
    setEdited(false);
    editButton.current?.focus();
  };
  const isActive = state === "WATCH_STATE_ACTIVE";
  const { isSent, failure, send } = useWrite(async () => {
    await (isActive ? vigil.watches.pauseWatch({ watchId }) : vigil.watches.resumeWatch({ watchId }));
    onChange();
  });
  const deleted = (isDone: boolean): void => {
    setPendingAction(undefined);
    if (!isDone) return;
    onClose();
    onChange();
    // The button that had the focus was removed together with the watch.
    document.getElementById("main")?.focus();
  };
  const rotated = (isDone: boolean): void => {
    setPendingAction(undefined);
    if (isDone) onChange();
  };
  const feed = new URL(feedPath, location.origin).href;
  return (
    <section class="card" aria-label={name}>
      <header class="read-head">
        <h2>{name}</h2>
        <WatchState watch={watch} />
        <span class="spacer" />
        <button ref={editButton} type="button" aria-expanded={isEdited} onClick={() => setEdited(!isEdited)}>
          Edit
        </button>
        <button type="button" disabled={isSent} onClick={() => send()}>
          {isActive ? "Pause" : "Resume"}
        </button>
        <button type="button" onClick={() => setPendingAction("delete")}>
          Delete…
        </button>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </header>
      {failure !== undefined && (
        <p class="notice failed" role="alert">
          {failureText(failure)}
        </p>
      )}
      {isEdited && (
        <>
          <p class="quiet">
            If the call, trigger, condition, identity or threshold changes, the watch starts over with the current
            answers.
          </p>
          <WatchForm
            title={`Edit ${name}`}
            action="Save"
            initial={draftOfWatch(watch)}
            onSend={async (definition) => (await vigil.watches.updateWatch({ watchId, definition })).data.watch}
            onSent={() => {
              onChange();
              stopEditing();
            }}
            onClose={stopEditing}
          />
        </>
      )}
      <Definition watch={watch} />
      <div class="row">
        <CopyButton text={feed} name="Copy feed link" />
        <CopyButton text={`${feed}&format=json`} name="Copy JSON Feed link" />
        <button type="button" onClick={() => setPendingAction("rotate")}>
          New feed link…
        </button>
      </div>
      {recipients.map(({ email, state: stage, reason }) => (
        <p key={email} class="quiet">
          {email}: {enumText(stage, "WATCH_RECIPIENT_STATE_")}
          {reason === undefined ? "" : `, ${reason}`}
        </p>
      ))}
      {pendingAction === "delete" && (
        <ConfirmDialog
          title={`Delete ${name}?`}
          action="Delete"
          onConfirm={() => vigil.watches.deleteWatch({ watchId })}
          onClose={deleted}
        >
          <p>The watch ends at once and cannot be restored. Its firings stay in the log for 90 days.</p>
        </ConfirmDialog>
      )}
      {pendingAction === "rotate" && (
        <ConfirmDialog
          title="Create a new feed link?"
          action="Create the link"
          onConfirm={() => vigil.watches.rotateWatchFeed({ watchId })}
          onClose={rotated}
        >
          <p>The current link to the feed stops working at once.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

function Definition({ watch }: { readonly watch: Watch }) {
  const { call, condition, identity, quietSeconds, quietUntil, grouping, stateReason, lastError, createdAt } = watch;
  const { collidingIdentities = 0 } = watch;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["Call", call],
    ["Notifies on", waitsFor(watch)],
    ["Condition", condition],
    ["Identity", identity],
    ["Quiet after a firing", quietSeconds > 0 ? `${numberText(quietSeconds)} s` : undefined],
    ["Quiet until", quietUntil && `${instantText(quietUntil)} UTC`],
    ["Firings", grouping === "WATCH_GROUPING_ROW" ? "one for each row" : "one for all rows of a change"],
    ["Reason it is not active", stateReason],
    ["Last failure", lastError],
    [
      "Shared identities",
      collidingIdentities > 0
        ? `rows that repeat the identity of an earlier row: ${collidingIdentities}; choose a better identity`
        : undefined,
    ],
    ["Created", `${instantText(createdAt)} UTC`],
  ];
  return (
    <dl class="facts">
      {facts.flatMap(([name, text]) =>
        text === undefined ? [] : [<dt key={name}>{name}</dt>, <dd key={`${name} text`}>{text}</dd>],
      )}
    </dl>
  );
}
