import {
  ConnectionError,
  type DataOf,
  ForbiddenError,
  GoneError,
  type ParamsOf,
  type StreamEvent,
  type StreamName,
  UnauthorizedError,
} from "../src/sdk/index.js";
import { vigil } from "./client.js";
import { startLocation } from "./location.js";
import { session } from "./session.js";
import { createStore } from "./store.js";
import { isVisible, onVisibility } from "./visible.js";

/** The connection over which the service says what has changed. */
export type Connection =
  | { readonly kind: "connecting" }
  | { readonly kind: "live" }
  /** Nothing answers since this time, epoch ms. The page shows what it had. */
  | { readonly kind: "lost"; readonly since: number }
  /** The session ended, or its key must not read this stream: the page reads when it is asked to. */
  | { readonly kind: "off"; readonly failure: unknown };

export const connection = createStore<Connection>({ kind: "connecting" });

/** A stream that a page follows. */
interface PageStream<N extends StreamName> {
  readonly name: N;
  readonly params: ParamsOf<N>;
  /** The position after which it begins; without one, it begins with what comes. */
  readonly after?: number;
  /** Called with each event, and whether changes before it may be missing. */
  readonly onEvent: (event: StreamEvent<DataOf<N>>, hasGap: boolean) => void;
  /** Called if the log no longer reaches back to the place of the page. What comes is followed. */
  readonly onCut: () => void;
}

/** Follows a stream until the signal aborts. The next time, it goes on after its last event. */
type Following = (signal: AbortSignal) => Promise<void>;

type Listener = (dataset: string) => void;
const listeners = new Set<Listener>();

/** Calls the listener with each dataset that changes, or `*` if that may be any, until the returned function is called. */
export function onDatasetChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(dataset: string): void {
  for (const listener of [...listeners]) listener(dataset);
}

const datasetChanges = following({
  name: "stream-dataset-changes",
  params: {},
  onEvent(event, hasGap) {
    if (event.type === "change") tell(event.change.dataset);
    // What changed meanwhile is unknown to the pages that were read before.
    else if (hasGap || event.type === "snapshotRequired") tell("*");
  },
  onCut: () => tell("*"),
});

const followed = createStore<{ readonly follow: Following }>({ follow: datasetChanges });

/** Follows this stream in place of the changes of datasets, until the returned function is called. */
export function followInstead<N extends StreamName>(stream: PageStream<N>): () => void {
  const own = { follow: following(stream) };
  followed.set(own);
  return () => {
    if (followed.get() === own) followed.set({ follow: datasetChanges });
  };
}

/**
 * Follows the address, and one stream while somebody is signed in and sees the page: browsers open few connections to a
 * host, and those of other tabs count.
 */
export function startLive(): void {
  startLocation();
  let current: { readonly follow: Following; readonly stop: AbortController } | undefined;
  const update = (): void => {
    const follow = session.get().kind === "in" && isVisible() ? followed.get().follow : undefined;
    if (follow === current?.follow) return;
    current?.stop.abort();
    current = follow && { follow, stop: new AbortController() };
    if (current) void current.follow(current.stop.signal);
  };
  session.listen(update);
  followed.listen(update);
  onVisibility(update);
}

function following<N extends StreamName>({ name, params, after, onEvent, onCut }: PageStream<N>): Following {
  let place = after;
  return async (signal) => {
    if (connection.get().kind !== "lost") connection.set({ kind: "connecting" });
    while (!signal.aborted) {
      try {
        for await (const event of vigil.stream(name, params, { signal, onReconnect: setLost, lastEventId: place })) {
          const hasGap = place === undefined || connection.get().kind === "lost";
          place = event.position;
          connection.set({ kind: "live" });
          onEvent(event, hasGap);
        }
      } catch (failure) {
        if (signal.aborted) return;
        if (failure instanceof GoneError && place !== undefined) {
          place = undefined;
          onCut();
          continue;
        }
        if (failure instanceof UnauthorizedError || failure instanceof ForbiddenError) {
          connection.set({ kind: "off", failure });
          return;
        }
        if (!(failure instanceof ConnectionError)) console.warn(`${name} ended:`, failure);
        setLost();
      }
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
    }
  };
}

const RECONNECT_MS = 5_000;

function setLost(): void {
  if (connection.get().kind !== "lost") connection.set({ kind: "lost", since: Date.now() });
}
