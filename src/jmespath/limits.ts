/** What one projection may cost. */
export interface ProjectionLimits {
  /** UTF-8 bytes of an expression. Fixed by the contract. */
  readonly expressionBytesMax: number;
  /** UTF-8 bytes of a result. Fixed by the contract. */
  readonly bodyBytesMax: number;
  /** UTF-8 bytes up to which a result that is too large is counted for the message; beyond, the count so far is told. */
  readonly bodyBytesCountedMax: number;
  /**
   * Units of work of one projection, over evaluation and serialising. A unit is a node visit, an element copy, an
   * equality step, a sort comparison, or 4 characters of a string made or written; it takes 10–150 ns and leaves at
   * most some 20 bytes behind, so the default is at most half a second of processor time and 60 MB.
   */
  readonly fuelUnitsMax: number;
  /** Instructions of all compiled expressions kept, some 150 bytes each. */
  readonly cachedInstructionsMax: number;
}

export const defaultLimits: ProjectionLimits = {
  expressionBytesMax: 1_024,
  bodyBytesMax: 262_144,
  bodyBytesCountedMax: 8_388_608,
  fuelUnitsMax: 3_000_000,
  cachedInstructionsMax: 100_000,
};
