import { ConnectionError, ForbiddenError, UnauthorizedError } from "../src/sdk/index.js";
import { vigil } from "./client.js";
import { startLocation } from "./location.js";
import { session } from "./session.js";
import { createStore } from "./store.js";

/** The connection over which the service says what has changed. */
export type Connection =
  | { readonly kind: "connecting" }
  | { readonly kind: "live" }
  /** Nothing answers since this time, epoch ms. The page shows what it had. */
  | { readonly kind: "lost"; readonly since: number }
  /** The session ended, or its key must not read streams: the page reads when it is asked to. */
  | { readonly kind: "off" };

export const connection = createStore<Connection>({ kind: "connecting" });

type Listener = (dataset: string) => void;
const listeners = new Set<Listener>();

/** Calls the listener with each dataset that changes, until the returned function is called. */
export function onDatasetChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Follows the address, and the changes of datasets as long as somebody is signed in. */
export function startLive(): void {
  startLocation();
  let stop: AbortController | undefined;
  session.listen(({ kind }) => {
    if (kind === "in" && !stop) {
      stop = new AbortController();
      void follow(stop.signal);
    } else if (kind !== "in") {
      stop?.abort();
      stop = undefined;
    }
  });
}

async function follow(signal: AbortSignal): Promise<void> {
  const lost = (): void => {
    const last = connection.get();
    connection.set(last.kind === "lost" ? last : { kind: "lost", since: Date.now() });
  };
  for (;;) {
    try {
      for await (const event of vigil.stream("stream-dataset-changes", {}, { signal, onReconnect: lost })) {
        const wasLost = connection.get().kind === "lost";
        connection.set({ kind: "live" });
        if (event.type === "change") tell(event.change.dataset);
        // What changed meanwhile is unknown to the pages that were read before.
        else if (wasLost || event.type === "snapshotRequired") tell("*");
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof UnauthorizedError || error instanceof ForbiddenError) {
        connection.set({ kind: "off" });
        return;
      }
      if (!(error instanceof ConnectionError)) console.warn("the stream of changes ended:", error);
      lost();
    }
    await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
  }
}

const RECONNECT_MS = 5_000;

function tell(dataset: string): void {
  for (const listener of [...listeners]) listener(dataset);
}
