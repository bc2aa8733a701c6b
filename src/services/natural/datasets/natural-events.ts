import { dataset, part, type RecordsOf } from "../../../contract/dataset.js";
import type { RowTally } from "../../../contract/row-tally.js";
import type { Source } from "../../../contract/source.js";
import { DAY_MS, HOUR_MS } from "../../../kit/clock.js";
import type { Category, NaturalEvent, ReportedEvent } from "../records.js";
import { contentAges } from "../rules/content-ages.js";
import { mergedEvents } from "../rules/merge-events.js";
import { eonetEvents } from "../sources/eonet-events.js";
import { gdacsEvents } from "../sources/gdacs-events.js";
import { hkoWarnings } from "../sources/hko-warnings.js";
import { nhcStorms } from "../sources/nhc-storms.js";

const KEPT_MS_MAX = 18 * HOUR_MS;
const GDACS_EVENTS_MAX = 100;
/**
 * Age of a fire's newest observation at which the fire is dropped. The limit is a week, because EONET publishes
 * observations days after they are made: of 5,580 recorded fires, none had an observation from the last two days.
 */
const FIRE_SEEN_MS_MAX = 7 * DAY_MS;

/**
 * Defines the dataset part that contains the events of one list. The part drops its events after 18 hours without a
 * successful read.
 */
const list = (
  source: Source<object, ReportedEvent>,
  select: (events: readonly ReportedEvent[], now: number, tally: RowTally) => readonly ReportedEvent[] = (events) =>
    events,
) =>
  part<ReportedEvent, object>({
    sources: [source],
    plan: () => ({}),
    select,
    optional: true,
    keptMaxMs: KEPT_MS_MAX,
  });

const parts = {
  nhc: list(nhcStorms),
  gdacs: list(gdacsEvents, (events, _now, tally) => {
    const newestFirst = events.toSorted((a, b) => b.date - a.date || a.id.localeCompare(b.id));
    return tally.first(`beyond the newest ${GDACS_EVENTS_MAX}`, newestFirst, GDACS_EVENTS_MAX);
  }),
  eonet: list(eonetEvents, (events, now, tally) =>
    tally.filter(events, {
      "wildfire not seen for seven days": ({ category, date }) =>
        category !== "wildfires" || date >= now - FIRE_SEEN_MS_MAX,
    }),
  ),
  hko: list(hkoWarnings),
};

export interface EventView {
  /** Newest first. */
  readonly all: readonly NaturalEvent[];
  /** The same events by category. */
  readonly byCategory: ReadonlyMap<Category, readonly NaturalEvent[]>;
}

const reported = (records: RecordsOf<typeof parts>): readonly ReportedEvent[] => Object.values(records).flat();

function viewOf(records: RecordsOf<typeof parts>, _pace: unknown, tally: RowTally): EventView {
  const reports = reported(records);
  const all = mergedEvents(reports);
  tally.joined("reports of one event", reports.length - all.length);
  const byCategory = new Map<Category, NaturalEvent[]>();
  for (const event of all) {
    const events = byCategory.get(event.category);
    if (events) events.push(event);
    else byCategory.set(event.category, [event]);
  }
  return { all, byCategory };
}

/** Natural events from four lists, mostly open ones. GDACS also lists events that are over, marked as closed. */
export const naturalEvents = dataset({
  name: "natural-events",
  title: "Current and recent natural events",
  description:
    "Storms, floods, fires, volcanoes, droughts and other events from the US National Hurricane Center, GDACS (orange and red alerts), NASA EONET and the Hong Kong Observatory.",
  cadenceMs: 3 * HOUR_MS,
  staleAfterMs: 9 * HOUR_MS,
  partAges: contentAges.naturalEvents.parts,
  gaps: [
    "EONET, the National Hurricane Center and the Hong Kong Observatory list ongoing events. GDACS also lists events that are over; `closed` is true for these.",
    "A storm in several lists is one row with each agency's observation. Reports of different lists are joined if they share a name or id and are near each other, or if one of them has no name and they are at most 90 km and three hours apart.",
    "An event other than a storm that GDACS and EONET list in the same category and at the same position, rounded to 0.1 degrees, is one row, taken from GDACS. Two such events of the same list are always two rows.",
    "GDACS publishes the highest wind of a storm's lifetime; the other agencies publish the wind at the time of observation.",
    "EONET's earthquakes are omitted; GDACS's earthquakes are served. EONET's fires are omitted seven days after their newest position.",
    "The Hong Kong Observatory publishes the signal in force but not the storm's position. The signal is always a separate row, with the position of the city.",
    "Storms of the Japan Meteorological Agency are not read. Storms of the Joint Typhoon Warning Center (JTWC) are read only through EONET.",
    "A storm's track and cone may be one advisory older than its position.",
  ],
  parts,
  gateRule: "at least one event",
  gate: (records) => (reported(records).length === 0 ? "no list has an event" : undefined),
  view: viewOf,
  newestAt: (records) =>
    reported(records).reduce<number | null>((newest, { date }) => Math.max(newest ?? date, date), null),
});
