import { DAY_MS } from "../../kit/clock.js";
import { isoDay } from "../models/days.js";
import { streamFor } from "../models/random-stream.js";
import { incidentFrom } from "../models/violence.js";
import { rewriteMiddle, type SimulatedAnswer, type SimulatedRequest, simulatedUpstream } from "../upstream.js";

const TOKEN = "demo-ucdp-token";

/** UCDP's Georeferenced Event Dataset: annual releases from mid-June, candidate ones in the middle of the next month. */
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
  ],
});

const EVENTS_A_MONTH = 210;
const FIRST_YEAR = 2020;

/** A month counted from the year 0. */
const monthAt = (year: number, month: number): number => year * 12 + month - 1;
const startOf = (month: number): number => Date.UTC(Math.floor(month / 12), month % 12);

function answerEvents({ url, headers, clock, seed }: SimulatedRequest): SimulatedAnswer {
  const token = headers["x-ucdp-access-token"];
  if (token !== undefined && token !== TOKEN) return text(401, "Invalid access token");
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
    ...{ PreviousPageUrl: "", NextPageUrl: "" },
    Result: events.slice(page * size, (page + 1) * size),
  };
  return { status: 200, contentType: "application/json; charset=utf-8", body: JSON.stringify(answer) };
}

/** The months of a release, or undefined before it is out. */
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

/** Some events last for days, some have no known deaths; candidate figures are preliminary. */
function eventOf(seed: number, month: number, index: number, isCandidate: boolean) {
  const random = streamFor(seed, `ucdp ${month} ${index}`);
  const { place, division, latitude, longitude, sides, deaths } = incidentFrom(random);
  const days = (startOf(month + 1) - startOf(month)) / DAY_MS;
  const first = Math.floor(random() * days);
  const last = random() < 0.15 ? Math.min(days - 1, first + Math.ceil(random() * 9)) : first;
  const day = (offset: number): string => `${isoDay(startOf(month) + offset * DAY_MS)}T00:00:00`;
  const best = isCandidate ? deaths + 1 : deaths;
  return {
    ...{ id: month * 1_000 + index, relid: `SIM-${month}-${index}`, year: Math.floor(month / 12) },
    ...{
      type_of_violence: 1 + (index % 3),
      conflict_name: `${place.name}: Government`,
      side_a: sides[0],
      side_b: sides[1],
    },
    ...{ source_original: index % 4 === 0 ? "" : "police, local officials", where_prec: 2 },
    ...{ adm_1: `Division ${division}`, latitude, longitude, country: place.name, date_prec: last > first ? 2 : 1 },
    ...{ date_start: day(first), date_end: day(last), low: deaths, best, high: best + Math.floor(random() * 5) },
  };
}

function text(status: number, body: string): SimulatedAnswer {
  return { status, contentType: "text/plain; charset=utf-8", body };
}
