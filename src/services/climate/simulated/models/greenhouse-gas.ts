import { streamFor } from "../../../../simulator/models/random-stream.js";

/**
 * Returns a function of the decimal year: carbon dioxide at Mauna Loa without the seasonal cycle, ppm. It is a parabola
 * within 3 ppm of the real record from 1958 to 2026, plus multi-year swings that differ by seed.
 */
export function co2Level(seed: number): (decimalYear: number) => number {
  const random = streamFor(seed, "co2-swings");
  const swings = [3.7, 9.1].map((years) => ({ years, phase: random() }));
  return (decimalYear) => {
    const age = decimalYear - 1958.5;
    const swing = swings.reduce((sum, { years, phase }) => sum + Math.sin(2 * Math.PI * (age / years + phase)), 0);
    return 315.4 + 0.79 * age + 0.01275 * age ** 2 + 0.3 * swing;
  };
}

/**
 * Returns the seasonal part of carbon dioxide, ppm. It is highest in May and lowest at the end of September, as at
 * Mauna Loa since 1990.
 */
export function co2Season(decimalYear: number): number {
  return season(decimalYear, [-0.89, 2.8, 0.69, -0.5]);
}

/**
 * Returns the sum of a yearly and a half-yearly wave. `waves` has the cosine and sine amplitudes of the yearly wave,
 * then those of the half-yearly one.
 */
export function season(decimalYear: number, waves: readonly [number, number, number, number]): number {
  const angle = 2 * Math.PI * decimalYear;
  const [cos, sin, cosTwice, sinTwice] = waves;
  return (
    cos * Math.cos(angle) + sin * Math.sin(angle) + cosTwice * Math.cos(2 * angle) + sinTwice * Math.sin(2 * angle)
  );
}

/**
 * Returns global methane without the seasonal cycle, ppb: a linear interpolation between the rounded real levels of a
 * few years.
 */
export function methaneLevel(decimalYear: number): number {
  const before = METHANE_PPB.findLastIndex(([year], index) => year <= decimalYear && index < METHANE_PPB.length - 1);
  const [year, ppb] = METHANE_PPB[Math.max(0, before)] ?? [0, 0];
  const [nextYear, nextPpb] = METHANE_PPB[Math.max(0, before) + 1] ?? [0, 0];
  return ppb + ((decimalYear - year) / (nextYear - year)) * (nextPpb - ppb);
}

const METHANE_PPB: readonly (readonly [year: number, ppb: number])[] = [
  ...([
    [1983.5, 1635],
    [1992, 1734],
    [1999, 1771],
    [2007, 1778],
    [2014, 1820],
  ] as const),
  ...([
    [2020, 1874],
    [2023, 1918],
    [2026.5, 1943],
  ] as const),
];

/** Returns global nitrous oxide without the seasonal cycle, ppb. */
export function nitrousOxideLevel(decimalYear: number): number {
  const age = decimalYear - 2001;
  return 316 + 0.7 * age + 0.0095 * age ** 2;
}
