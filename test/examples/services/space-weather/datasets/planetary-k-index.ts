import { each, hours } from "../../../../../src/contract/content-age.js";
import { dataset, part } from "../../../../../src/contract/dataset.js";
import { HOUR_MS, MINUTE_MS } from "../../../../../src/kit/clock.js";
import { planetaryKIndex, type StoredKIndex } from "../sources/planetary-k-index.js";

/** The planetary K index over the last few hours. */
export const kIndex = dataset({
  name: "planetary-k-index",
  title: "Planetary K index",
  description: "Disturbance of the earth's magnetic field, estimated every minute.",
  cadenceMs: 5 * MINUTE_MS,
  staleAfterMs: HOUR_MS,
  partAges: each(hours(2), "minutes"),
  gaps: ["The values are estimates; the final index of a day is published later."],
  parts: {
    minutes: part<StoredKIndex, object>({
      sources: [planetaryKIndex],
      plan: () => ({}),
      identity: ["at"],
    }),
  },
  gateRule: "at least one per-minute reading",
  gate: ({ minutes }) => (minutes.length === 0 ? "no readings" : undefined),
  view: ({ minutes }) => minutes,
  newestAt: ({ minutes }) => minutes.at(-1)?.at ?? null,
});
