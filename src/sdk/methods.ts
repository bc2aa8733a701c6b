import type { Answer } from "./answer.js";
import type { StreamEvent } from "./change-event.js";
import type { ListStep } from "./deltas.js";
import type { Calls } from "./generated/calls.js";
import type { CallOptions, WriteOptions } from "./options.js";
import type { Projection } from "./params.js";
import type { PollOptions } from "./polls.js";
import type { StreamOptions } from "./streams.js";

/** The names of the calls whose type has a given member. */
type NamesWith<Member> = { [N in keyof Calls]: Calls[N] extends Member ? N : never }[keyof Calls];

/** The names of the calls that are not streams. */
export type CallName = Exclude<keyof Calls, StreamName>;
export type ReadName = NamesWith<{ readonly kind: "read" }>;
export type TextName = NamesWith<{ readonly kind: "text" }>;
export type WriteName = NamesWith<{ readonly kind: "write" }>;
export type StreamName = NamesWith<{ readonly kind: "stream" }>;
/** The names of the lists that are read page by page. */
export type PagedName = NamesWith<{ readonly row: unknown }>;
/** The names of the polls for changes. */
export type PolledName = NamesWith<{ readonly change: unknown }>;
/** The names of the lists that report their changes. */
export type ChangingName = NamesWith<{ readonly changing: unknown }>;
/** The names of the lists that are available in formats other than JSON. */
export type ListName = NamesWith<{ readonly format: string }>;

export type ParamsOf<N extends keyof Calls> = Calls[N]["params"];
export type DataOf<N extends keyof Calls> = Calls[N]["data"];
export type RowOf<N extends PagedName> = Calls[N]["row"];
export type ChangeOf<N extends PolledName> = Calls[N]["change"];
export type ChangingRowOf<N extends ChangingName> = Calls[N]["changing"];
/** The parameters for following a list: its filters, and where to continue. */
export type DeltaParams<N extends ChangingName> = Omit<ParamsOf<N>, "cursor" | "asOf" | "explain" | "signature">;
/** The parameters of a list, with the format of its rows. */
export type ListParams<N extends ListName> = Omit<ParamsOf<N>, "explain"> & {
  readonly format: Calls[N]["format"];
  readonly jmespath?: string | undefined;
};

/** The options of a call. */
export type OptionsOf<N extends keyof Calls> = N extends WriteName ? WriteOptions : CallOptions;

/** The arguments of a method: parameters, which may be left out if none is required, followed by options. */
export type Arguments<Params, Options> =
  Record<never, never> extends Params ? [params?: Params, options?: Options] : [params: Params, options?: Options];

/** A method that sends a GET. With `jmespath`, the data can be any JSON value, and the caller may state its type. */
export interface ReadMethod<N extends ReadName> {
  <Result = unknown>(params: ParamsOf<N> & Projection, options?: CallOptions): Promise<Answer<Result>>;
  (...args: Arguments<ParamsOf<N>, CallOptions>): Promise<Answer<DataOf<N>>>;
}

/** A method that sends a GET for text. */
export type TextMethod<N extends TextName> = (
  ...args: Arguments<ParamsOf<N>, CallOptions>
) => Promise<Answer<DataOf<N>>>;

/** A method that sends a POST. */
export type WriteMethod<N extends WriteName> = (
  ...args: Arguments<ParamsOf<N>, WriteOptions>
) => Promise<Answer<DataOf<N>>>;

export interface PagedMethod<N extends PagedName> {
  /** Yields the pages of the list, each with its metadata. All pages have the generation of the first. */
  pages(...args: Arguments<ParamsOf<N>, CallOptions>): AsyncGenerator<Answer<DataOf<N>>, void, undefined>;
  /** Reads every row of the list. Throws `DataStateError` if no data is available, instead of yielding nothing. */
  rows(...args: Arguments<ParamsOf<N>, CallOptions>): AsyncGenerator<RowOf<N>, void, undefined>;
}

export interface PolledMethod<N extends PolledName> {
  /** Polls for changes after the cursor until the signal aborts, and yields every answer. */
  polls(...args: Arguments<ParamsOf<N>, PollOptions>): AsyncGenerator<Answer<DataOf<N>>, void, undefined>;
  /** Polls for changes after the cursor until the signal aborts, and yields every change. */
  changes(...args: Arguments<ParamsOf<N>, PollOptions>): AsyncGenerator<ChangeOf<N>, void, undefined>;
}

export interface ListMethod<N extends ListName> {
  /** Returns the rows of the list as CSV, NDJSON or GeoJSON. */
  text(params: ListParams<N>, options?: CallOptions): Promise<Answer<string>>;
}

export interface ChangingMethod<N extends ChangingName> {
  /**
   * Follows the list until the signal aborts: first its rows, then, at intervals, the changes since the previous
   * read. If `sinceGeneration` is given, begins with the changes since then. `rowsAfter` applies a step to the rows.
   */
  deltas(...args: Arguments<DeltaParams<N>, PollOptions>): AsyncGenerator<ListStep<ChangingRowOf<N>>, void, undefined>;
}

/**
 * A method that yields a stream of changes until the signal aborts or the caller leaves the loop. A lost connection is
 * reopened, and the stream continues after the last event.
 */
export type StreamMethod<N extends StreamName> = (
  ...args: Arguments<ParamsOf<N>, StreamOptions>
) => AsyncGenerator<StreamEvent<DataOf<N>>, void, undefined>;
