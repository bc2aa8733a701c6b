import { parse } from "csv-parse/sync";
import { afterEach, describe, expect, test } from "vitest";
import { settingReader } from "../src/contract/setting.js";
import type { AnySource } from "../src/contract/source.js";
import { bodyStore } from "../src/database/bodies.js";
import { manualClock } from "../src/kit/manual-clock.js";
import { gdacs } from "../src/services/climate/sources/events/gdacs.js";
import {
  co2Growth,
  co2Monthly,
  methaneMonthly,
  nitrousOxideMonthly,
} from "../src/services/climate/sources/greenhouse-gases.js";
import { iceExtentDaily, iceMedians } from "../src/services/climate/sources/nsidc.js";
import { gedAnnualFile } from "../src/services/conflict/sources/ucdp-files.js";
import { unhcrPopulation } from "../src/services/displacement/sources/unhcr.js";
import { eonetEvents } from "../src/services/natural/sources/eonet-events.js";
import { gdacsEvents } from "../src/services/natural/sources/gdacs-events.js";
import { loadServices } from "../src/services/registry.js";
import { unList } from "../src/services/sanctions/sources/un-list.js";
import { usgsEarthquakes } from "../src/services/seismology/sources/usgs-earthquakes.js";
import type { PartRecords } from "../src/snapshots/bodies/body.js";
import { snapshotStore } from "../src/snapshots/store.js";
import { verifyStore } from "../src/snapshots/verify-store.js";
import { derivedValues } from "../src/verify/derived-values.js";
import { firstRequest, readBody } from "./support/reading.js";
import { recorded, recordedBytes, recordedTitle, recordingsAbsent } from "./support/recordings.js";
import { finishedRun, type OpenStore, openSqliteStore } from "./support/stores.js";

const read = (source: AnySource, body: string | Buffer | object, plan: object = {}): readonly unknown[] =>
  readBody(source, firstRequest(source, plan), body).records;

/** Converts the rows of a year of the published CSV to items of the API. The header of the CSV is on line 15. */
function displacedIn(year: string): readonly object[] {
  const table: string[][] = parse(recorded("unhcr/population.csv").split("\n").slice(14).join("\n"));
  return table
    .filter(([first]) => first === year)
    .map(([, origin, originIso, asylum, asylumIso, refugees, seekers, idps, , stateless]) => ({
      year: Number(year),
      coo_name: origin,
      coo_iso: originIso || "-",
      coa_name: asylum,
      coa_iso: asylumIso || "-",
      refugees,
      asylum_seekers: seekers,
      idps,
      stateless,
    }));
}

const NSIDC = "nsidc-sea-ice/N_seaice_extent";

/** For each dataset, its recorded rows by part, and a time for which answers are computed from them. */
const cases: Readonly<Record<string, () => { readonly at: number; readonly records: PartRecords }>> = {
  displacement: () => ({
    at: Date.UTC(2024, 5),
    records: { population: read(unhcrPopulation, { items: displacedIn("2023"), maxPages: 1 }, { year: 2023 }) },
  }),
  "co2-monitoring": () => {
    const monthly = read(co2Monthly, recorded("noaa-gml/co2_mm_mlo.txt"));
    return {
      at: Date.UTC(2026, 6),
      records: {
        daily: monthly,
        monthly,
        annual: read(co2Growth, recorded("noaa-gml/co2_gr_mlo.txt")),
        methane: read(methaneMonthly, recorded("noaa-gml/ch4_mm_gl.txt")),
        nitrousOxide: read(nitrousOxideMonthly, recorded("noaa-gml/n2o_mm_gl.txt")),
      },
    };
  },
  "ocean-ice": () => ({
    at: Date.UTC(2026, 6),
    records: {
      extent: read(iceExtentDaily, recordedBytes(`${NSIDC}_daily_v4.0.csv`)),
      median: read(iceMedians, recordedBytes(`${NSIDC}_climatology_1981-2010_v3.0.csv`)),
      seaLevel: [],
      heat: [],
      temperature: [],
    },
  }),
  "climate-disasters": () => ({
    at: Date.UTC(2026, 6),
    records: { gdacs: read(gdacs, recordedBytes("gdacs/rss.xml")), reliefweb: [], nhc: [], eonet: [] },
  }),
  "natural-events": () => ({
    at: Date.UTC(2025, 10, 9),
    records: {
      nhc: [],
      gdacs: read(gdacsEvents, recorded("groups-hazards/gdacs-geteventlist/search.2026-09-30.subset4.json")),
      eonet: read(eonetEvents, recorded("groups-hazards/nasa-eonet/v3_events_open.2025-11-08.first200.json")),
      hko: [],
    },
  }),
  "beta-events": () => ({
    at: Date.UTC(2018, 4),
    records: {
      annual: read(gedAnnualFile, recordedBytes("ucdp/ged191-subset.zip"), { now: Date.UTC(2018, 4) }),
      candidate: [],
    },
  }),
  "sanctions-lists": () => ({
    at: Date.UTC(2026, 6),
    records: {
      sdn: [],
      consolidated: [],
      sema: [],
      un: read(unList, recorded("un-sanctions/UN_consolidated.xml"), { stored: [] }),
    },
  }),
  earthquakes: () => ({
    at: Date.UTC(2026, 6),
    records: { usgs: read(usgsEarthquakes, recordedBytes("usgs-earthquakes/earthquakes.json")), nrcan: [] },
  }),
};

describe.skipIf(recordingsAbsent)(recordedTitle, () => {
  let opened: OpenStore | undefined;
  afterEach(() => opened?.dispose());

  test.each(Object.keys(cases))("every value derived from the recorded rows of %s can be recomputed", async (name) => {
    opened = await openSqliteStore();
    const { database, dataDir } = opened;
    const { allDatasets: datasets, operations } = await loadServices();
    const dataset = datasets.find((own) => own.name === name);
    const recording = cases[name]?.();
    if (!dataset || !recording) throw new Error(`no dataset ${name}`);
    const { at, records } = recording;
    expect(Object.values(records).flat().length).toBeGreaterThan(3);
    const store = snapshotStore(database, bodyStore(database, dataDir, manualClock(at)));
    // The cast is safe, because the records have the parts of the dataset.
    const newestAt = dataset.newestAt(records as never);
    await store.publish(name, { records, newestAt, provenance: {} }, finishedRun(name, at), at);
    const checks = derivedValues({ datasets, operations, settingOf: settingReader({}), db: database.db, store });
    const { faults } = await verifyStore(database, store, { checks });
    expect(faults).toEqual([]);
    expect(checks.report().derivedValues).toBeGreaterThan(3);
  });
});
