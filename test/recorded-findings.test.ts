import { describe, expect, test } from "vitest";
import { findingsIn } from "../src/commands/doctor/source-check.js";
import { plannedQuestions } from "../src/commands/doctor/source-questions.js";
import { settingReader } from "../src/contract/setting.js";
import { readRows } from "../src/ingest/read-rows.js";
import { loadServices } from "../src/services/registry.js";
import { firstRequest } from "./support/reading.js";
import { recordedBytes, recordedTitle, recordingsAbsent } from "./support/recordings.js";

/** Recordings with enough rows for the checks, and the findings that are expected for each. */
const recordings: readonly (readonly [source: string, file: string, expectedFindings: readonly string[]])[] = [
  ["adsb-lol", "adsb-lol/v2_lat_lon_dist.json", []],
  ["opensky", "opensky/states_all.json", []],
  ["noaa-co2-daily", "round2/noaa-gml/co2_daily_mlo.2026-01-03.txt", []],
  ["noaa-co2-monthly", "noaa-gml/co2_mm_mlo.txt", []],
  ["noaa-ch4-monthly", "noaa-gml/ch4_mm_gl.txt", []],
  ["nsidc-extent-daily", "nsidc-sea-ice/N_seaice_extent_daily_v4.0.csv", []],
  // The source requests only open events, so no row has the optional field `closed`.
  ["nasa-eonet", "round2/nasa-eonet/v3_events_open.2025-11.json", ["no row has closed"]],
  ["gdacs", "gdacs/rss.xml", []],
  ["treasury-yields", "us-treasury/daily_treasury_yield_curve-202608-3entries.xml", []],
  ["acled", "round2/acled/acled-read-oauth-era-10rows.json", []],
];

const { sources, datasets, operations } = await loadServices();
const now = Date.UTC(2026, 10, 22);
const settingOf = settingReader({});
const questions = plannedQuestions({ datasets, operations, now, settingOf });

describe.skipIf(recordingsAbsent)(recordedTitle, () => {
  test.each(recordings)(
    "the source %s reads %s with no findings other than the expected ones",
    (id, file, expectedFindings) => {
      const source = sources.find((candidate) => candidate.id === id);
      const question = questions.find((candidate) => candidate.source === source);
      if (!source) throw new Error(`there is no source ${id}`);
      const request = firstRequest(source, question?.plan);
      const reading = readRows(source, request, recordedBytes(file), undefined, now);
      expect(reading.rowsRead).toBeGreaterThan(2);
      expect(findingsIn([reading])).toEqual(expectedFindings);
    },
  );
});
