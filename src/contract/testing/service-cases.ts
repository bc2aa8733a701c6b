/** Members of a JSON object. */
export type Json = Readonly<Record<string, unknown>>;

/**
 * The examples that declarations cannot give, for the tests that are derived from them. Each service exports its own as
 * `cases` from `testing/cases.ts`; `test/services.test.ts` names what is missing.
 */
export interface ServiceCases {
  /** One for each operation, by rpc name. */
  readonly operations: Readonly<Record<string, OperationCase>>;
  /** One for each dataset that the service declares, by name; one for all datasets of a family, by its name. */
  readonly datasets: Readonly<Record<string, DatasetCase>>;
  /** One for each account read, by rpc name. */
  readonly accountReads?: Readonly<Record<string, AccountReadCase>>;
  /** One for each write, by rpc name. */
  readonly writes?: Readonly<Record<string, WriteCase | TestedElsewhere>>;
  /** Served beyond the contract, by rpc name. */
  readonly additions?: Readonly<Record<string, Additions>>;
  /** A real payload of each source that declares `seen: "recorded"`, as a path in the folder of recordings. */
  readonly payloads?: Readonly<Record<string, string>>;
}

export interface Additions {
  /** Query parameters by their name on the wire. */
  readonly parameters?: readonly string[];
  /** Fields as paths from the body, for example `summary.countries.hostStateless`. */
  readonly fields?: readonly string[];
}

export type OperationCase = StoredCase | OnDemandCase | TestedElsewhere;

/** An operation that reads datasets only. */
export interface StoredCase {
  readonly kind: "stored";
  /** The query string; default: that of the first example. */
  readonly query?: string;
  /** The body while nothing is stored. */
  readonly absent: Json;
}

/** An operation that asks upstreams while its caller waits. */
export interface OnDemandCase {
  readonly kind: "on-demand";
  readonly query: string;
  /** The hosts or simulated upstreams that it asks. */
  readonly upstreams: readonly string[];
  /** Members of the body while no upstream answers. */
  readonly failed: Json;
  /** Members of the body while upstreams answer with an empty document; "failed" where they never do. */
  readonly none: Json | "failed";
  /** Members of the body after a 404, where that is an answer. */
  readonly notFound?: Json;
  /** Number of served rows that come from one upstream document; "one" where the document is a single row. */
  readonly rows: ((body: Json) => number) | "one";
  /** The query string for `rows`, where `query` does not serve every row of one document once. */
  readonly rowsQuery?: string;
  /** True where the body tells whether it was read just now, and so differs when it is repeated. */
  readonly tellsCacheHit?: true;
}

/** A read of the caller's account. */
export interface AccountReadCase {
  /** Members of the operator's answer to the first example, in a new store. */
  readonly answer: Json;
}

/** A POST that the operator makes in a new store. */
export interface WriteCase {
  readonly kind: "write";
  /** A write that comes first and whose answer `body` can name. */
  readonly after?: { readonly path: string; readonly body: Json };
  /** A body that succeeds. */
  body(start: WriteStart): Json;
  /** Members of the answer. */
  readonly answer: Json;
}

/** The state of the store that a body can name. */
export interface WriteStart {
  readonly ownerKey: string;
  /** The answer to `after`. */
  readonly earlier: Json;
}

/** An operation, write or dataset of a kind of its own, whose states and faults have their own test file. */
export interface TestedElsewhere {
  readonly kind: "elsewhere";
  /** The test file, from the root of the repository. */
  readonly file: string;
}

export type DatasetCase = StoredDatasetCase | TestedElsewhere;

export interface StoredDatasetCase {
  readonly kind: "stored";
  /** The path and query that show its content. */
  readonly shownBy: string;
  /** The ways in which it is fed; each is struck by every fault. */
  readonly feeds: readonly FeedCase[];
  /** Cases of its parts, by name; needed for parts whose upstream other parts ask as well. */
  readonly parts?: Readonly<Record<string, PartCase>>;
  /** Parts without tests of their own, because a tested part is declared in the same way. */
  readonly likeTested?: readonly string[];
  /** True where the first build asks for more than later ones, so that tests begin with the second. */
  readonly beginsWithSweep?: true;
}

export interface FeedCase {
  /** A host, a simulated upstream, or `*` for all of them. */
  readonly upstream: string;
  /** True where the upstreams are read without any key. */
  readonly keyless?: true;
  /** Names of faults that are an answer for some upstream of the feed. */
  readonly except?: readonly string[];
  readonly badRow: {
    /** Text of the path and query of the requests that get a bad row; default: every request. */
    readonly match?: string;
    /** False where a broken row is not told from one that is not meant, and so not counted. */
    readonly isCounted?: false;
  };
}

export interface PartCase {
  /** Texts of the path and query of its requests; default: every request to its upstream. */
  readonly match?: readonly string[];
  /** Names of faults that are an answer for this part, or that strike other parts too. */
  readonly except?: readonly string[];
}
