import type { Answer } from "./answer.js";
import { SnapshotRequiredError } from "./errors.js";
import type { CallOptions } from "./options.js";
import { type Call, listIn, memberOf, nextCursorIn } from "./pages.js";
import type { AnyParams } from "./params.js";
import type { Platform } from "./platform.js";

export interface PollOptions extends CallOptions {
  /** The wait after a poll that reached the end of the log, and between two reads of `deltas`. Default 15 s. */
  readonly everyMs?: number | undefined;
}

/** Default of `everyMs`. */
export const EVERY_MS = 15_000;

/**
 * A way to poll for changes: the function that sends a call, the name of the call, and the member of its answer that
 * lists the changes.
 */
export interface Poll {
  readonly call: Call;
  readonly name: string;
  readonly member: string;
}

/**
 * Yields the answer of every poll: first the changes after the cursor, then those that are added later. Throws
 * `SnapshotRequiredError` if the log no longer reaches back to the cursor, or if the answer says that the cursor's
 * snapshot is no longer current. The changes of such an answer are not yielded, because the caller must read the list
 * again, and the list already contains them.
 */
export async function* pollsOf(
  { call, name, member }: Poll,
  params: AnyParams,
  { everyMs = EVERY_MS, ...options }: PollOptions,
  { sleep }: Platform,
): AsyncGenerator<Answer<unknown>, void, undefined> {
  let cursor = params["cursor"];
  for (;;) {
    const answer = await call(name, { ...params, cursor }, options);
    const next = nextCursorIn(answer.data);
    if (next === "") {
      throw new SnapshotRequiredError(`the log of ${name} no longer reaches back to the cursor; list again`);
    }
    if (String(memberOf(answer.data, "pollState")).endsWith("SNAPSHOT_REQUIRED")) {
      throw new SnapshotRequiredError(`the snapshot of the cursor of ${name} is no longer current; list again`);
    }
    const isEmpty = listIn(answer.data, member).length === 0;
    const isEnd = isEmpty && (next === cursor || !isFiltered(params));
    cursor = next;
    yield answer;
    if (isEnd) await sleep(everyMs, options.signal);
  }
}

/** Yields the changes of all polls. */
export async function* changesOf(
  poll: Poll,
  params: AnyParams,
  options: PollOptions,
  platform: Platform,
): AsyncGenerator<unknown, void, undefined> {
  for await (const { data } of pollsOf(poll, params, options, platform)) yield* listIn(data, poll.member);
}

/** True if the parameters filter the changes. A page may then be empty although more changes follow. */
function isFiltered(params: AnyParams): boolean {
  return Object.entries(params).some(
    ([name, value]) => value !== undefined && name !== "cursor" && name !== "pageSize" && name !== "jmespath",
  );
}
