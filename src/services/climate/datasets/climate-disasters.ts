import { dataset, part, type RecordsOf } from "../../../contract/dataset.js";
import type { Source } from "../../../contract/source.js";
import { DAY_MS, HOUR_MS } from "../../../kit/clock.js";
import type { StoredDisaster } from "../records.js";
import { contentAges } from "../rules/content-ages.js";
import { disastersOf } from "../rules/disasters.js";
import { eonet } from "../sources/events/eonet.js";
import { gdacs } from "../sources/events/gdacs.js";
import { nhc } from "../sources/events/nhc.js";
import { reliefWebV1, reliefWebV2 } from "../sources/events/reliefweb.js";

const STALE_AFTER_MS = 12 * HOUR_MS;
/** EONET publishes fires days after their observation: of 5,580 in a recording none was less than two days old. */
const FIRE_SEEN_MS_MAX = 7 * DAY_MS;

/** One list of events. Its events are removed if it cannot be read for long. */
const events = (
  sources: readonly Source<object, StoredDisaster>[],
  select?: (stored: readonly StoredDisaster[], now: number) => readonly StoredDisaster[],
) =>
  part<StoredDisaster, object>({
    sources,
    plan: () => ({}),
    optional: true,
    keptMaxMs: STALE_AFTER_MS,
    ...(select && { select }),
  });

const parts = {
  gdacs: events([gdacs]),
  reliefweb: events([reliefWebV2, reliefWebV1]),
  nhc: events([nhc]),
  eonet: events([eonet], (stored, now) =>
    stored.filter(({ type, observedAt }) => type !== "wildfire" || observedAt >= now - FIRE_SEEN_MS_MAX),
  ),
};

/** Disasters that are under way, from four lists. */
export const climateDisasters = dataset({
  name: "climate-disasters",
  title: "Climate disasters under way",
  description:
    "Floods, cyclones, droughts, heatwaves, wildfires and volcanic eruptions from GDACS (orange and red alerts), NASA EONET, the US National Hurricane Center and, with an approved app name, ReliefWeb.",
  cadenceMs: 3 * HOUR_MS,
  staleAfterMs: STALE_AFTER_MS,
  partAges: contentAges.climateDisasters.parts,
  gaps: [
    "An event at sea counts for the country within 200 km; farther out it is left out.",
    "The country of a position is that of Natural Earth's borders, which show who holds a place, not who claims it.",
    "The same event may appear once per source unless type, country, name and day agree.",
    "Severity is what the source says or its measure means: EONET's fires in acres and its volcanoes have none.",
    "EONET publishes wildfires late: those whose newest position is more than seven days old are left out.",
    "GDACS's own mark `iscurrent` is not used: an event is past when it ended more than a day before the feed was made, a drought when it ended more than thirty days before. One that is dated to the future is an `alert`.",
    "An alert of GDACS about several countries counts for all of them; its `countryCode` is that of its position.",
    "`affectedPopulation` is what GDACS counts; the other lists count nobody.",
  ],
  parts,
  gateRule: "at least one event",
  gate: (records) => (Object.values(records).flat().length === 0 ? "no list has an event" : undefined),
  view: (records: RecordsOf<typeof parts>) => disastersOf(Object.values(records).flat()),
  newestAt: (records) => {
    const times = Object.values(records).flatMap((stored) => stored.map(({ observedAt }) => observedAt));
    return times.length > 0 ? Math.max(...times) : null;
  },
});
