/** Converts feet to metres, rounded to the centimetre. */
export function metresOfFeet(feet: number): number {
  return rounded(feet * 0.3048, 2);
}

/** Converts metres per second to knots, rounded to a tenth, with the contract's factor. */
export function knotsOfMetresPerSecond(metresPerSecond: number): number {
  return rounded(metresPerSecond * 1.944, 1);
}

/** Converts feet per minute to metres per second, rounded to a hundredth. */
export function metresPerSecondOfFeetPerMinute(feetPerMinute: number): number {
  return rounded((feetPerMinute * 0.3048) / 60, 2);
}

/** Rounds to a number of decimals, without a minus sign for zero. */
export function rounded(value: number, digits: number): number {
  const factor = 10 ** digits;
  const result = Math.round(value * factor) / factor;
  return result === 0 ? 0 : result;
}
