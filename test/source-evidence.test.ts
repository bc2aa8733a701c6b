import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { evidenceFinding } from "../src/commands/source-evidence.js";
import { loadServices } from "../src/services/registry.js";
import { recordingsAbsent } from "./support/recordings.js";
import { json, type Stack, startStack } from "./support/stack.js";

const { sources } = await loadServices();
const recordings = resolve(import.meta.dirname, "../../shared/upstream");

/** A real payload of each source that declares `recorded`, in the folder of recordings. */
const payloads: Readonly<Record<string, string>> = {
  "adsb-lol": "adsb-lol/v2_lat_lon_dist.json",
  "faa-nas-status": "faa-nas-status/airport-status-information.2026-07-29.xml",
  "icao-notams": "round2/icao-notams/notams-realtime-list.2-records.json",
  "youtube-oembed": "youtube-oembed/oembed_200.json",
  opensky: "opensky/states_all.json",
  "travelpayouts-calendar": "travelpayouts/calendar.json",
  "travelpayouts-month": "travelpayouts/month_matrix.json",
  "travelpayouts-latest": "travelpayouts/latest_prices.json",
  aviationstack: "aviationstack/flights.one-row.json",
  "aviationstack-departures": "aviationstack/flights.one-row.json",
  "treasury-yields": "us-treasury/daily_treasury_yield_curve-202608-3entries.xml",
  "fred-api": "fred/api-series-observations-4series.json",
  "fred-graph": "fred/fredgraph-CPIUFDSL.csv",
  acled: "round2/acled/acled-read-oauth-era-10rows.json",
  "ucdp-annual": "ucdp/ged191-subset.zip",
  "ucdp-candidate": "round2/ucdp/GEDEvent_v26_0_8.2-rows.csv",
  "hdx-hapi-conflict-csv": "hdx-hapi/hdx_hapi_conflict_event_global_1997.csv",
  "gdelt-events": "round2/gdelt/20260920150000.export.4-rows.CSV",
  "news-feeds": "news/guardian-rss20.xml",
  "nasa-eonet": "round2/nasa-eonet/v3_events_open.2025-11.json",
  "nsidc-extent-daily": "nsidc-sea-ice/N_seaice_extent_daily_v4.0.csv",
  "noaa-co2-daily": "round2/noaa-gml/co2_daily_mlo.2026-01-03.txt",
  "noaa-co2-monthly": "noaa-gml/co2_mm_mlo.txt",
  "noaa-co2-annual": "round2/noaa-gml/co2_annmean_gl.2025-09-05.txt",
  "noaa-co2-growth": "noaa-gml/co2_gr_mlo.txt",
  "noaa-ch4-monthly": "noaa-gml/ch4_mm_gl.txt",
  "noaa-n2o-monthly": "noaa-gml/n2o_mm_gl.txt",
  gdacs: "round2/gdacs/rss.2026-07-08.five-items.xml",
  openaq: "openaq-v3/list_parameter_latest_2.json",
};

const recorded = sources.filter(({ seen }) => seen === "recorded").map(({ id }) => id);

test("every source that declares a recorded payload is listed with that payload, and no other source is", () => {
  expect(Object.keys(payloads).sort()).toEqual(recorded.toSorted());
});

test.skipIf(recordingsAbsent)("every listed payload exists (skipped without ../shared/upstream)", () => {
  expect(Object.values(payloads).filter((file) => !existsSync(resolve(recordings, file)))).toEqual([]);
});

describe("docs/datasets.md", () => {
  const page = readFileSync(resolve(import.meta.dirname, "../docs/datasets.md"), "utf8");
  const rows = page.split("\n").filter((line) => line.startsWith("| ["));

  test.each(sources.map((source) => [source.id, source] as const))("says what was seen of %s", (_id, source) => {
    const row = rows.find((line) => line.startsWith(`| [${source.title}](${source.home}) |`));
    const expected = source.unseen === undefined ? source.seen : `${source.seen}, except ${source.unseen}`;
    expect(row?.split(" | ")).toContain(expected);
  });
});

describe("the dataset cards", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack();
  });
  afterAll(() => stack.close());

  test("say of each source whether a real payload was seen", async () => {
    const { datasets } = json(await stack.get("/api/datasets")) as {
      readonly datasets: readonly { readonly sources: readonly { readonly id: string; readonly seen: unknown }[] }[];
    };
    const shown = datasets.flatMap((card) => card.sources);
    expect(shown.length).toBeGreaterThan(30);
    for (const { id, seen } of shown) expect(`${id} ${seen}`).toMatch(/ (?:recorded|described)$/);
  });
});

describe("the finding of vigil doctor", () => {
  test("counts the sources and names those that were never run on a real payload", () => {
    const [first, second] = sources.filter(({ seen }) => seen === "described");
    const [seen] = sources.filter(({ seen }) => seen === "recorded");
    if (!first || !second || !seen) throw new Error("expected sources of both kinds");
    expect(evidenceFinding([seen, first, second])).toEqual({
      state: "ok",
      what: "payloads",
      says: `1 of 3 decoders ran on a real payload; 2 follow the documentation only: ${first.id}, ${second.id}. vigil doctor --sources tries them`,
    });
  });

  test("names none when every decoder ran on a real payload", () => {
    const seen = sources.filter((source) => source.seen === "recorded");
    expect(evidenceFinding(seen).says).toBe(`${seen.length} of ${seen.length} decoders ran on a real payload`);
  });
});
