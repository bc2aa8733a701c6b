// The 20 lists that the measurement of watches publishes: four of the service, the others generated.

import { DAY_MS } from "../../dist/kit/clock.js";
import { loadServices, servicesOf } from "../../dist/services/registry.js";
import { EVENTS_BEGIN, eventsOf } from "../generations.mjs";
import { rowList, rowsOf } from "../row-lists.mjs";

const EVENT_DAYS = 365;
/** The number of rows of each generated list. */
const COUNTS = [
  1_000, 1_000, 1_000, 1_000, 2_000, 2_000, 2_000, 2_000, 5_000, 5_000, 5_000, 10_000, 10_000, 20_000, 20_000, 50_000,
];

/**
 * For each list: its dataset, the records of a round, its path, and queries that select rows. `rows` names the member
 * of the answer that holds the rows; `number` and `angle` name the members of a row that the conditions of the watches
 * compare. Each round revises one percent of the rows.
 */
export const lists = [
  {
    dataset: "beta-events",
    records: (round) => ({ annual: betaEvents(50_000, round), candidate: [] }),
    path: "/api/conflict/v1/list-beta-events",
    rows: "events",
    number: "deathsBest",
    angle: "location.latitude",
    queries: ["", "country=SD", "country=UA", "country=MM", "country=ML", "country=SO", "country=SY", "country=NG"],
  },
  {
    dataset: "alpha-events",
    records: (round) => ({ acled: alphaEvents(20_000, round), gdelt: [] }),
    path: "/api/conflict/v1/list-alpha-events",
    rows: "events",
    number: "fatalities",
    angle: "location.latitude",
    queries: ["", "country=SD", "country=UA", "country=ML"],
  },
  {
    dataset: "us-treasury-yields",
    records: (round) => ({ curves: curves(9_000, round) }),
    path: "/api/economic/v1/get-us-treasury-par-yield-curve",
    rows: "curves",
    number: "tenYear",
    angle: "twoYear",
    queries: ["", "history=true"],
  },
  {
    dataset: "earthquakes",
    records: (round) => ({ usgs: quakes(1_000, round), nrcan: [] }),
    path: "/api/seismology/v1/list-earthquakes",
    rows: "earthquakes",
    number: "magnitude",
    angle: "location.latitude",
    queries: ["", "min_magnitude=5", "min_magnitude=6", "min_magnitude=7"],
  },
  ...COUNTS.map((count, index) => ({
    dataset: `bench-rows-${index}`,
    records: (round) => ({ rows: revised(rowsOf(count, 0), (row) => ({ ...row, value: 100 + round })) }),
    path: `/api/bench/v1/list-rows-${index}`,
    rows: "rows",
    number: "value",
    angle: "lat",
    queries: ["all=true", "all=true&min_lat=30", "all=true&min_lat=60", ""],
  })),
];

/** Returns the declarations of the service and of the generated lists. */
export async function watchedServices() {
  const services = await loadServices();
  const operations = COUNTS.map((_, index) => {
    const operation = rowList(`rows-${index}`, { sharesRows: true });
    return { service: "bench", path: `/api/bench/v1/${operation.rpc}`, operation };
  });
  const group = { ...services.groups[0], service: "bench", name: "Bench" };
  return servicesOf([...services.groups, group], [...services.operations, ...operations], services);
}

/** Returns the rows, with every hundredth one revised. */
function revised(rows, revise) {
  return rows.map((row, at) => (at % 100 === 0 ? revise(row) : row));
}

const lastMidnight = () => Math.floor(Date.now() / DAY_MS) * DAY_MS;

function betaEvents(count, round) {
  const shiftMs = lastMidnight() - EVENTS_BEGIN - EVENT_DAYS * DAY_MS;
  const events = eventsOf(count, 0).map((event) => ({
    ...event,
    dateStart: event.dateStart + shiftMs,
    dateEnd: event.dateEnd + shiftMs,
  }));
  return revised(events, (event) => ({ ...event, deathsBest: 10 + round }));
}

function alphaEvents(count, round) {
  const countries = ["Sudan", "Ukraine", "Mali", "Somalia"];
  const events = Array.from({ length: count }, (_, at) => ({
    id: `acled-${at}`,
    country: countries[at % countries.length],
    admin1: `Region ${at % 50}`,
    actors: [`Force ${at % 20}`, `Front ${at % 30}`],
    eventType: "Battles",
    fatalities: at % 9,
    location: { latitude: ((at * 13) % 18_000) / 100 - 90, longitude: ((at * 17) % 36_000) / 100 - 180 },
    occurredAt: lastMidnight() - Math.floor((at / count) * 29) * DAY_MS,
    source: "a local source",
  }));
  return revised(events, (event) => ({ ...event, fatalities: 10 + round }));
}

function quakes(count, round) {
  const reports = Array.from({ length: count }, (_, at) => ({
    id: `us${at}`,
    place: `${at} km south of a town`,
    magnitude: 4.5 + (at % 30) / 10,
    depthKm: at % 100,
    location: { latitude: ((at * 13) % 180) - 90, longitude: ((at * 17) % 360) - 180 },
    occurredAt: Date.now() - 3_600_000 - at * 60_000,
    source: "usgs",
  }));
  return revised(reports, (report) => ({ ...report, magnitude: 8 + (round % 10) / 10 }));
}

function curves(count, round) {
  const days = Array.from({ length: count }, (_, at) => ({
    date: lastMidnight() - (count - at) * DAY_MS,
    twoYear: 3 + (at % 100) / 50,
    tenYear: 4 + (at % 70) / 50,
  }));
  return revised(days, (day) => ({ ...day, tenYear: 4 + (round % 100) / 100 }));
}
