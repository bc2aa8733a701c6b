import { dataset, part, type RecordsOf } from "../../../contract/dataset.js";
import type { RowTally } from "../../../contract/row-tally.js";
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
/**
 * Maximum age of a wildfire's newest position. EONET publishes fires late: in a recording of 5,580 fires, none was less
 * than two days old.
 */
const FIRE_SEEN_MS_MAX = 7 * DAY_MS;

/**
 * Declares the dataset part for one list of events. The events are dropped once the list has been unreadable for
 * `keptMaxMs`.
 */
const events = (
  sources: readonly Source<object, StoredDisaster>[],
  select?: (stored: readonly StoredDisaster[], now: number, tally: RowTally) => readonly StoredDisaster[],
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
  eonet: events([eonet], (stored, now, tally) =>
    tally.filter(stored, {
      "wildfire not seen for seven days": ({ type, observedAt }) =>
        type !== "wildfire" || observedAt >= now - FIRE_SEEN_MS_MAX,
    }),
  ),
};

/** Announced, ongoing and recently ended disasters, from four lists. */
export const climateDisasters = dataset({
  name: "climate-disasters",
  title: "Current and recent climate disasters",
  description:
    "Floods, cyclones, droughts, heatwaves, wildfires and volcanic eruptions from GDACS (orange and red alerts), NASA EONET, the US National Hurricane Center and, with an approved app name, ReliefWeb.",
  cadenceMs: 3 * HOUR_MS,
  staleAfterMs: STALE_AFTER_MS,
  partAges: contentAges.climateDisasters.parts,
  gaps: [
    "GDACS and ReliefWeb name the countries of an event. An event of EONET or the National Hurricane Center, and one of GDACS without a country, belongs to the country at its position, or at sea to the nearest country within 200 km; farther out, it is left out unless EONET's title ends with a country.",
    "The country of a position follows Natural Earth's borders, which show control of a place, not claims to it.",
    "An event that several sources report appears once for each source, unless they agree on type, country, name and day.",
    "Severity is stated by the source or derived from the source's measurement; EONET's volcanoes have a severity only if the title names an alert level, and its fires measured in acres have none. ReliefWeb's disasters have the severity `high` if their status is `alert`, otherwise `medium`.",
    "EONET publishes wildfires late; wildfires whose newest position is more than seven days old are left out.",
    "GDACS's flag `iscurrent` is not used: an event is past if it ended more than a day before the feed's date, and a drought is past if it ended more than thirty days before that date. An event dated in the future is an `alert`.",
    "A GDACS alert for several countries lists all of them; its `countryCode` is the code of the country at its position.",
    "`affectedPopulation` is stated only by GDACS.",
  ],
  parts,
  gateRule: "at least one event",
  gate: (records) => (Object.values(records).flat().length === 0 ? "no list has an event" : undefined),
  view: (records: RecordsOf<typeof parts>, _pace, tally) => disastersOf(Object.values(records).flat(), tally),
  newestAt: (records) => {
    const times = Object.values(records).flatMap((stored) => stored.map(({ observedAt }) => observedAt));
    return times.length > 0 ? Math.max(...times) : null;
  },
});
