import type { PublishedFeed } from "../../contract/feed-catalogue.js";
import { SourceFailure } from "../../contract/source.js";
import { type Clock, DAY_MS, HOUR_MS, SECOND_MS } from "../../kit/clock.js";
import { table } from "../../kit/text-table.js";
import type { UpstreamClient } from "../../upstream/answer.js";
import { decode } from "../../upstream/decode.js";

/** The result of one request from this machine to a feed of the catalogue. */
export interface CheckedFeed {
  readonly id: string;
  /**
   * `ok`: a feed that has items with a title and a link; `empty`: a feed without such items; `dead`: the request
   * failed, or its answer could not be read as a feed.
   */
  readonly state: "ok" | "empty" | "dead";
  readonly items: number;
  /** ISO instant of the newest item; null if no item has a usable date. */
  readonly newestAt: string | null;
  /** The reason for `dead`, or a remark on the feed; null if there is none. */
  readonly why: string | null;
}

export interface FeedCheckOptions {
  readonly feeds: readonly Pick<PublishedFeed, "id" | "url">[];
  readonly client: UpstreamClient;
  readonly clock: Clock;
  /** Ends the check. Feeds that have not answered by then are left out of the result. */
  readonly signal: AbortSignal;
  /** Time limit for each feed. Default 8,000. */
  readonly timeoutMs?: number;
  readonly onChecked?: (count: number, of: number) => void;
}

const PARALLEL = 20;
const TIMEOUT_MS = 8 * SECOND_MS;
/** Maximum size of a feed in bytes. The service has the same limit when it reads a feed. */
const BYTES_MAX = 2_000_000;
/** A date further in the future than this is not usable. */
const AHEAD_MS_MAX = HOUR_MS;
/** If the newest item is older than this, the result has a remark. */
const SILENT_MS = 30 * DAY_MS;

/** Requests each feed once. Returns the results in the order of the feeds. */
export async function checkFeeds(options: FeedCheckOptions): Promise<readonly CheckedFeed[]> {
  const { feeds, signal, onChecked } = options;
  const checked = new Map<string, CheckedFeed>();
  const waiting = [...feeds];
  const worker = async (): Promise<void> => {
    for (let feed = waiting.shift(); feed !== undefined && !signal.aborted; feed = waiting.shift()) {
      const result = await checkFeed(feed, options);
      if (signal.aborted) return;
      checked.set(feed.id, result);
      onChecked?.(checked.size, feeds.length);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return feeds.flatMap(({ id }) => checked.get(id) ?? []);
}

async function checkFeed(
  { id, url }: FeedCheckOptions["feeds"][number],
  options: FeedCheckOptions,
): Promise<CheckedFeed> {
  const { client, clock, signal, timeoutMs = TIMEOUT_MS } = options;
  const format = { kind: "feed" } as const;
  try {
    const request = { key: id, url, format, timeoutMs, bytesMax: BYTES_MAX };
    // Each feed has its own signal, because Node would report twenty listeners on one signal as a leak.
    const { bytes, contentType } = await client.fetch(request, { signal: AbortSignal.any([signal]) });
    const { items } = decode(bytes, format, { contentType, url });
    const usable = items.filter(({ title, link }) => title !== "" && link !== undefined);
    return { id, ...checkOf(usable, clock.now()) };
  } catch (error) {
    const isExpected = error instanceof SourceFailure;
    const message = error instanceof Error ? error.message : String(error);
    const why = isExpected ? message : `reading it failed with an internal error: ${message}`;
    return { id, state: "dead", items: 0, newestAt: null, why };
  }
}

function checkOf(items: readonly { readonly publishedAt: number | undefined }[], now: number): Omit<CheckedFeed, "id"> {
  if (items.length === 0) return { state: "empty", items: 0, newestAt: null, why: "no item has a title and a link" };
  const dates = items.flatMap(({ publishedAt }) => publishedAt ?? []).filter((at) => at <= now + AHEAD_MS_MAX);
  const newest = dates.length === 0 ? undefined : Math.max(...dates);
  const why =
    newest === undefined
      ? "no item has a usable date"
      : now - newest > SILENT_MS
        ? `nothing new for ${Math.floor((now - newest) / DAY_MS)} days`
        : null;
  const newestAt = newest === undefined ? null : new Date(newest).toISOString();
  return { state: "ok", items: items.length, newestAt, why };
}

const states = ["ok", "empty", "dead"] as const;

/** Counts the feeds by state. */
export function feedCounts(checked: readonly CheckedFeed[]): Readonly<Record<CheckedFeed["state"], number>> {
  const count = (state: CheckedFeed["state"]): number => checked.filter((feed) => feed.state === state).length;
  return { ok: count("ok"), empty: count("empty"), dead: count("dead") };
}

const WHY_LENGTH_MAX = 160;

/** Formats a table with a row for each feed, followed by a sentence with the number of feeds in each state. */
export function feedTable(checked: readonly CheckedFeed[], total: number): string {
  const counts = feedCounts(checked);
  const rows = checked.map(({ id, state, items, newestAt, why }) => [
    id,
    state,
    String(items),
    newestAt === null ? "-" : newestAt.slice(0, 16).replace("T", " "),
    (why ?? "").slice(0, WHY_LENGTH_MAX),
  ]);
  const summary = states.map((state) => `${counts[state]} ${state}`).join(", ");
  const missing = total - checked.length;
  const end = missing === 0 ? "" : `; cancelled before ${missing} more had answered`;
  return `${table(["feed", "state", "items", "newest (UTC)", "why"], rows)}\n\n${checked.length} feeds: ${summary}${end}`;
}
