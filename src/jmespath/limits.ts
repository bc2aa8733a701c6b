/** Limits of one projection. */
export interface ProjectionLimits {
  /** UTF-8 bytes of an expression. Fixed by the contract. */
  readonly expressionBytesMax: number;
  /** UTF-8 bytes of a result. Fixed by the contract. */
  readonly bodyBytesMax: number;
  /**
   * Limit in UTF-8 bytes up to which an oversized result is counted for the message; beyond that the message has the
   * count so far.
   */
  readonly bodyBytesCountedMax: number;
  /**
   * Units of work of one projection, over evaluation and serialising. A unit is a node visit, an element copy, an
   * equality step, a sort comparison, or 4 characters of a string created or written. It takes 10–150 ns and allocates
   * at most about 20 bytes, so the default allows at most half a second of processor time and 60 MB.
   */
  readonly fuelUnitsMax: number;
  /** Maximum number of instructions of all cached expressions, about 150 bytes each. */
  readonly cachedInstructionsMax: number;
}

export const defaultLimits: ProjectionLimits = {
  expressionBytesMax: 1_024,
  bodyBytesMax: 262_144,
  bodyBytesCountedMax: 8_388_608,
  fuelUnitsMax: 3_000_000,
  cachedInstructionsMax: 100_000,
};
