// The datasets that the store measurements publish: `rows`, a list of generated rows; `events`, a conflict list in
// which each round changes every row; `revised`, a conflict list in which each round changes one percent of the rows;
// and `recent`, a conflict list that is served whole, without pages.
import { silentTally } from "../dist/contract/row-tally.js";
import { moduleFolder } from "../dist/kit/module-folder.js";
import { FOUND_BY_NAME } from "../dist/kit/service-modules.js";
import { loadServices } from "../dist/services/registry.js";
import { rowsOf } from "./row-lists.mjs";

const DAY_MS = 86_400_000;
const EVENT_DAYS = 365;
/** Midnight UTC of the first day on which there are events. */
export const EVENTS_BEGIN = Date.UTC(2025, 10, 1);
const countries = ["Sudan", "Ukraine", "Myanmar (Burma)", "Mali", "Somalia", "Syria", "Ethiopia", "Nigeria"];

const benchServices = moduleFolder(new URL("./services/", import.meta.url), FOUND_BY_NAME);

/**
 * One function for each dataset that the top of this file describes. Each function returns
 * `{ services, dataset, records(count, round) }`. The records differ between rounds.
 */
export const generations = {
  rows: async () => {
    const services = await loadServices(benchServices);
    return { services, dataset: services.datasets[0], records: (count, round) => ({ rows: rowsOf(count, round) }) };
  },
  events: () => conflictEvents(eventsOf),
  revised: () => conflictEvents(revisedEvents),
  recent: recentEvents,
};

async function recentEvents() {
  const services = await loadServices();
  const dataset = services.datasets.find(({ name }) => name === "alpha-events");
  // The whole list is served, regardless of the age of its events.
  return { services, dataset, records: (count, round) => ({ acled: [], gdelt: recentEventsOf(count, round) }) };
}

/** Returns events, newest first, a minute apart. */
function recentEventsOf(count, round) {
  return Array.from({ length: count }, (_, at) => ({
    id: `gdelt-${100_000 + at}`,
    eventType: "Battles",
    country: countries[at % countries.length],
    location: { latitude: ((at * 13) % 18_000) / 100 - 90, longitude: ((at * 17) % 36_000) / 100 - 180 },
    occurredAt: EVENTS_BEGIN + (count - at) * 60_000,
    fatalities: (at + round) % 9,
    fatalitiesKnown: true,
    actors: ["Military Forces of a country", `Militia number ${at}`],
    source: "a newspaper, with a name of usual length",
    admin1: `Province ${at % 40}`,
  }));
}

async function conflictEvents(eventsIn) {
  const services = await loadServices();
  const dataset = services.datasets.find(({ name }) => name === "beta-events");
  return {
    services,
    dataset,
    // Splits the events as an ingest run would: the annual release and the candidate release are separate parts.
    records(count, round) {
      const events = eventsIn(count, round);
      const { annual, candidate } = dataset.parts;
      const now = EVENTS_BEGIN + EVENT_DAYS * DAY_MS;
      const [ofYear, ofMonths] = [events.filter((_, at) => at % 3 !== 0), events.filter((_, at) => at % 3 === 0)];
      return {
        annual: annual.select(ofYear, now, silentTally),
        candidate: candidate.select(ofMonths, now, silentTally),
      };
    },
  };
}

/** Returns the events of a round; every hundredth event differs from the previous round. */
function revisedEvents(count, round) {
  return eventsOf(count, 0).map((event, at) => (at % 100 === 0 ? { ...event, deathsBest: round } : event));
}

/**
 * Returns events spread over the year and the countries. Most events last one day. For 10 %, the end date is 3 or 13
 * days after the start date; for 1 %, 17 or 117 days. No event ends after the year.
 */
export function eventsOf(count, round) {
  return Array.from({ length: count }, (_, at) => {
    const first = Math.floor((at / count) * EVENT_DAYS);
    const days = at % 100 === 7 ? (at * 31) % 200 : at % 10 === 3 ? (at * 31) % 20 : 0;
    const country = countries[at % countries.length];
    return {
      id: `ucdp-${100_000 + at}`,
      country,
      dateStart: EVENTS_BEGIN + first * DAY_MS,
      dateEnd: EVENTS_BEGIN + Math.min(EVENT_DAYS - 1, first + days) * DAY_MS,
      deathsBest: (at + round) % 9,
      deathsHigh: 9 + (at % 11),
      deathsLow: at % 5,
      location: { latitude: ((at * 13) % 18_000) / 100 - 90, longitude: ((at * 17) % 36_000) / 100 - 180 },
      sideA: `Government of ${country}, a name of usual length`,
      sideB: `Front of ${country}, a name of usual length`,
      sourceOriginal: `police, local officials and witnesses ${at}`,
      violenceType: "BETA_VIOLENCE_TYPE_STATE_BASED",
    };
  });
}
