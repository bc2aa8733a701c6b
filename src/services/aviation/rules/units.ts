/** Metres of an altitude in feet, to the centimetre. */
export function metresOfFeet(feet: number): number {
  return rounded(feet * 0.3048, 2);
}

/** Knots of a speed in metres per second, to a tenth; by the factor of the contract. */
export function knotsOfMetresPerSecond(metresPerSecond: number): number {
  return rounded(metresPerSecond * 1.944, 1);
}

/** Metres per second of a climb in feet per minute, to the centimetre. */
export function metresPerSecondOfFeetPerMinute(feetPerMinute: number): number {
  return rounded((feetPerMinute * 0.3048) / 60, 2);
}

/** Rounds off the noise of binary fractions. */
export function rounded(value: number, digits: number): number {
  const factor = 10 ** digits;
  const found = Math.round(value * factor) / factor;
  return found === 0 ? 0 : found;
}
