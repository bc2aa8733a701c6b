import { useNow } from "../clock.js";
import { agoText } from "../format.js";
import type { Connection } from "../live.js";

/** Shows whether the page updates automatically. */
export function ConnectionSign({ connection }: { readonly connection: Connection }) {
  const now = useNow();
  const texts = {
    connecting: "Connecting",
    live: "Live",
    lost: connection.kind === "lost" ? `Connection lost ${agoText(connection.since, now)}` : "",
    off: "Not live",
  };
  return (
    <span class={`connection ${connection.kind}`} role="status">
      <span class="dot" aria-hidden="true" />
      {texts[connection.kind]}
    </span>
  );
}
