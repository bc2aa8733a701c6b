const KT_PER_KMH = 1 / 1.852;
const WIND_KT_MAX = 200;

/** Minimum wind of each Saffir-Simpson category, knots. */
const categoryWinds = [64, 83, 96, 113, 137];

/** Returns the Saffir-Simpson category of a sustained wind in knots; 0 for a tropical storm or depression. */
export function stormCategoryOf(windKt: number): number {
  return categoryWinds.filter((least) => windKt >= least).length;
}

/** Rounds a wind to whole knots; undefined for an implausible wind. */
export function knots(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 && value <= WIND_KT_MAX ? Math.round(value) : undefined;
}

export function knotsOfKmh(value: number | undefined): number | undefined {
  return knots(value === undefined ? undefined : value * KT_PER_KMH);
}

/** Rounds a pressure to whole hPa; undefined for an implausible pressure. */
export function hectopascals(value: number | undefined): number | undefined {
  return value !== undefined && value >= 850 && value <= 1_050 ? Math.round(value) : undefined;
}
