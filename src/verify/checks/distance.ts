export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** Great-circle distance on a sphere with a radius of 6,371 km: the radius times the angle at the centre. */
export function kilometresBetween(a: Position, b: Position): number {
  const [from, to] = [a, b].map(({ latitude, longitude }) => {
    const [phi, lambda] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
    return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)] as const;
  });
  if (!from || !to) return Number.NaN;
  const chord = Math.hypot(from[0] - to[0], from[1] - to[1], from[2] - to[2]);
  return 6_371 * 2 * Math.asin(Math.min(1, chord / 2));
}
