import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { failureOf, firstRequest, readBody, requestsOf } from "../../../../test/support/reading.js";
import { recorded, recordedTitle, recordingsAbsent } from "../../../../test/support/recordings.js";
import type { AnySource } from "../../../contract/source.js";
import { manualClock } from "../../../kit/manual-clock.js";
import { type Simulator, startSimulator } from "../../../simulator/simulator.js";
import { gleifLeiRecords, type LeiRecord, leiRecords } from "./gleif.js";
import { type SecFiler, secFiler, secFilers } from "./sec-filers.js";

const lei = "VIGILSIMLEI000000734";
const entity = (values: object = {}) => ({
  attributes: {
    lei,
    entity: {
      legalName: { name: "Vigil Inc.", language: "en" },
      otherNames: [{ name: "Old Vigil", type: "PREVIOUS_LEGAL_NAME" }, { name: "Vigil Inc." }],
      transliteratedOtherNames: [{ name: "Bigiru" }],
      legalAddress: { country: "US", region: null },
      headquartersAddress: { country: "IE" },
      status: "ACTIVE",
      ...values,
    },
    registration: { status: "ISSUED", lastUpdateDate: "2026-03-03T16:34:33Z" },
  },
});
const byName = firstRequest(gleifLeiRecords, { legalName: "Vigil & Sons" });
const readEntities = (...data: readonly object[]) => readBody(gleifLeiRecords, byName, { data });

describe("the register of legal entities", () => {
  test("an entity is read with all its names and both countries", () => {
    expect(readEntities(entity()).records).toEqual([
      {
        lei,
        legalName: "Vigil Inc.",
        otherNames: ["Old Vigil", "Bigiru"],
        legalAddressCountry: "US",
        headquartersCountry: "IE",
        entityStatus: "ACTIVE",
        registrationStatus: "ISSUED",
        updatedAt: Date.UTC(2026, 2, 3, 16, 34, 33),
      },
    ]);
  });

  test("a country or status that is null in the register is absent from the record", () => {
    const bare = entity({ otherNames: null, legalAddress: null, headquartersAddress: { country: null }, status: null });
    const { records, rowsBad } = readEntities(bare);
    expect(rowsBad).toBe(0);
    expect(Object.keys(records[0] as object)).toEqual([
      "lei",
      "legalName",
      "otherNames",
      "registrationStatus",
      "updatedAt",
    ]);
  });

  test.each([
    ["no name", entity({ legalName: null })],
    ["an identifier that is too short", { attributes: { ...entity().attributes, lei: "X" } }],
    [
      "a time that cannot be parsed",
      { attributes: { ...entity().attributes, registration: { status: "ISSUED", lastUpdateDate: "lately" } } },
    ],
  ])("an entity with %s is skipped", (_name, broken) => {
    expect(readEntities(entity(), broken)).toMatchObject({ rowsRead: 2, rowsBad: 1 });
  });

  test("no match is a valid answer, and a document without a list is reported as changed", () => {
    expect(readEntities()).toMatchObject({ records: [], rowsRead: 0 });
    expect(failureOf(() => readBody(gleifLeiRecords, byName, { data: entity() })).kind).toBe("changed");
  });

  test("identifiers are requested in groups of at most 50, a second apart", () => {
    const leis = Array.from({ length: 120 }, (_, index) => `VIGILSIMLEI0${String(index).padStart(6, "0")}00`);
    const requests = requestsOf(gleifLeiRecords, leiRecords.plan({ leis }));
    const requested = requests.map(({ url }) => new URL(url).searchParams.get("filter[lei]")?.split(","));
    expect(requested.map((list) => list?.length)).toEqual([50, 50, 20]);
    expect(requested.flat()).toEqual(leis);
    expect(requests[0]).toMatchObject({ spacingMs: 1_000 });
    expect(new URL(byName.url).searchParams.get("filter[entity.legalName]")).toBe("Vigil & Sons");
  });

  test("equal queries have equal plans, and a query without a valid identifier or name has none", () => {
    expect(leiRecords.plan({ leis: [lei.toLowerCase(), "X", ` ${lei}`] })).toEqual({ leis: [lei] });
    expect(leiRecords.plan({ leis: ["X"] })).toBeUndefined();
    expect(leiRecords.plan({ legalName: " " })).toBeUndefined();
    expect(leiRecords.plan({ legalName: " Vigil " })).toEqual({ legalName: "Vigil" });
  });
});

describe("filers of the SEC", () => {
  const request = firstRequest(secFilers, { cik: "0001900001" });
  const filer = {
    cik: "1900001",
    name: "Vigil Inc.",
    tickers: ["vgl", "VGL"],
    formerNames: [{ name: "OLD VIGIL", to: "" }],
  };

  test("a filer is read with its ten-digit CIK, its tickers and its former names", () => {
    expect(readBody(secFilers, request, filer).records).toEqual([
      { cik: "0001900001", name: "Vigil Inc.", tickers: ["VGL"], formerNames: ["OLD VIGIL"] },
    ]);
    expect(request).toMatchObject({
      url: "https://data.sec.gov/submissions/CIK0001900001.json",
      spacedWith: "sec.gov",
    });
  });

  test("a filer is requested by a CIK with or without leading zeros, and by no other text", () => {
    expect(secFiler.plan({ cik: "1900001" })).toEqual({ cik: "0001900001" });
    expect(secFiler.plan({ cik: "0001900001" })).toEqual({ cik: "0001900001" });
    expect(secFiler.plan({ cik: "00001900001" })).toBeUndefined();
    expect(secFiler.plan({ cik: "CIK1900001" })).toBeUndefined();
  });

  test.each([
    ["a name", { ...filer, name: "" }],
    ["the member formerNames", { ...filer, formerNames: undefined }],
  ])("a filer without %s is reported as changed", (_name, document) => {
    expect(failureOf(() => readBody(secFilers, request, document)).kind).toBe("changed");
  });
});

describe("simulated registers", () => {
  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await startSimulator({ clock: manualClock(Date.UTC(2026, 10, 18, 12)), seed: 1 });
  });
  afterAll(() => simulator.close());
  async function read<T>(source: AnySource, plan: unknown): Promise<readonly T[]> {
    const request = firstRequest(source, plan);
    const answer = await fetch(request.url.replace(/^https:\//, simulator.baseUrl));
    return readBody(source, request, await answer.text()).records as readonly T[];
  }

  test("the simulated registers return a company by its name, its LEI and its CIK", async () => {
    const [filer] = await read<SecFiler>(secFilers, { cik: "0001900008" });
    expect(filer).toMatchObject({ cik: "0001900008", tickers: ["VAAB"], formerNames: [`FORMERLY ${filer?.name}`] });
    const named = await read<LeiRecord>(gleifLeiRecords, { legalName: filer?.name });
    expect(named).toMatchObject([{ legalName: filer?.name, registrationStatus: "ISSUED" }]);
    const leis = named.map((record) => record.lei);
    expect(await read(gleifLeiRecords, { leis })).toEqual(named);
    expect(await read(gleifLeiRecords, { leis: [lei.replace(/\d\d$/, "00")] })).toEqual([]);
  });
});

describe.skipIf(recordingsAbsent)(recordedTitle, () => {
  test("the recorded entity is read with the values in its document", () => {
    const { data } = JSON.parse(recorded("gleif/lei-record-apple.json")) as { readonly data: object };
    const { records, rowsBad } = readEntities(data);
    expect(rowsBad).toBe(0);
    expect(records).toEqual([
      {
        lei: "HWUPKR0MPOU8FGXBT394",
        legalName: "Apple Inc.",
        otherNames: ["Apple Computer, Inc."],
        legalAddressCountry: "US",
        headquartersCountry: "US",
        entityStatus: "ACTIVE",
        registrationStatus: "ISSUED",
        updatedAt: Date.parse("2026-03-03T16:34:33Z"),
      },
    ]);
  });

  test.each([
    ["company_submission-TSLA.json", "0001318605", "Tesla, Inc.", ["TSLA"], ["TESLA MOTORS INC"]],
    ["submissions-CIK0001771340.json", "0001771340", "Taneja Vaibhav", [], []],
  ])("%s is read with its names and tickers", (file, cik, name, tickers, formerNames) => {
    const { records, rowsBad } = readBody(secFilers, firstRequest(secFilers, { cik }), recorded(`sec-edgar/${file}`));
    expect(records).toEqual([{ cik, name, tickers, formerNames }]);
    expect(rowsBad).toBe(0);
  });

  test.each(["submissions-CIK0001718179.json", "submissions-CIK0001830056.json"])(
    "%s is read with its name",
    (file) => {
      const body = recorded(`sec-edgar/${file}`);
      const { cik, name } = JSON.parse(body) as { readonly cik: string; readonly name: string };
      const { records } = readBody(secFilers, firstRequest(secFilers, { cik }), body);
      expect(records).toMatchObject([{ cik: `0000000000${cik}`.slice(-10), name }]);
    },
  );
});
