import { dataset, part, type RecordsOf } from "../../../contract/dataset.js";
import { among, type RowTally, silentTally } from "../../../contract/row-tally.js";
import type { Source } from "../../../contract/source.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../kit/clock.js";
import type { Earthquake, StoredEarthquake } from "../records.js";
import { contentAges } from "../rules/content-ages.js";
import { withoutRepeats } from "../rules/same-event.js";
import { withTestSite } from "../rules/test-sites.js";
import { nrcanEarthquakes } from "../sources/nrcan-earthquakes.js";
import { usgsEarthquakes } from "../sources/usgs-earthquakes.js";

const WINDOW_MS = 7 * DAY_MS;
const KEPT_MS_MAX = 6 * HOUR_MS;
const MAGNITUDE_MIN = 4.5;

/**
 * Defines the dataset part for the bulletin of one agency. The part drops its events after six hours without a
 * successful read.
 */
const bulletin = (source: Source<object, StoredEarthquake>) =>
  part<StoredEarthquake, object>({
    sources: [source],
    plan: () => ({}),
    select: (earthquakes, now, tally) =>
      tally.filter(earthquakes, { "older than seven days": ({ occurredAt }) => occurredAt >= now - WINDOW_MS }),
    optional: true,
    keptMaxMs: KEPT_MS_MAX,
  });

const parts = { usgs: bulletin(usgsEarthquakes), nrcan: bulletin(nrcanEarthquakes) };

/** Returns the served earthquakes, newest first. */
function viewOf(
  { usgs, nrcan }: RecordsOf<typeof parts>,
  _pace?: unknown,
  tally: RowTally = silentTally,
): readonly Earthquake[] {
  const served = (reports: readonly StoredEarthquake[]) =>
    tally.filter(reports, { "magnitude below 4.5": ({ magnitude }) => magnitude >= MAGNITUDE_MIN });
  const [american, canadian] = [served(usgs), served(nrcan)];
  const further = withoutRepeats(american, canadian);
  tally.narrowed("duplicate of a USGS report", canadian, further, among(further));
  return [...american, ...further]
    .sort((a, b) => b.occurredAt - a.occurredAt || a.id.localeCompare(b.id))
    .map(withTestSite);
}

/** Earthquakes of the last seven days. */
export const earthquakes = dataset({
  name: "earthquakes",
  title: "Earthquakes of the last seven days",
  description:
    "Earthquakes of magnitude 4.5 and more. The US Geological Survey reports them worldwide, and Natural Resources Canada reports those in and near Canada.",
  cadenceMs: 5 * MINUTE_MS,
  staleAfterMs: 30 * MINUTE_MS,
  partAges: contentAges.earthquakes.parts,
  gaps: [
    "An event that both agencies report within 60 seconds, 10 km and 0.1 magnitude is served once, as reported by the US agency. If more than two reports match, all are served.",
    "Magnitudes use several scales and are revised for days. An event without a magnitude is left out.",
    "Canadian events that the agency marks as industrial are left out. US rows may include explosions.",
    "The test site mark means only that a test site is near, not that a test took place.",
  ],
  parts,
  gateRule: "at least one earthquake of magnitude 4.5 or more",
  gate: (records) => (viewOf(records).length === 0 ? "no earthquake of magnitude 4.5 or more" : undefined),
  view: viewOf,
  newestAt: ({ usgs, nrcan }) =>
    [...usgs, ...nrcan].reduce<number | null>(
      (newest, { occurredAt }) => Math.max(newest ?? occurredAt, occurredAt),
      null,
    ),
});
