/** Finds the thing under a pointer without an exhaustive search: points are indexed by squares of the picture. */
export interface HitGrid {
  /**
   * The number of the thing with the nearest point within a radius in pixels; -1 if there is none. Of equally near
   * points, the one drawn last counts.
   */
  nearest(x: number, y: number, radius: number): number;
}

const SQUARE_PX = 24;

/** A grid of points by their positions in pixels. Point `at` belongs to thing `owners[at]`. */
export function hitGrid(
  xs: Float32Array,
  ys: Float32Array,
  owners: Int32Array,
  { width, height }: { readonly width: number; readonly height: number },
): HitGrid {
  const columns = Math.ceil(width / SQUARE_PX) + 1;
  const rows = Math.ceil(height / SQUARE_PX) + 1;
  const squares = new Map<number, number[]>();
  for (let at = 0; at < xs.length; at += 1) {
    const column = Math.floor((xs[at] ?? 0) / SQUARE_PX);
    const row = Math.floor((ys[at] ?? 0) / SQUARE_PX);
    if (column < 0 || row < 0 || column >= columns || row >= rows) continue;
    const square = row * columns + column;
    const held = squares.get(square);
    if (held) held.push(at);
    else squares.set(square, [at]);
  }
  return {
    nearest(x, y, radius) {
      let best = -1;
      let bestDistance = radius * radius;
      const [left, right] = [Math.floor((x - radius) / SQUARE_PX), Math.floor((x + radius) / SQUARE_PX)];
      const [top, bottom] = [Math.floor((y - radius) / SQUARE_PX), Math.floor((y + radius) / SQUARE_PX)];
      for (let row = Math.max(0, top); row <= Math.min(rows - 1, bottom); row += 1) {
        for (let column = Math.max(0, left); column <= Math.min(columns - 1, right); column += 1) {
          for (const at of squares.get(row * columns + column) ?? []) {
            const distance = ((xs[at] ?? 0) - x) ** 2 + ((ys[at] ?? 0) - y) ** 2;
            const isBetter = distance < bestDistance || (distance === bestDistance && at > best);
            if (isBetter) [best, bestDistance] = [at, distance];
          }
        }
      }
      return best === -1 ? -1 : (owners[best] ?? -1);
    },
  };
}
