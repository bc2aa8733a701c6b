/**
 * Returns the weight of each option of an `Accept` or `Accept-Encoding` header, keyed by lower-case name (RFC 9110,
 * 12.4.2). The default weight is 1. An invalid weight counts as 0. If an option is listed twice, the higher weight
 * applies.
 */
export function weightsOf(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const option of header.split(",")) {
    const [name = "", ...parameters] = option.split(";").map((piece) => piece.trim().toLowerCase());
    if (name === "") continue;
    weights.set(name, Math.max(weightIn(parameters), weights.get(name) ?? 0));
  }
  return weights;
}

function weightIn(parameters: readonly string[]): number {
  const quality = parameters.find((parameter) => /^q\s*=/.test(parameter));
  if (quality === undefined) return 1;
  const weight = quality.slice(quality.indexOf("=") + 1).trim();
  return /^(?:0(?:\.\d*)?|1(?:\.0*)?)$/.test(weight) ? Number(weight) : 0;
}
