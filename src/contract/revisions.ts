/** The rows that a generation added, changed or removed in one part. */
export interface RevisedRows {
  /** The keys of rows that the previous generation did not have. */
  readonly added: readonly string[];
  /** The rows of the previous generation that this one changed or removed, by key. */
  readonly former: Readonly<Record<string, unknown>>;
}

/** The differences between one generation and the previous one, with the rows that were replaced. */
export interface Revision {
  readonly generation: number;
  /** Build time of the generation, epoch ms. */
  readonly at: number;
  /** Parts without a difference are left out. */
  readonly parts: Readonly<Record<string, RevisedRows>>;
}

/** The record of a dataset's former rows, up to the requested generation. */
export interface Revisions {
  /** The first generation in the record. Its rows may already have been in earlier generations. */
  readonly begin: { readonly generation: number; readonly at: number };
  /** Oldest first. */
  readonly revisions: readonly Revision[];
}
