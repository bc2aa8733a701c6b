/** Limits of one projection. */
export interface ProjectionLimits {
  /** Maximum size of an expression, in UTF-8 bytes. Fixed by the contract. */
  readonly expressionBytesMax: number;
  /** Maximum size of a result, in UTF-8 bytes. Fixed by the contract. */
  readonly bodyBytesMax: number;
  /**
   * Size, in UTF-8 bytes, up to which an oversized result is still counted for the message. Beyond that, the message
   * states the count so far.
   */
  readonly bodyBytesCountedMax: number;
  /**
   * Maximum units of work per projection, for evaluation and serialising together. A unit is a node visit, an element
   * copy, an equality step, a sort comparison, or 4 characters of a string created or written. Each unit takes 10–150
   * ns and allocates at most about 20 bytes, so the default allows at most half a second of processor time and 60 MB.
   */
  readonly fuelUnitsMax: number;
  /**
   * Maximum size of all cached expressions together: their instructions, of about 150 bytes each, plus their
   * characters.
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
