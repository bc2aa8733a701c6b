import { describe, expect, test } from "vitest";
import { failureOf, firstRequest, readBody, requestsOf, servedOf } from "../../../../test/support/reading.js";
import { airportByIata } from "../../../geography/airports.js";
import { aviationstackDepartures } from "./aviationstack-departures.js";
import { type FaaProgramme, faaStatus } from "./faa-status.js";

const UPDATED_AT = Date.UTC(2026, 9, 5, 21, 50, 19);

describe("the FAA's status", () => {
  const bulletin = (sections: string): string =>
    `<AIRPORT_STATUS_INFORMATION><Update_Time>Mon Oct 5 21:50:19 2026 GMT</Update_Time><Dtd_File>x.dtd</Dtd_File>${sections}</AIRPORT_STATUS_INFORMATION>`;
  const section = (list: string, rows: string): string =>
    `<Delay_type><Name>Some</Name><${list}>${rows}</${list}></Delay_type>`;
  const ground = (avg: string, code = "BOS"): string =>
    `<Ground_Delay><ARPT>${code}</ARPT><Reason>other</Reason>${avg}<Max>9 hours</Max></Ground_Delay>`;
  const read = (body: string) => {
    const reading = readBody(faaStatus, firstRequest(faaStatus, {}), body);
    const programmes = (reading.records as readonly FaaProgramme[]).filter(({ kind }) => kind === "programme");
    return { ...reading, programmes };
  };
  const programmes = (list: string, rows: string) => read(bulletin(section(list, rows))).programmes;

  test("a bulletin without sections is an answer without delays", () => {
    expect(read(bulletin(""))).toMatchObject({
      records: [{ kind: "bulletin", updatedAt: UPDATED_AT }],
      newestAt: UPDATED_AT,
      rowsBad: 0,
    });
  });

  test.each([
    ["<Avg>41 minutes</Avg>", 41],
    ["<Avg>1 minute</Avg>", 1],
    ["<Avg>1 hour</Avg>", 60],
    ["<Avg>1 hour and 1 minute</Avg>", 61],
    ["<Avg>2 hours and 59 minutes</Avg>", 179],
    ["<Avg></Avg>", 30],
    ["", 30],
  ])("a ground delay of %j is %d minutes", (avg, minutes) => {
    expect(programmes("Ground_Delay_List", ground(avg))).toMatchObject([{ type: "GROUND_DELAY", minutes }]);
  });

  test.each(["a while", "2 hours 59", "and 5 minutes", "-5 minutes", "1.5 hours"])("%j is not a duration", (words) => {
    const rows = ground("<Avg>5 minutes</Avg>") + ground(`<Avg>${words}</Avg>`, "LAS");
    expect(read(bulletin(section("Ground_Delay_List", rows)))).toMatchObject({
      rowsRead: 3,
      rowsBad: 1,
      programmes: [{ iata: "BOS" }],
    });
  });

  test.each([
    ['Type="Departure"', "<Min>31 minutes</Min><Max>45 minutes</Max>", "DEPARTURE_DELAY", 38],
    ['Type="Arrival"', "<Min>16 minutes</Min><Max>31 minutes</Max>", "ARRIVAL_DELAY", 24],
    ["", "", "GENERAL", 23],
    ['Type="Arrival"', "<Min>1 hour</Min>", "ARRIVAL_DELAY", 45],
  ])("a delay with the attribute %j and the range %j is a %s of %d minutes", (attribute, range, type, minutes) => {
    const row = `<Delay><ARPT>SAN</ARPT><Arrival_Departure ${attribute}>${range}</Arrival_Departure></Delay>`;
    expect(programmes("Arrival_Departure_Delay_List", row)).toMatchObject([{ type, minutes, reason: "" }]);
  });

  test("arrivals and departures of one airport are separate announcements", () => {
    const of = (type: string): string =>
      `<Arrival_Departure Type="${type}"><Min>20 minutes</Min><Max>30 minutes</Max></Arrival_Departure>`;
    const row = `<Delay><ARPT>SAN</ARPT><Reason>WX:Wind</Reason>${of("Arrival")}${of("Departure")}</Delay>`;
    expect(programmes("Arrival_Departure_Delay_List", row).map(({ type }) => type)).toEqual([
      "ARRIVAL_DELAY",
      "DEPARTURE_DELAY",
    ]);
  });

  test("a ground stop is assumed to last an hour", () => {
    const row = "<Program><ARPT>EWR</ARPT><Reason>thunderstorms</Reason><End_Time>11:00 pm EDT</End_Time></Program>";
    expect(programmes("Ground_Stop_List", row)).toMatchObject([
      { iata: "EWR", type: "GROUND_STOP", minutes: 60, isClosure: false, reason: "thunderstorms" },
    ]);
  });

  const closure = (reason: string, start?: string, reopen?: string): string =>
    `<Airport><ARPT>SAN</ARPT><Reason>${reason}</Reason>${start ? `<Start>${start}</Start>` : ""}${reopen ? `<Reopen>${reopen}</Reopen>` : ""}</Airport>`;

  test.each([
    [
      "to all aircraft, with years in its notice",
      closure("!SAN AD AP CLSD 2605271826-2705281600", "May 27 at 18:26 UTC.", "May 28 at 16:00 UTC."),
      1,
    ],
    ["to all aircraft, without years", closure("snow", "Oct 05 at 20:00 UTC.", "Oct 06 at 04:00 UTC."), 1],
    ["to all aircraft, without times", closure("snow"), 1],
    ["that is over", closure("snow", "Oct 05 at 20:00 UTC.", "Oct 05 at 21:50 UTC."), 0],
    ["that has not begun", closure("snow", "Oct 05 at 21:51 UTC.", "Oct 06 at 04:00 UTC."), 0],
    ["within its hours", closure("!SAN AD AP CLSD DLY 2100-0500 2610010000-2611010000", "x", "y"), 1],
    ["outside its hours", closure("!SAN AD AP CLSD DLY 0500-1100 2610010000-2611010000", "x", "y"), 0],
    ["to general aviation", closure("!SAN AD AP CLSD TO NON SKED TRANSIENT GA ACFT 2610011633-2701010800"), 0],
  ])("a closure %s is listed only if it affects scheduled flights now", (_name, row, count) => {
    const matching = programmes("Airport_Closure_List", row);
    expect(matching).toHaveLength(count);
    for (const programme of matching)
      expect(programme).toMatchObject({ type: "GROUND_STOP", minutes: 120, isClosure: true });
  });

  test.each([
    ["times of another form", closure("snow", "soon", "later")],
    ["times that are not strings", closure("snow", "<at>soon</at>", "<at>later</at>")],
    ["a reason that is not a string", closure("<text>snow</text>")],
    ["a validity that ends before it starts", closure("!SAN AD AP CLSD 2610061600-2610051600", "soon", "later")],
    ["impossible hours", closure("!SAN AD AP CLSD DLY 9999-9999 2610010000-2611010000")],
    ["a limitation that applies only to a runway", closure("RWY 09 CLSD TO JETS. AD AP CLSD")],
    ["a line break between TO and the aircraft", closure("AD AP CLSD TO\n  SKED ACFT")],
  ])("a closure with %s closes the airport", (_name, row) => {
    expect(read(bulletin(section("Airport_Closure_List", row)))).toMatchObject({
      rowsBad: 0,
      programmes: [{ iata: "SAN", isClosure: true }],
    });
  });

  test("two sections with the same name are both read, and airports that are not monitored are dropped", () => {
    const first = section("Ground_Delay_List", ground("<Avg>20 minutes</Avg>"));
    const two = section("Ground_Delay_List", ground("<Avg>40 minutes</Avg>", "LFT") + ground("", "YUL"));
    const { rowsRead, rowsBad, programmes: delays } = read(bulletin(first + two));
    expect([rowsRead, rowsBad, delays.map(({ iata }) => iata)]).toEqual([4, 0, ["BOS", "YUL"]]);
  });

  test("unknown sections are ignored", () => {
    expect(
      read(bulletin(section("Airspace_Flow_List", "<Airspace_Flow><CTL_Element>X</CTL_Element></Airspace_Flow>"))),
    ).toMatchObject({
      rowsRead: 1,
      programmes: [],
    });
  });

  test.each([
    ["no time", "<AIRPORT_STATUS_INFORMATION></AIRPORT_STATUS_INFORMATION>"],
    [
      "a time of another form",
      "<AIRPORT_STATUS_INFORMATION><Update_Time>2026-10-05</Update_Time></AIRPORT_STATUS_INFORMATION>",
    ],
    ["other element names", bulletin(section("Ground_Delay_List", ground("").replaceAll("ARPT", "AIRPORT").repeat(3)))],
    ["another root element", "<html><body/></html>"],
  ])("a document with %s is reported as changed", (_name, body) => {
    expect(failureOf(() => read(body)).kind).toBe("changed");
  });
});

describe("aviationstack's departures", () => {
  const [lhr, ist] = ["LHR", "IST"].flatMap((code) => airportByIata(code) ?? []);
  const plan = { airports: [lhr, ist], now: Date.UTC(2026, 10, 21, 22, 30) };
  const requests = requestsOf(aviationstackDepartures, plan, { AVIATIONSTACK_API: "secret" });
  const flight = (changes: object = {}, departure: object = {}): object => ({
    flight_date: "2026-11-21",
    flight_status: "landed",
    arrival: {},
    airline: {},
    live: null,
    departure: { iata: "LHR", delay: null, ...departure },
    flight: { number: "1", codeshared: null },
    ...changes,
  });
  const page = (flights: readonly object[]) => ({ pagination: { limit: 100, total: flights.length }, data: flights });
  const read = (body: object | string, index = 0) => {
    const request = requests[index];
    if (!request) throw new Error("no such request");
    const reading = readBody(aviationstackDepartures, request, body);
    return { ...reading, samples: servedOf(aviationstackDepartures, [[request, reading]]) };
  };

  test("one page is requested for the local day of each airport, and the key is not in the logged address", () => {
    expect(requests.map(({ key, url, secretQuery }) => [key, url, secretQuery])).toEqual([
      [
        "LHR",
        "https://api.aviationstack.com/v1/flights?dep_iata=LHR&flight_date=2026-11-21&limit=100",
        { access_key: "secret" },
      ],
      [
        "IST",
        "https://api.aviationstack.com/v1/flights?dep_iata=IST&flight_date=2026-11-22&limit=100",
        { access_key: "secret" },
      ],
    ]);
  });

  test("flights are counted by outcome, and codeshares are left out", () => {
    const { samples, rowsBad } = read(
      page([
        ...["landed", "active", "diverted", "incident"].map((status) => flight({ flight_status: status })),
        ...Array.from({ length: 5 }, () => flight({}, { delay: 30 })),
        flight({ flight_status: "cancelled" }),
        ...["scheduled", "unknown", null].map((status) => flight({ flight_status: status })),
        flight({ flight: { number: "2", codeshared: { flight_iata: "xs1" } } }),
        flight({}, { delay: -4 }),
      ]),
    );
    expect(rowsBad).toBe(0);
    expect(samples).toEqual([
      {
        iata: "LHR",
        totalFlights: 14,
        countedFlights: 11,
        cancelledFlights: 1,
        delayedFlights: 5,
        averageDelayMinutes: 30,
      },
    ]);
  });

  test("an airport without departures gets an empty sample if another airport has departures", () => {
    const [first, second] = requests;
    if (!first || !second) throw new Error("expected requests for two airports");
    const answers = [
      [first, readBody(aviationstackDepartures, first, page([flight()]))],
      [second, readBody(aviationstackDepartures, second, page([]))],
    ] as const;
    expect(servedOf(aviationstackDepartures, answers)).toMatchObject([
      { iata: "LHR", totalFlights: 1 },
      { iata: "IST", totalFlights: 0 },
    ]);
  });

  test("an answer without any departure is refused", () => {
    expect(failureOf(() => read(page([]))).kind).toBe("empty");
  });

  test("a malformed flight is skipped and counted as a bad row", () => {
    const { rowsBad, samples } = read(
      page([flight(), flight({ departure: null }), flight({}, { delay: "late" }), flight(), flight()]),
    );
    expect([rowsBad, samples[0]?.totalFlights]).toEqual([2, 3]);
  });

  test.each(["invalid_access_key", "usage_limit_reached"])(
    "the error %s with status 200 is a refusal that names the key's setting",
    (code) => {
      const failure = failureOf(() => read({ error: { code, message: "No." } }));
      expect(failure).toMatchObject({ kind: "unavailable", message: expect.stringContaining("AVIATIONSTACK_API") });
      expect(failure.message).toContain(code);
    },
  );

  test("a document with other member names is reported as changed", () => {
    expect(failureOf(() => read({ results: [] })).kind).toBe("changed");
    expect(failureOf(() => read(page([{ status: "landed" }, { status: "landed" }, { status: "x" }]))).kind).toBe(
      "changed",
    );
  });
});
