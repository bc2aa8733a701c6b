import { connection } from "../live.js";
import type { ChangeLog } from "../reads/change-log.js";
import { failureText } from "../reads/failure-text.js";
import { useStore } from "../store.js";

/** States why a log is not followed, and whether its beginning is missing. The page header shows the connection. */
export function LogSign({ log }: { readonly log: ChangeLog<unknown> }) {
  const link = useStore(connection);
  return (
    <>
      {log.version === 0 && (link.kind === "connecting" || link.kind === "live") && (
        <span class="quiet">Reading the log…</span>
      )}
      {log.version === 0 && link.kind === "lost" && (
        <span class="field-failure">The log cannot be reached. The page tries again automatically.</span>
      )}
      {link.kind === "off" && <span class="field-failure">{failureText(link.failure)}</span>}
      {log.isCut && <span class="quiet">Earlier entries are no longer in the log.</span>}
    </>
  );
}
