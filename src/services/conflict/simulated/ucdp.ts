import { DAY_MS } from "../../../kit/clock.js";
import { isoDay } from "../../../simulator/models/days.js";
import { streamFor } from "../../../simulator/models/random-stream.js";
import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";
import { zipOf } from "../../../simulator/zip.js";
import { incidentFrom } from "./models/violence.js";

const TOKEN = "demo-ucdp-token";

/**
 * UCDP's Georeferenced Event Dataset: an annual release in mid-June, and a candidate release for each month, published
 * in the middle of the next month. The API requires a token; the same releases are published as files.
 */
export const upstream = simulatedUpstream({
  name: "ucdp",
  credentials: { UCDP_ACCESS_TOKEN: TOKEN },
  routes: [
    {
      host: "ucdpapi.pcr.uu.se",
      path: "/api/gedevents/*",
      handle: answerEvents,
      variants: {
        changed: (json) => json.replace('"Result":', '"Items":'),
        empty: (json) => json.replace(/"Result":\[.*\]/s, '"Result":[]'),
        badRow: (json) => rewriteMiddle(json, /"date_start":"[^"]*"/g, () => '"date_start":"2019-13-45"'),
      },
    },
    {
      host: "ucdp.uu.se",
      path: "/downloads/ged/*",
      handle: answerAnnualFile,
      // The faulty variants are plain text, because the content of a zip cannot be edited as text.
      variants: { changed: () => "no archive", empty: () => "", badRow: () => "no archive" },
    },
    {
      host: "ucdp.uu.se",
      path: "/downloads/candidateged/*",
      handle: answerCandidateFile,
      variants: {
        changed: (csv) => csv.replace("date_start", "begin"),
        empty: (csv) => csv.slice(0, csv.indexOf("\n") + 1),
        badRow: (csv) => rewriteMiddle(csv, /\d{4}-\d{2}-\d{2} 00:00:00\.000/g, () => "2019-13-45 00:00:00.000"),
      },
    },
  ],
});

const EVENTS_A_MONTH = 210;
const FIRST_YEAR = 2020;
const FILE_MONTHS_MAX = 24;

/** Numbers months from the year 0. */
const monthAt = (year: number, month: number): number => year * 12 + month - 1;
const startOf = (month: number): number => Date.UTC(Math.floor(month / 12), month % 12);

function answerEvents({ url, headers, clock, seed }: SimulatedRequest): SimulatedAnswer {
  const token = headers["x-ucdp-access-token"];
  if (token !== TOKEN) return text(401, token ? "Invalid access token" : "Access token is missing");
  const version = url.pathname.split("/").at(-1) ?? "";
  const months = monthsOf(version, clock.now());
  if (months === undefined) return text(404, `There is no version ${version}`);
  const from = Date.parse(url.searchParams.get("StartDate") ?? "1989-01-01");
  const isCandidate = version.includes(".0.");
  const events = months
    .filter((month) => startOf(month + 1) > from)
    .flatMap((month) => Array.from({ length: EVENTS_A_MONTH }, (_, index) => eventOf(seed, month, index, isCandidate)))
    .filter(({ date_end }) => Date.parse(`${date_end}Z`) >= from);
  const size = Number(url.searchParams.get("pagesize") ?? 100);
  const page = Number(url.searchParams.get("page") ?? 0);
  const answer = {
    TotalCount: events.length,
    TotalPages: Math.ceil(events.length / size),
    PreviousPageUrl: "",
    NextPageUrl: "",
    Result: events.slice(page * size, (page + 1) * size),
  };
  return { status: 200, contentType: "application/json; charset=utf-8", body: JSON.stringify(answer) };
}

/** Returns the months that a release covers; undefined for an unknown release and before its publication. */
function monthsOf(version: string, now: number): readonly number[] | undefined {
  const [, year, month] = (/^(\d{2})\.(?:1|0\.(\d{1,2}))$/.exec(version) ?? []).map((part) => 0 + Number(part));
  if (year === undefined) return undefined;
  const full = 2000 + year;
  if (month !== undefined && !Number.isNaN(month)) {
    const isOut = month >= 1 && month <= 12 && now >= Date.UTC(full, month, 15);
    return isOut ? [monthAt(full, month)] : undefined;
  }
  if (now < Date.UTC(full, 5, 15) || full <= FIRST_YEAR) return undefined;
  const first = monthAt(FIRST_YEAR, 1);
  return Array.from({ length: monthAt(full, 1) - first }, (_, index) => first + index);
}

const columns = [
  "id",
  "relid",
  "year",
  "active_year",
  "code_status",
  "type_of_violence",
  "conflict_name",
  "side_a",
  "side_b",
  "source_original",
  "where_prec",
  "adm_1",
  "adm_2",
  "latitude",
  "longitude",
  "country",
  "date_prec",
  "date_start",
  "date_end",
  "best",
  "high",
  "low",
] as const;

const tables = new Map<string, string>();
const TABLES_KEPT = 32;

/** Returns the CSV table of these months. Tables are cached, because they are requested repeatedly. */
function tableOf(seed: number, months: readonly number[], isCandidate: boolean): string {
  const key = `${seed} ${months[0]} ${months.length} ${isCandidate}`;
  const cached = tables.get(key);
  if (cached !== undefined) return cached;
  const rows = months.flatMap((month) =>
    Array.from({ length: EVENTS_A_MONTH }, (_, index) => fileRow(eventOf(seed, month, index, isCandidate))),
  );
  const table = `${[columns.join(","), ...rows].join("\n")}\n`;
  if (tables.size >= TABLES_KEPT) tables.clear();
  tables.set(key, table);
  return table;
}

/** Writes a row as the real files do: texts are quoted if necessary, and dates are written with the time 00:00:00. */
function fileRow(event: ReturnType<typeof eventOf>): string {
  const midnight = (day: string): string => `${day.slice(0, 10)} 00:00:00.000`;
  const row: Readonly<Record<string, unknown>> = {
    ...event,
    active_year: false,
    code_status: event.side_a.startsWith("XXX") ? "Check dyad" : "Clear",
    adm_2: "",
    date_start: midnight(event.date_start),
    date_end: midnight(event.date_end),
  };
  const cell = (value: unknown): string =>
    typeof value === "string" && /[",]/.test(value) ? quoted(value) : String(value);
  return columns.map((column) => cell(row[column])).join(",");
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

function answerAnnualFile({ url, clock, seed }: SimulatedRequest): SimulatedAnswer {
  const year = /\/ged(\d{2})1-csv\.zip$/.exec(url.pathname)?.[1];
  const months = year === undefined ? undefined : monthsOf(`${year}.1`, clock.now());
  if (months === undefined) return text(404, "Not Found");
  // The real file begins in 1989. This file has only the newest months, to stay small.
  const body = zipOf(`GEDEvent_v${year}_1.csv`, tableOf(seed, months.slice(-FILE_MONTHS_MAX), false));
  return { status: 200, contentType: "application/zip", body, etag: true };
}

function answerCandidateFile({ url, clock, seed }: SimulatedRequest): SimulatedAnswer {
  const [, year, month] = /\/GEDEvent_v(\d{2})_0_(\d{1,2})\.csv$/.exec(url.pathname) ?? [];
  const months = month === undefined ? undefined : monthsOf(`${year}.0.${month}`, clock.now());
  if (months === undefined) return text(404, "Not Found");
  return { status: 200, contentType: "text/csv", body: tableOf(seed, months, true), etag: true };
}

/**
 * Creates an event. Some events last for days, and some have no known deaths. Candidate figures differ from the final
 * ones.
 */
function eventOf(seed: number, month: number, index: number, isCandidate: boolean) {
  const random = streamFor(seed, `ucdp ${month} ${index}`);
  const { place, division, latitude, longitude, sides, deaths } = incidentFrom(random);
  const days = (startOf(month + 1) - startOf(month)) / DAY_MS;
  const first = Math.floor(random() * days);
  const last = random() < 0.15 ? Math.min(days - 1, first + Math.ceil(random() * 9)) : first;
  const day = (offset: number): string => `${isoDay(startOf(month) + offset * DAY_MS)}T00:00:00`;
  const best = isCandidate ? deaths + 1 : deaths;
  return {
    id: month * 1_000 + index,
    relid: `SIM-${month}-${index}`,
    year: Math.floor(month / 12),
    type_of_violence: 1 + (index % 3),
    conflict_name: `${place.name}: Government`,
    // UCDP writes a placeholder for a side that it has not identified yet.
    side_a: isCandidate && index % 40 === 7 ? `XXX${700 + index}` : sides[0],
    side_b: sides[1],
    source_original: index % 4 === 0 ? "" : 'police, local officials ("sources")',
    where_prec: 2,
    adm_1: `Division ${division}`,
    latitude,
    longitude,
    country: place.name,
    date_prec: last > first ? 2 : 1,
    date_start: day(first),
    date_end: day(last),
    low: deaths,
    best,
    high: best + Math.floor(random() * 5),
  };
}

function text(status: number, body: string): SimulatedAnswer {
  return { status, contentType: "text/plain; charset=utf-8", body };
}
