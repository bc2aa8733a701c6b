import type { Answer } from "./answer.js";
import type { StreamEvent } from "./change-event.js";
import type { ListStep } from "./deltas.js";
import type { Services } from "./generated/services.js";
import type {
  Arguments,
  CallName,
  ChangeOf,
  ChangingName,
  ChangingRowOf,
  DataOf,
  DeltaParams,
  ListName,
  ListParams,
  OptionsOf,
  PagedName,
  ParamsOf,
  PolledName,
  ReadName,
  RowOf,
  StreamName,
} from "./methods.js";
import type { CallOptions, WriteOptions } from "./options.js";
import type { AnyParams, Projection } from "./params.js";
import type { PollOptions } from "./polls.js";
import type { StreamOptions } from "./streams.js";

/**
 * A client of a Vigil service. Every call is also a method of the service group that it belongs to, such as `economic`:
 * `vigil.economic.getUsCpiMonthly()`.
 */
export interface Vigil extends Services, NamedCalls, UntypedCalls {}

/** Calls by their names, as in `call("get-us-cpi-monthly", { history: true })`. */
export interface NamedCalls {
  /** Sends a call. With `jmespath`, the data can be any JSON value, and the caller may state its type. */
  call<Result = unknown, N extends ReadName = ReadName>(
    name: N,
    params: ParamsOf<N> & Projection,
    options?: CallOptions,
  ): Promise<Answer<Result>>;
  call<N extends CallName>(name: N, ...args: Arguments<ParamsOf<N>, OptionsOf<N>>): Promise<Answer<DataOf<N>>>;

  /** Returns the rows of a list as CSV, NDJSON or GeoJSON. */
  text<N extends ListName>(name: N, params: ListParams<N>, options?: CallOptions): Promise<Answer<string>>;

  /** Yields the pages of a list, each with its metadata. */
  pages<N extends PagedName>(
    name: N,
    ...args: Arguments<ParamsOf<N>, CallOptions>
  ): AsyncGenerator<Answer<DataOf<N>>, void, undefined>;

  /** Reads every row of a list. Throws `DataStateError` if no data is available, instead of yielding nothing. */
  rows<N extends PagedName>(
    name: N,
    ...args: Arguments<ParamsOf<N>, CallOptions>
  ): AsyncGenerator<RowOf<N>, void, undefined>;

  /** Polls for changes after the cursor until the signal aborts, and yields every answer. */
  polls<N extends PolledName>(
    name: N,
    ...args: Arguments<ParamsOf<N>, PollOptions>
  ): AsyncGenerator<Answer<DataOf<N>>, void, undefined>;

  /** Polls for changes after the cursor until the signal aborts, and yields every change. */
  changes<N extends PolledName>(
    name: N,
    ...args: Arguments<ParamsOf<N>, PollOptions>
  ): AsyncGenerator<ChangeOf<N>, void, undefined>;

  /**
   * Follows a list until the signal aborts: first its rows, then, at intervals, the changes since the previous read.
   * If `sinceGeneration` is given, begins with the changes since that generation. `rowsAfter` applies a yielded step to
   * the caller's rows.
   */
  deltas<N extends ChangingName>(
    name: N,
    ...args: Arguments<DeltaParams<N>, PollOptions>
  ): AsyncGenerator<ListStep<ChangingRowOf<N>>, void, undefined>;

  /**
   * Follows a stream of changes until the signal aborts. A lost connection is reopened and continues after the last
   * received event.
   */
  stream<N extends StreamName>(
    name: N,
    ...args: Arguments<ParamsOf<N>, StreamOptions>
  ): AsyncGenerator<StreamEvent<DataOf<N>>, void, undefined>;
}

/** Calls whose name or path is known only at run time. */
export interface UntypedCalls {
  /**
   * Sends a call by its name, with the parameters of a GET or the body of a POST. With a `format` other than `json`,
   * the data is a string. Throws `TypeError` for a name that this version does not have.
   */
  callByName(name: string, params?: AnyParams, options?: WriteOptions): Promise<Answer<unknown>>;

  /** Like `rows`. Throws `TypeError` for a call without pages. */
  rowsByName(name: string, params?: AnyParams, options?: CallOptions): AsyncGenerator<unknown, void, undefined>;

  /** Like `stream`. */
  streamByName(
    name: string,
    params?: AnyParams,
    options?: StreamOptions,
  ): AsyncGenerator<StreamEvent<unknown>, void, undefined>;

  /** Sends a GET for JSON to a path of the service. The path may include a query. */
  get(path: string, options?: CallOptions): Promise<Answer<unknown>>;

  /**
   * Sends a POST of JSON to a path of the service. A failed POST is repeated only if it has an `idempotencyKey`, which
   * the path must accept.
   */
  post(path: string, body: unknown, options?: WriteOptions): Promise<Answer<unknown>>;
}
