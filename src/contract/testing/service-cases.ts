/** Members of a JSON object. */
export type Json = Readonly<Record<string, unknown>>;

/**
 * Examples for the tests that are derived from the declarations of services. The declarations do not contain these
 * examples. Each service exports its examples as `cases` from `testing/cases.ts`; `test/services.test.ts` names the
 * missing ones.
 */
export interface ServiceCases {
  /** A case for each operation, by rpc name. */
  readonly operations: Readonly<Record<string, OperationCase>>;
  /** A case for each dataset of the service, by name; a family of datasets has one case, by the family's name. */
  readonly datasets: Readonly<Record<string, DatasetCase>>;
  /** A case for each account read, by rpc name. */
  readonly accountReads?: Readonly<Record<string, AccountReadCase | TestedElsewhere>>;
  /** A case for each write, by rpc name. */
  readonly writes?: Readonly<Record<string, WriteCase | TestedElsewhere>>;
  /** The parameters and fields that this service has in addition to the contract, by rpc name. */
  readonly additions?: Readonly<Record<string, Additions>>;
  /** For each source with `seen: "recorded"`, by its id, the path of a real payload in the folder of recordings. */
  readonly payloads?: Readonly<Record<string, string>>;
}

export interface Additions {
  /** Query parameters, as named in the query string. */
  readonly parameters?: readonly string[];
  /** Fields as paths within the body, for example `summary.countries.hostStateless`. */
  readonly fields?: readonly string[];
}

export type OperationCase = StoredCase | OnDemandCase | TestedElsewhere;

/** An operation that reads datasets only. */
export interface StoredCase {
  readonly kind: "stored";
  /** The query string. Default: the query string of the first example. */
  readonly query?: string;
  /** The body if nothing is stored. */
  readonly absent: Json;
}

/** An operation with on-demand reads. */
export interface OnDemandCase {
  readonly kind: "on-demand";
  readonly query: string;
  /** The hosts or simulated upstreams that it sends requests to. */
  readonly upstreams: readonly string[];
  /** Members of the body if no upstream answers. */
  readonly failed: Json;
  /** Members of the body if upstreams answer with an empty document; "failed" if an empty document is a failure. */
  readonly none: Json | "failed";
  /** Members of the body after the upstream answers 404, if a 404 is a valid answer. */
  readonly notFound?: Json;
  /** Returns the number of rows served from one upstream document; "one" if the document is a single row. */
  readonly rows: ((body: Json) => number) | "one";
  /** The query string for `rows`, if `query` does not serve every row of a document exactly once. */
  readonly rowsQuery?: string;
  /** True if the body states whether it came from the cache, so that the answer to a repeated call differs. */
  readonly tellsCacheHit?: true;
}

/** A read of the caller's account. */
export interface AccountReadCase {
  readonly kind?: never;
  /** A call that is sent first: a write or, if there is no `body`, a read. `query` can use its answer. */
  readonly after?: { readonly path: string; readonly body?: Json };
  /** The query; default: every example of the declaration. */
  query?(earlier: Json): Readonly<Record<string, string>>;
  /**
   * Members of the answer that the operator of a new store gets. The call has `query` or, if `query` is absent, the
   * first example.
   */
  readonly answer: Json;
}

/** A POST that the operator sends to a new store. */
export interface WriteCase {
  readonly kind: "write";
  /** A write that is sent first; `body` can use its answer. */
  readonly after?: { readonly path: string; readonly body: Json };
  /** A valid body. */
  body(start: WriteStart): Json;
  /** Members of the answer. */
  readonly answer: Json;
}

/** The facts about the new store that a body can use. */
export interface WriteStart {
  readonly ownerKey: string;
  /** The answer to `after`. */
  readonly earlier: Json;
}

/** An operation, write or dataset with its own test file for states and faults. */
export interface TestedElsewhere {
  readonly kind: "elsewhere";
  /** Path of the test file from the root of the repository. */
  readonly file: string;
}

export type DatasetCase = StoredDatasetCase | ProductCase | TestedElsewhere;

/**
 * A product: a dataset that is built from other datasets. Its states and provenance are tested. The faults of upstreams
 * are tested with the datasets that it is built from.
 */
export interface ProductCase {
  readonly kind: "product";
  /** The path and query of an operation that serves its content. */
  readonly shownBy: string;
}

export interface StoredDatasetCase {
  readonly kind: "stored";
  /** The path and query of an operation that serves its content. */
  readonly shownBy: string;
  /** The upstream feeds that it reads; every fault is tested on each of them. */
  readonly feeds: readonly FeedCase[];
  /** Cases of its parts, by name; needed for parts that share an upstream with other parts. */
  readonly parts?: Readonly<Record<string, PartCase>>;
  /** Parts that are not tested, because an identically declared part is tested. */
  readonly likeTested?: readonly string[];
  /** True if the first build requests more than later ones. The tests then start with the second build. */
  readonly beginsWithSweep?: true;
  /**
   * For each part that reads earlier documents over many runs: the memory that it has once it has read all of them. The
   * tests continue from this memory, so that their runs read only new documents.
   */
  readonly caughtUp?: Readonly<Record<string, (now: number) => Json>>;
}

export interface FeedCase {
  /** A host, a simulated upstream, or `*` for all of them. */
  readonly upstream: string;
  /** True if the upstreams are read without a key. */
  readonly keyless?: true;
  /** Faults that count as a valid answer of some upstream of the feed. */
  readonly except?: readonly string[];
  readonly badRow: {
    /** A substring of the path and query; requests that contain it receive a bad row. Default: every request. */
    readonly match?: string;
    /** False if a broken row is not counted, because it cannot be distinguished from an irrelevant one. */
    readonly isCounted?: false;
  };
}

export interface PartCase {
  /**
   * Substrings of the path and query by which the requests of the part are recognised. Default: every request to its
   * upstream.
   */
  readonly match?: readonly string[];
  /** Faults that count as a valid answer for this part, or that also affect other parts. */
  readonly except?: readonly string[];
}
