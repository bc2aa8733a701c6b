import type { ChangeLog } from "./change-log.js";
import { type QueryField, type QueryFields, text } from "./query-field.js";

/** The filters of a stream: the accepted values for each facet of its log; an empty list accepts every value. */
export type StreamFilters = Readonly<Record<string, QueryField<readonly string[]>>>;

/**
 * A GET that delivers the changes of a log as server-sent events for as long as the caller stays connected. The caller
 * needs the scope of the log and a plan in force. The path of the GET is `/api/<folder of its service>/v1/<rpc>`.
 */
export interface Stream extends StreamDefinition {
  /** Its cursor and its filters. */
  readonly query: QueryFields;
}

/**
 * Prefix of the rpc name and the file name of each stream. The registry searches only files with this prefix. The
 * command line omits the prefix from the names of streams.
 */
export const STREAM_PREFIX = "stream-";

export interface StreamDefinition {
  /** Name of the operation: `stream-` and a noun. */
  readonly rpc: string;
  readonly summary: string;
  readonly description: string;
  readonly log: ChangeLog;
  readonly filters: StreamFilters;
}

/** Longest cursor of a log, in characters. */
const CURSOR_CHARACTERS_MAX = 2_048;

const cursor = text(
  "`nextCursor` or `pollCursor` of a poll or a list: the stream continues after it. Without it, the stream begins with the next change",
  CURSOR_CHARACTERS_MAX,
);

const declared = new WeakSet<object>();

/**
 * Declares a stream. Throws if its name lacks the prefix, or if it filters by something that is not a facet of its log.
 */
export function stream(definition: StreamDefinition): Stream {
  if (!definition.rpc.startsWith(STREAM_PREFIX)) throw new Error(`${definition.rpc} must begin with ${STREAM_PREFIX}`);
  const unknown = Object.keys(definition.filters).find((name) => !(name in definition.log.facets));
  if (unknown !== undefined) throw new Error(`${definition.rpc} filters by ${unknown}, which its log does not declare`);
  const declaredStream = { ...definition, query: { cursor, ...definition.filters } };
  declared.add(declaredStream);
  return declaredStream;
}

/** Returns true for a value that `stream()` has returned. The registry finds streams by this function. */
export function isStream(value: unknown): value is Stream {
  return typeof value === "object" && value !== null && declared.has(value);
}

/** A stream with the path that is derived from its file. */
export interface RegisteredStream {
  readonly service: string;
  readonly path: string;
  readonly stream: Stream;
}
