import { describe, expect, test } from "vitest";
import { failureOf, firstRequest, readBody, servedOf, whileAbsent } from "../../../../test/support/reading.js";
import { SourceFailure } from "../../../contract/source.js";
import { insteadOf } from "../../../ingest/requests.js";
import { icaoNotams } from "./icao-notams.js";

const places = ["HSSS", "EGLL"].map((icao) => ({ icao }));
const request = firstRequest(icaoNotams, { airports: places }, { ICAO_API_KEY: "secret" });

/** Builds a record with a Q code that ICAO has decoded. */
const decoded = (changes: object = {}): object => ({
  id: "A1/26",
  location: "HSSS",
  Qcode: "FALC",
  entity: "FA",
  status: "LC",
  message: "AD CLSD",
  startdate: "2026-11-20T06:00:00.000Z",
  enddate: "2026-11-25T18:30:00.000Z",
  ...changes,
});

const itemsOf = (changes: Partial<Record<"Q" | "A" | "B" | "C" | "D" | "E", string>> = {}): string => {
  const items = { Q: "HSSS/QFALC/IV/NBO/A/000/999/1535N03233E005", A: "HSSS", B: "2611200600", C: "2611251830" };
  const { Q, A, B, C, D = "", E = "AD CLSD" } = { ...items, ...changes };
  const hours = D === "" ? "" : `\nD) ${D}`;
  return `A0001/26 NOTAMN \nQ) ${Q}\nA) ${A} B) ${B} C) ${C}${hours}\nE) ${E}\nF) SFC\nG) UNL\nCREATED: 19 Nov 2026 10:36:00 \nSOURCE: HSSSYNYX`;
};

/** Builds a record that has only the text of the NOTAM and no decoded members. */
const raw = (items: Parameters<typeof itemsOf>[0] = {}): object => ({
  id: "A1/26",
  location: "HSSS",
  all: itemsOf(items),
  type: "airport",
  StateCode: "SDN",
});

const domestic = (text: string): object => ({
  id: "!EWR 01/136",
  location: "HSSS",
  all: `${text}\nCREATED: 16 Jan 2024 07:16:00 \nSOURCE: EWR`,
});

const read = (body: unknown) => {
  const reading = readBody(icaoNotams, request, body as object);
  return { ...reading, notices: servedOf(icaoNotams, [[request, reading]]) };
};

const [startsAt, endsAt] = [Date.UTC(2026, 10, 20, 6), Date.UTC(2026, 10, 25, 18, 30)];

describe("the request", () => {
  test("one request covers all places; if the documented path is gone, the newer path is requested", () => {
    const query = "?format=json&locations=HSSS,EGLL";
    expect(request).toMatchObject({
      url: `https://dataservices.icao.int/api/notams-realtime-list${query}`,
      secretQuery: { api_key: "secret" },
    });
    expect(whileAbsent(request).map(({ url }) => url)).toEqual([
      request.url,
      `https://dataservices.icao.int/api/realtime-notams${query}`,
    ]);
    expect(insteadOf(request, new SourceFailure("unavailable", "answered 500", { status: 500 }))).toBeUndefined();
  });
});

describe("records", () => {
  test.each([
    ["with its code decoded", decoded()],
    ["with subject and condition in members of their own", decoded({ Qcode: "" })],
    ["with only its text", raw()],
    ["with a code that is unreadable in one place and readable in another", { ...decoded({ Qcode: "??" }), all: "" }],
  ])("a record %s yields the closure, its message and its time", (_name, record) => {
    expect(read([record]).notices).toEqual([{ iata: "KRT", kind: "closure", text: "AD CLSD", startsAt, endsAt }]);
  });

  test.each([
    ["a closure", "QFALC", "TXT", "closure"],
    ["a restriction", "QRART", "TXT", "restriction"],
    ["neither a closure nor a restriction", "QMXLC", "TWY A CLSD", "other"],
    ["plain language about a closure", "QXXXX", "AERODROME CLOSED", "closure"],
    ["plain language without a closure", "QXXXX", "NEW TELEPHONE", "other"],
    ["a closure to some aircraft only", "QFALC", "AD CLSD TO NON SKED ACFT", "other"],
  ])("a NOTAM that means %s has the same kind in both layouts", (_name, code, message, kind) => {
    const both = [decoded({ Qcode: code.slice(1), message }), raw({ Q: `HSSS/${code}/IV`, E: message })];
    expect(both.map((record) => read([record]).notices[0]?.kind)).toEqual([kind, kind]);
  });

  test.each([
    ["PERM", undefined],
    ["UFN", undefined],
    ["2611251830 EST", undefined],
    ["2611251830EST", undefined],
    ["2611251830", endsAt],
    ["", undefined],
    ["SOON", undefined],
  ])("a record with the end %j is open-ended unless the end is an exact time without EST", (C, expected) => {
    expect(read([raw({ C })]).notices[0]?.endsAt).toBe(expected);
  });

  test("the validity in a record's text takes precedence over the record's decoded members", () => {
    const record = { ...decoded({ enddate: "2026-12-01T00:00:00.000Z" }), all: itemsOf({ C: "PERM" }) };
    expect(read([record]).notices[0]).toEqual({ iata: "KRT", kind: "closure", text: "AD CLSD", startsAt });
  });

  test.each(["2026-11-20T06:00:00", "2026-11-20T06:00", "2026-11-20T14:00:00+08:00"])(
    "a decoded start of %s is in UTC, unless it has another offset",
    (startdate) => {
      const zone = process.env["TZ"];
      process.env["TZ"] = "America/New_York";
      try {
        expect(read([decoded({ startdate })]).notices[0]).toMatchObject({ startsAt });
      } finally {
        if (zone === undefined) delete process.env["TZ"];
        else process.env["TZ"] = zone;
      }
    },
  );

  test.each([null, "", "soon", 7, undefined])("a record with the decoded end %j is open-ended", (enddate) => {
    expect(read([decoded({ enddate })]).notices[0]).not.toHaveProperty("endsAt");
  });

  test("a notice has the hours of its record, and the message as one line of at most 200 characters", () => {
    const [notice] = read([raw({ D: "DLY 2200-0400", E: `AD\n  CLSD ${"x".repeat(300)}` })]).notices;
    expect(notice).toMatchObject({ hours: "DLY 2200-0400", text: `AD CLSD ${"x".repeat(192)}` });
  });

  test("a message whose lines begin with A) and B), as items do, is kept whole", () => {
    const [notice] = read([raw({ E: "AD CLSD:\nA) ALL RWY\nB) ALL TWY" })]).notices;
    expect(notice).toMatchObject({ text: "AD CLSD: A) ALL RWY B) ALL TWY", startsAt, endsAt });
  });

  test("item A) gives the place of a record without a location", () => {
    expect(read([{ ...raw(), location: null }]).notices).toHaveLength(1);
  });

  test.each([
    ["EGLL HSSS LFPG", undefined],
    ["HSSS", "EGLL, HSSS LFPG"],
  ])(
    "a record with item A) %j and the location %j yields a notice for each aerodrome that they name",
    (A, location) => {
      const { notices } = read([{ ...raw({ A }), location }]);
      expect(notices.map(({ iata, kind }) => [iata, kind])).toEqual([
        ["LHR", "closure"],
        ["KRT", "closure"],
        ["CDG", "closure"],
      ]);
    },
  );

  test("a record of a place that is not monitored is left out", () => {
    expect(read([decoded(), decoded({ location: "KADK" })]).notices).toHaveLength(1);
  });

  test.each(["A0002/26 NOTAMC A0001/26\nQ) HSSS/QFAXX/IV\nA) HSSS B) 2611200600\nE) AD OPEN", "SNOWTAM 0145 A)HSSS"])(
    "%j closes nothing: it is a cancellation or another kind of message",
    (all) => {
      expect(read([decoded(), { location: "HSSS", all }])).toMatchObject({ rowsBad: 0, notices: [{}] });
    },
  );

  test("a record in the FAA's domestic format is classified by its text and ends when its validity ends", () => {
    const closure = "!KRT 01/136 KRT AD AP CLSD 2611200600-2611251830";
    expect(read([domestic(closure)]).notices).toEqual([
      { iata: "KRT", kind: "closure", text: closure, startsAt, endsAt },
    ]);
    expect(read([domestic(`${closure}EST`)]).notices[0]).not.toHaveProperty("endsAt");
    expect(read([domestic("!KRT 01/136 KRT RWY 04/22 CLSD 2611200600-PERM")]).notices).toEqual([
      { iata: "KRT", kind: "other", startsAt },
    ]);
  });
});

describe("closures", () => {
  test.each([
    ["mentions a SNOWTAM", raw({ E: "AD CLSD DUE TO SNOW, SEE SNOWTAM 0145" })],
    [
      "mentions a SNOWTAM on its only line",
      { ...raw(), all: itemsOf({ E: "AD CLSD, SEE SNOWTAM 0145" }).replaceAll("\n", " ") },
    ],
    ["mentions a SNOWTAM in the domestic format", domestic("!KRT 01/136 KRT AD AP CLSD, SEE SNOWTAM 2611200600-PERM")],
    ["ends before it starts", raw({ B: "2611251830", C: "2611200600" })],
    ["has its place in lower case", { ...raw(), location: "hsss" }],
    ["has control characters in its text", raw({ Q: "HSSS", E: "AD\u0000CLSD" })],
    ["also limits the use of something else", raw({ E: "AD CLSD. RWY 09 CLSD TO JETS" })],
  ])("a record that closes the airport is still read as a closure if it %s", (_name, record) => {
    const { rowsBad, notices } = read([record]);
    expect([rowsBad, notices]).toEqual([0, [expect.objectContaining({ iata: "KRT", kind: "closure" })]]);
  });

  test("a record whose end is not after its start is in force until it is cancelled", () => {
    const [notice] = read([raw({ B: "2611251830", C: "2611200600" })]).notices;
    expect([notice?.startsAt, notice?.endsAt]).toEqual([undefined, undefined]);
  });
});

describe("unreadable records", () => {
  test.each([
    ["a Qcode of another form", decoded({ Qcode: "F-LC", entity: "", status: "", message: "SEE SUP 4" })],
    ["a missing Q) line", { location: "HSSS", all: "A1/26 NOTAMN\nA) HSSS B) 2611200600 C) PERM\nE) SEE SUP 4" }],
    ["a Q) line of another form", raw({ Q: "HSSS", E: "SEE SUP 4" })],
    ["a domestic text of another form", { location: "HSSS", all: "!!! SEE SUP 4" }],
  ])("a record with %s never makes its airport look open", (_name, record) => {
    expect(read([record]).notices).toMatchObject([{ iata: "KRT", kind: "unread" }]);
  });

  test("a record with an unreadable code is a closure if its text says so", () => {
    expect(read([raw({ Q: "HSSS", E: "AD CLSD" })]).notices[0]?.kind).toBe("closure");
  });

  test.each([
    ["members of another publisher's layout", { itema: "HSSS", iteme: "AD CLSD", code23: "FA", code45: "LC" }],
    ["a text of another form", { all: "Aerodrome closed until further notice" }],
    ["members of another type", { Qcode: 7, all: null }],
  ])("a record with %s is reported as a changed shape, even among readable records", (_name, members) => {
    expect(failureOf(() => read([decoded(), { location: "HSSS", ...members }, decoded()]))).toMatchObject({
      kind: "changed",
      message: expect.stringContaining("Qcode"),
    });
  });

  test("a record without a place is counted and skipped", () => {
    expect(read([decoded(), decoded({ location: "" }), decoded()])).toMatchObject({ rowsBad: 1, notices: [{}, {}] });
  });
});

test("a notice that is neither a closure nor a restriction is dropped if a notice of the same airport and kind covers its whole time", () => {
  const other = (location: string, from: number, to: number): object =>
    decoded({
      location,
      Qcode: "MXLC",
      message: "TWY",
      startdate: `2026-11-${from}T00:00:00Z`,
      enddate: `2026-11-${to}T00:00:00Z`,
    });
  const day = (of: number): number => Date.UTC(2026, 10, of);
  const records = [other("HSSS", 12, 14), other("HSSS", 10, 13), other("EGLL", 10, 20), other("HSSS", 11, 12)];
  expect(read([...records, decoded()]).notices).toEqual([
    { iata: "KRT", kind: "closure", text: "AD CLSD", startsAt, endsAt },
    { iata: "LHR", kind: "other", startsAt: day(10), endsAt: day(20) },
    { iata: "KRT", kind: "other", startsAt: day(10), endsAt: day(13) },
    { iata: "KRT", kind: "other", startsAt: day(12), endsAt: day(14) },
  ]);
});

test("a refusal sent instead of the list is a failure that names the key", () => {
  expect(failureOf(() => read({ message: "Limit Exceeded" }))).toMatchObject({
    kind: "changed",
    message: expect.stringContaining("ICAO_API_KEY"),
  });
});
