/** Limits of one projection. */
export interface ProjectionLimits {
  /** Maximum size of an expression, in UTF-8 bytes. Fixed by the contract. */
  readonly expressionBytesMax: number;
  /** Maximum size of a result, in UTF-8 bytes. Fixed by the contract. */
  readonly bodyBytesMax: number;
  /**
   * Size, in UTF-8 bytes, up to which an oversized result is counted. The error message states the size of the result
   * or, if the result is larger than this, the count at which counting stopped.
   */
  readonly bodyBytesCountedMax: number;
  /**
   * Maximum units of work per projection, for evaluation and serialising together. A unit is roughly a node visit, an
   * element copy, a sort comparison, or 4 characters of a string created or written; some steps cost several units.
   * Each unit takes 10–150 ns and allocates at most about 20 bytes, so the default allows at most half a second of
   * processor time and 60 MB.
   */
  readonly fuelUnitsMax: number;
  /**
   * Maximum size of all cached expressions together. The size of an expression is the number of its instructions plus
   * the number of its characters. An instruction takes about 150 bytes.
   */
  readonly cachedInstructionsMax: number;
}

export const defaultLimits: ProjectionLimits = {
  expressionBytesMax: 1_024,
  bodyBytesMax: 262_144,
  bodyBytesCountedMax: 8_388_608,
  fuelUnitsMax: 3_000_000,
  cachedInstructionsMax: 100_000,
};
