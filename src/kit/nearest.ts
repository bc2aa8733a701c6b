/** Longest text to compare; longer text is not a mistyped name. */
const LENGTH_MAX = 80;

/**
 * Returns the name closest to a mistyped one. A name is close if the two differ in at most a third of the letters of
 * the longer one. Returns undefined if no name is close.
 */
export function nearest(typed: string, names: Iterable<string>): string | undefined {
  if (typed.length > LENGTH_MAX) return undefined;
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of names) {
    const distance = editDistance(typed.toLowerCase(), name.toLowerCase());
    const isClose = distance <= Math.max(typed.length, name.length) / 3;
    if (isClose && (best === undefined || distance < best.distance)) best = { name, distance };
  }
  return best?.name;
}

/** `; did you mean …?` for the closest name; empty if none is close. */
export function suggestion(typed: string, names: Iterable<string>): string {
  const name = nearest(typed, names);
  return name === undefined ? "" : `; did you mean ${name}?`;
}

/** The number of letters to insert, remove, replace or swap with a neighbour to turn one string into the other. */
function editDistance(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const ways = [
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped && row > 1 && column > 1 ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      ];
      current.push(Math.min(...ways));
    }
    [beforeLast, last] = [last, current];
  }
  return last[right.length] ?? 0;
}
