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
import { checkSession, session } from "./session.js";
import { createStore } from "./store.js";
import { isVisible, onVisibility } from "./visible.js";

/** The connection through which the page learns what has changed. */
export type Connection =
  | { readonly kind: "connecting" }
  | { readonly kind: "live" }
  /** The service has not answered since this time, epoch ms. The page shows its last data. */
  | { readonly kind: "lost"; readonly since: number }
  /** The session ended, or its key is not allowed to read this stream. The page does not learn of changes. */
  | { readonly kind: "off"; readonly failure: unknown };

export const connection = createStore<Connection>({ kind: "connecting" });

/** A stream that a page follows. */
interface PageStream<N extends StreamName> {
  readonly name: N;
  readonly params: ParamsOf<N>;
  /** The position after which the stream starts. Default: the stream starts with the next event. */
  readonly after?: number;
  /** Called with each event, and with a flag that is true if earlier changes may be missing. */
  readonly onEvent: (event: StreamEvent<DataOf<N>>, hasGap: boolean) => void;
  /** Called if the service no longer keeps all events after the page's position. The page still follows new events. */
  readonly onCut: () => void;
}

/**
 * Follows a stream until the signal aborts or the service refuses access. The next call continues after the last event.
 */
type Following = (signal: AbortSignal) => Promise<void>;

type Listener = (dataset: string) => void;
const listeners = new Set<Listener>();

/**
 * Calls the listener with the name of each dataset that changes. If the page may have missed changes, calls the
 * listener with `*`, which means all datasets. The returned function ends the calls.
 */
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
    // Changes may have been missed, so any data that the page has read may be out of date.
    else if (hasGap || event.type === "snapshotRequired") tell("*");
  },
  onCut: () => tell("*"),
});

const followed = createStore<{ readonly follow: Following }>({ follow: datasetChanges });

/** Follows this stream instead of the dataset changes until the returned function is called. */
export function followInstead<N extends StreamName>(stream: PageStream<N>): () => void {
  const own = { follow: following(stream) };
  followed.set(own);
  return () => {
    if (followed.get() === own) followed.set({ follow: datasetChanges });
  };
}

/**
 * Keeps the view in step with the page's URL. While somebody is signed in and the page is visible, also follows a
 * stream. There is only one stream, because browsers allow few connections per host across all tabs.
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
          void checkSession();
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
