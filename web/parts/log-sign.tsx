import type { ChangeLog } from "../reads/change-log.js";
import { failureText } from "../reads/failure-text.js";

/** Whether a log moves on by itself. */
export function LogSign({ log }: { readonly log: ChangeLog<unknown> }) {
  const { kind, failure, isCut } = log;
  const texts = {
    connecting: "Connecting",
    live: "Live",
    lost: "Connection lost; what came before stays",
    off: "Not live",
  };
  return (
    <>
      <span class={`connection ${kind}`} role="status">
        <span class="dot" aria-hidden="true" />
        {texts[kind]}
      </span>
      {kind === "off" && failure !== undefined && <span class="field-failure">{failureText(failure)}</span>}
      {isCut && <span class="quiet">Earlier entries are no longer in the log.</span>}
    </>
  );
}
