import { keyTrouble } from "../../../simulator/demo-key.js";
import { isoDay } from "../../../simulator/models/days.js";
import { places } from "../../../simulator/models/places.js";
import { streamFor } from "../../../simulator/models/random-stream.js";
import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";

const DOWNLOAD = "https://data.humdata.org/dataset/simulated/resource/simulated/download/";

/** HDX's conflict figures by month: the paged API, the yearly CSV files, and the index of these files. */
export const upstream = simulatedUpstream({
  name: "hdx-hapi",
  credentials: { HDX_HAPI_APP_IDENTIFIER: "ZGVtby12aWdpbDpkZW1vQGV4YW1wbGUub3Jn" },
  routes: [
    {
      host: "hapi.humdata.org",
      path: "/api/v2/coordination-context/conflict-events",
      handle: answerRows,
      variants: {
        changed: (json) => json.replace('"data":', '"rows":'),
        empty: (json) => json.replace(/"data":\[.*\]/s, '"data":[]'),
        badRow: (json) => rewriteMiddle(json, /"events":\d+/g, () => '"events":"many"'),
      },
    },
    {
      host: "data.humdata.org",
      path: "/api/3/action/package_show",
      handle: answerPackage,
      variants: {
        changed: (json) => json.replace('"resources":', '"files":'),
        empty: (json) => json.replace(/"resources":\[.*\]/s, '"resources":[]}'),
        badRow: (json) => json.replace('"success":true', '"success":"abc"'),
      },
    },
    {
      host: "data.humdata.org",
      path: "/dataset/*",
      handle: answerFile,
      variants: {
        changed: (csv) => csv.replace("location_code", "country"),
        empty: (csv) => csv.slice(0, csv.indexOf("\n") + 1),
        badRow: (csv) => rewriteMiddle(csv, /\d{4}-\d{2}-\d{2},\d{4}/g, () => "2019-13-45,2019"),
      },
    },
  ],
});

/** Countries with a response plan, for which HDX publishes figures of administrative divisions but no total. */
const divided: ReadonlySet<string> = new Set(["COD", "MLI", "NGA", "SDN", "SOM"]);
/** A country for which HDX publishes both the figures of the divisions and a total. */
const DIVIDED_TWICE = "ETH";
const DIVISIONS = 12;
const COUNTRIES = 60;
const kinds = ["civilian_targeting", "demonstration", "political_violence"] as const;

interface MonthRow {
  readonly location_code: string;
  readonly location_name: string;
  readonly admin2_name: string | null;
  readonly admin_level: number;
  readonly event_type: string;
  readonly events: number;
  readonly fatalities: number | null;
  readonly reference_period_start: string;
  readonly reference_period_end: string;
}

/** Returns the published months since `from`. A month is published on the tenth of the following month. */
function publishedMonths(from: number, now: number): readonly number[] {
  const months: number[] = [];
  for (let at = new Date(from); ; at = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1))) {
    if (Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 10) > now) return months;
    months.push(at.getTime());
  }
}

function rowsOf(seed: number, months: readonly number[]): readonly MonthRow[] {
  return months.flatMap((month) =>
    places.slice(-COUNTRIES).flatMap((place) => {
      const levels = divided.has(place.alpha3) ? [2] : place.alpha3 === DIVIDED_TWICE ? [0, 2] : [0];
      return levels.flatMap((level) => rowsOfCountry(seed, month, place, level));
    }),
  );
}

function rowsOfCountry(seed: number, month: number, place: (typeof places)[number], level: number): MonthRow[] {
  const end = new Date(month);
  const lastDay = Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0);
  return Array.from({ length: level === 0 ? 1 : DIVISIONS }, (_, division) => division).flatMap((division) => {
    const counts = countsOf(seed, `hapi ${month} ${place.alpha3} ${level} ${division}`);
    return kinds.map((kind) => ({
      location_code: place.alpha3,
      location_name: place.name,
      admin_level: level,
      event_type: kind,
      admin2_name: level === 0 ? null : `District ${division + 1}`,
      ...counts[kind],
      reference_period_start: isoDay(month),
      reference_period_end: isoDay(lastDay),
    }));
  });
}

type Counts = Pick<MonthRow, "events" | "fatalities">;

/**
 * Returns the counts of each kind. Civilian targeting is part of political violence, as in the real figures. Deaths at
 * demonstrations are not counted.
 */
function countsOf(seed: number, name: string): Readonly<Record<(typeof kinds)[number], Counts>> {
  const random = streamFor(seed, name);
  const violent = Math.floor(40 * random() ** 2);
  const deaths = Math.floor(violent * 2 * random());
  const part = random();
  return {
    civilian_targeting: { events: Math.floor(violent * part), fatalities: Math.floor(deaths * part) },
    demonstration: { events: Math.floor(40 * random() ** 2), fatalities: null },
    political_violence: { events: violent, fatalities: deaths },
  };
}

function answerRows({ url, headers, clock, seed }: SimulatedRequest): SimulatedAnswer {
  const trouble = keyTrouble(String(headers["x-hdx-hapi-app-identifier"] ?? ""));
  if (trouble === "wrong") return json(403, { error: "Invalid app identifier" });
  if (trouble === "spent") return json(429, { error: "Simulated: too many requests" });
  const query = url.searchParams;
  const from = Date.parse(query.get("start_date") ?? "2026-01-01");
  const [offset, limit] = [Number(query.get("offset") ?? 0), Number(query.get("limit") ?? 10_000)];
  const data = rowsOf(seed, publishedMonths(from, clock.now())).map((row) => ({
    ...row,
    reference_period_start: `${row.reference_period_start}T00:00:00`,
    reference_period_end: `${row.reference_period_end}T23:59:59`,
  }));
  return json(200, { data: data.slice(offset, offset + limit) });
}

const fileOf = (year: number): string => `hdx_hapi_conflict_event_global_${year}.csv`;

function answerPackage({ clock }: SimulatedRequest): SimulatedAnswer {
  const year = new Date(clock.now()).getUTCFullYear();
  const resources = [year - 2, year - 1, year].map((of) => ({ format: "CSV", url: DOWNLOAD + fileOf(of) }));
  return json(200, { success: true, result: { name: "hdx-hapi-conflict-event", resources } });
}

const columns = [
  "location_code",
  "has_hrp",
  "in_gho",
  "provider_admin1_name",
  "provider_admin2_name",
  "admin1_code",
  "admin1_name",
  "admin2_code",
  "admin2_name",
  "admin_level",
  "event_type",
  "events",
  "fatalities",
  "reference_period_start",
  "reference_period_end",
  "dataset_hdx_id",
  "resource_hdx_id",
  "warning",
  "error",
];

function answerFile({ url, clock, seed }: SimulatedRequest): SimulatedAnswer {
  const year = Number(/_(\d{4})\.csv$/.exec(url.pathname)?.[1] ?? Number.NaN);
  const months = publishedMonths(Date.UTC(year, 0), clock.now()).filter((at) => new Date(at).getUTCFullYear() === year);
  const lines = rowsOf(seed, months).map((row) => {
    const cells: Readonly<Record<string, unknown>> = { ...row, has_hrp: "N", in_gho: "N" };
    return columns.map((column) => cells[column] ?? "").join(",");
  });
  const body = `\ufeff${[columns.join(","), ...lines].join("\n")}\n`;
  return { status: 200, contentType: "text/csv", body, etag: true };
}

function json(status: number, value: object): SimulatedAnswer {
  return { status, contentType: "application/json", body: JSON.stringify(value) };
}
