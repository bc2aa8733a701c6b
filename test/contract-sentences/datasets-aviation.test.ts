import { afterAll, beforeAll, expect } from "vitest";
import type { AnyPart } from "../../src/contract/dataset.js";
import { silentTally } from "../../src/contract/row-tally.js";
import { airportByIata, airports } from "../../src/geography/airports.js";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/kit/clock.js";
import { airportDelays } from "../../src/services/aviation/datasets/airport-delays.js";
import { aviationNews } from "../../src/services/aviation/products/aviation-news.js";
import { flightStatus } from "../../src/services/aviation/records/flights.js";
import { noticedAirports } from "../../src/services/aviation/rules/airports/airport-coverage.js";
import {
  type AirportStatus,
  airportStatuses,
  worstProgramme,
} from "../../src/services/aviation/rules/airports/airport-status.js";
import { alertOf } from "../../src/services/aviation/rules/airports/delay-alert.js";
import {
  type DelaySeverity,
  severityOfCancellations,
  severityOfDelays,
  severityOfFaaMinutes,
} from "../../src/services/aviation/rules/airports/delay-severity.js";
import { type Departure, judged, sampleOf } from "../../src/services/aviation/rules/airports/departure-sample.js";
import { noticeKind } from "../../src/services/aviation/rules/airports/notice-kind.js";
import { summaryOf } from "../../src/services/aviation/rules/airports/ops-summary.js";
import { knotsOfMetresPerSecond } from "../../src/services/aviation/rules/units.js";
import { type FaaProgramme, type FaaRecord, faaStatus } from "../../src/services/aviation/sources/faa-status.js";
import { type AirportNotice, icaoNotams } from "../../src/services/aviation/sources/icao-notams.js";
import { builtFrom, collectedFrom, entryOf } from "../support/collected-feeds.js";
import { firstRequest, readBody } from "../support/reading.js";
import { refusedFields, type Sentence, testSentences } from "../support/sentences.js";
import { json, NOON, type Stack, startStack } from "../support/stack.js";

/* Section 14 of NOTES.md (aviation), with rulings 3, 19 and 20 and decisions 0016, 0017, 0021 and 0038. */

const AVIATION = "/api/aviation/v1";
const DELAYS = `${AVIATION}/list-airport-delays`;
const OPS = `${AVIATION}/get-airport-ops-summary`;
const FLIGHTS = `${AVIATION}/list-airport-flights`;
const STATUS = `${AVIATION}/get-flight-status`;
const CARRIERS = `${AVIATION}/get-carrier-ops`;
const TRACK = `${AVIATION}/track-aircraft`;
const PRICES = `${AVIATION}/search-flight-prices`;
const NEWS = `${AVIATION}/list-aviation-news`;
const VIDEO = `${AVIATION}/get-video-live-stream-info`;

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ filled: "all" });
}, 180_000);
afterAll(() => stack.close());

async function bodyOf<Body>(target: string): Promise<Body> {
  const answer = await stack.get(target);
  expect(answer.status, String(answer.body)).toBe(200);
  // The cast is safe, because the operations declare these shapes.
  return json(answer) as Body;
}

/** Requests a target. Returns the body, and the URLs of the upstream calls that the request caused. */
async function counted<Body>(target: string): Promise<{ readonly body: Body; readonly calls: readonly string[] }> {
  stack.simulator.requests.clear();
  const body = await bodyOf<Body>(target);
  return { body, calls: stack.simulator.requests.list().map(({ url }) => url) };
}

/**
 * Expects an answer to be cached for `ms`: the first call makes `callsOfOne` upstream calls, repeats make none until
 * the cached answer expires, and the next call makes as many as the first.
 */
async function expectRemembered(target: string, ms: number, callsOfOne: number): Promise<void> {
  // A day later, every answer cached by earlier checks has expired.
  stack.clock.advance(DAY_MS);
  expect((await counted(target)).calls).toHaveLength(callsOfOne);
  expect((await counted(target)).calls).toHaveLength(0);
  stack.clock.advance(ms - 1);
  expect((await counted(target)).calls).toHaveLength(0);
  stack.clock.advance(1);
  expect((await counted(target)).calls).toHaveLength(callsOfOne);
}

interface Alert {
  readonly id: string;
  readonly iata: string;
  readonly region: string;
  readonly severity: string;
  readonly source: string;
  readonly delayType: string;
}
interface Summary {
  readonly iata: string;
  readonly severity: string;
  readonly source: string;
  readonly notamFlags: readonly string[];
  readonly cancellationRate?: number;
}
interface Flight {
  readonly flightNumber: string;
  readonly status: string;
  readonly origin: { readonly iata: string };
  readonly destination: { readonly iata: string };
  readonly scheduledDeparture: number;
}
interface Flights {
  readonly flights: readonly Flight[];
  readonly source: string;
  readonly totalAvailable: number;
  readonly updatedAt: number;
}
interface Carrier {
  readonly airport: string;
  readonly carrier: { readonly iataCode: string };
  readonly cancellationRate: number;
  readonly delayPct?: number;
  readonly totalFlights: number;
}
interface Carriers {
  readonly carriers: readonly Carrier[];
  readonly source: string;
}
interface Positions {
  readonly positions: readonly { readonly icao24: string; readonly callsign?: string }[];
  readonly source: string;
}
interface Prices {
  readonly quotes: readonly { readonly isIndicative: boolean; readonly bookingUrl?: string }[];
  readonly degraded: boolean;
  readonly error: string;
  readonly isDemoMode: boolean;
  readonly isIndicative: boolean;
}
interface Headline {
  readonly id: string;
  readonly title: string;
  readonly snippet?: string;
  readonly publishedAt: number;
  readonly matchedEntities: readonly string[];
  readonly sourceName: string;
}
interface News {
  readonly items: readonly Headline[];
}
interface Video {
  readonly videoId: string;
  readonly title: string;
  readonly channelName: string;
  readonly isLive: boolean;
  readonly hlsUrl: string;
  readonly error: string;
}

const alerts = async (): Promise<readonly Alert[]> => (await bodyOf<{ alerts: Alert[] }>(DELAYS)).alerts;
const summaries = async (query: string): Promise<readonly Summary[]> =>
  (await bodyOf<{ summaries: Summary[] }>(`${OPS}?${query}`)).summaries;

const ACCOUNTED = ["AMERICAS", "EUROPE", "APAC", "MENA", "AFRICA"];

const registry: readonly Sentence[] = [
  {
    place: "NOTES §14 aviation, decision 0016",
    sentence: "the registry has at least the contract's 115 airports, in all five regions",
    async check() {
      const rows = await alerts();
      expect(rows.length).toBeGreaterThanOrEqual(115);
      expect(new Set(rows.map(({ region }) => region))).toEqual(
        new Set(ACCOUNTED.map((name) => `AIRPORT_REGION_${name}`)),
      );
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence:
      "each region has at least the contract's number of airports: Americas 22, Europe 21, APAC 25, MENA 36, Africa 11",
    async check() {
      const rows = await alerts();
      const counts = ACCOUNTED.map((name) => rows.filter(({ region }) => region === `AIRPORT_REGION_${name}`).length);
      for (const [at, least] of [22, 21, 25, 36, 11].entries()) expect(counts[at]).toBeGreaterThanOrEqual(least);
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "30 airports of the United States are covered by the FAA",
    async check() {
      const faa = (await alerts()).filter(({ source }) => source === "FLIGHT_DELAY_SOURCE_FAA");
      expect(faa).toHaveLength(30);
      for (const { iata } of faa) expect(airportByIata(iata)?.countryCode).toBe("US");
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "NOTAMs cover at least 64 airports, and none of those that the FAA covers",
    check() {
      expect(noticedAirports.length).toBeGreaterThanOrEqual(64);
      expect(noticedAirports.filter(({ countryCode }) => countryCode === "US")).toEqual([]);
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "the default airports of the summary are IST, ESB, SAW, LHR, FRA, CDG",
    check: async () =>
      expect((await summaries("")).map(({ iata }) => iata)).toEqual(["IST", "ESB", "SAW", "LHR", "FRA", "CDG"]),
  },
];

/** The severities that begin at a threshold, and the severity that applies just below each threshold. */
const thresholds = ["MINOR", "MODERATE", "MAJOR", "SEVERE"] as const;
const below: Readonly<Record<(typeof thresholds)[number], DelaySeverity>> = {
  MINOR: "NORMAL",
  MODERATE: "MINOR",
  MAJOR: "MODERATE",
  SEVERE: "MAJOR",
};
const scales = [
  ["minutes of average delay", [15, 30, 45, 60], (value: number) => severityOfDelays(value, 0)],
  ["percent of flights delayed", [15, 30, 45, 60], (value: number) => severityOfDelays(0, value)],
  ["percent of flights cancelled", [10, 20, 50, 80], severityOfCancellations],
  ["minutes of an FAA delay", [15, 30, 60, 90], severityOfFaaMinutes],
] as const;

const severities = scales.flatMap(([what, values, severityAt]) =>
  thresholds.map(
    (severity, at): Sentence => ({
      place: "NOTES §14 aviation",
      sentence: `the severity ${severity} begins at ${values[at]} ${what}`,
      check() {
        const least = values[at] ?? 0;
        expect([severityAt(least), severityAt(least - 0.01)]).toEqual([severity, below[severity]]);
      },
    }),
  ),
);

const UPDATED = "<Update_Time>Wed Nov 18 12:00:00 2026 GMT</Update_Time>";

/** The programmes that an FAA bulletin with these sections announces. */
function programmesIn(...sections: readonly string[]): readonly FaaProgramme[] {
  const delays = sections.map((section) => `<Delay_type><Name>x</Name>${section}</Delay_type>`).join("");
  const xml = `<AIRPORT_STATUS_INFORMATION>${UPDATED}${delays}</AIRPORT_STATUS_INFORMATION>`;
  const { records } = readBody(faaStatus, firstRequest(faaStatus, {}), xml);
  return (records as readonly FaaRecord[]).filter((record): record is FaaProgramme => record.kind === "programme");
}

const groundDelay = (average: string): string =>
  `<Ground_Delay_List><Ground_Delay><ARPT>JFK</ARPT><Reason>wind</Reason>${average}</Ground_Delay></Ground_Delay_List>`;
const delay = (type: string, limits: string): string =>
  `<Arrival_Departure_Delay_List><Delay><ARPT>JFK</ARPT><Reason>wind</Reason><Arrival_Departure Type="${type}">${limits}</Arrival_Departure></Delay></Arrival_Departure_Delay_List>`;
const groundStop =
  "<Ground_Stop_List><Program><ARPT>JFK</ARPT><Reason>wind</Reason><End_Time>11:00 pm EDT</End_Time></Program></Ground_Stop_List>";
const closed =
  "<Airport_Closure_List><Airport><ARPT>JFK</ARPT><Reason>!JFK 11/028 JFK AD AP CLSD 2611170000-2611200000</Reason><Start>Nov 17 at 00:00 UTC.</Start><Reopen>Nov 20 at 00:00 UTC.</Reopen></Airport></Airport_Closure_List>";

const announcements: readonly (readonly [sentence: string, xml: string, type: string, minutes: number])[] = [
  ["a ground stop counts as a delay of 60 minutes", groundStop, "GROUND_STOP", 60],
  ["a closure counts as a ground stop of 120 minutes", closed, "GROUND_STOP", 120],
  ["a ground delay has the minutes of its Avg", groundDelay("<Avg>1 hour and 12 minutes</Avg>"), "GROUND_DELAY", 72],
  ["a ground delay without an Avg counts as 30 minutes", groundDelay(""), "GROUND_DELAY", 30],
  [
    "a departure delay is the mean of Min and Max",
    delay("Departure", "<Min>31 minutes</Min><Max>45 minutes</Max>"),
    "DEPARTURE_DELAY",
    38,
  ],
  [
    "an arrival delay is the mean of Min and Max",
    delay("Arrival", "<Min>16 minutes</Min><Max>1 hour</Max>"),
    "ARRIVAL_DELAY",
    38,
  ],
  ["a missing Min counts as 15 minutes", delay("Departure", "<Max>45 minutes</Max>"), "DEPARTURE_DELAY", 30],
  ["a missing Max counts as 30 minutes", delay("Departure", "<Min>20 minutes</Min>"), "DEPARTURE_DELAY", 25],
];

const faa: readonly Sentence[] = [
  ...announcements.map(
    ([sentence, xml, type, minutes]): Sentence => ({
      place: "NOTES §14 aviation",
      sentence,
      check: () => expect(programmesIn(xml)).toEqual([expect.objectContaining({ iata: "JFK", type, minutes })]),
    }),
  ),
  {
    place: "NOTES §14 aviation",
    sentence: "an arrival or departure delay does not overwrite a ground stop",
    check() {
      const programmes = programmesIn(groundStop, delay("Departure", "<Min>31 minutes</Min><Max>45 minutes</Max>"));
      expect(programmes).toHaveLength(2);
      expect(worstProgramme(programmes)?.type).toBe("GROUND_STOP");
      expect(worstProgramme(programmes.toReversed())?.type).toBe("GROUND_STOP");
    },
  },
];

/**
 * Departures with these numbers of cancelled, late and punctual flights, and of flights whose outcome is still open.
 * Each late flight is late by `minutes`.
 */
function departures(facts: {
  readonly cancelled?: number;
  readonly late?: number;
  readonly minutes?: number;
  readonly onTime?: number;
  readonly open?: number;
}): readonly Departure[] {
  const { cancelled = 0, late = 0, minutes = 0, onTime = 0, open = 0 } = facts;
  const of = (count: number, departure: Departure): Departure[] => Array.from({ length: count }, () => departure);
  return [
    ...of(cancelled, { outcome: "cancelled", delayMinutes: undefined }),
    ...of(late, { outcome: "flown", delayMinutes: minutes }),
    ...of(onTime, { outcome: "flown", delayMinutes: 0 }),
    ...of(open, { outcome: "open", delayMinutes: 0 }),
  ];
}

const verdict = (facts: Parameters<typeof departures>[0]) => judged(sampleOf(departures(facts)));

const samples: readonly Sentence[] = [
  {
    place: "NOTES §14 aviation",
    sentence: "if 10 or more flights have a known outcome, percentages are of these flights",
    check: () => expect(sampleOf(departures({ cancelled: 2, onTime: 8, open: 30 })).countedFlights).toBe(10),
  },
  {
    place: "NOTES §14 aviation",
    sentence: "if fewer than 10 flights have a known outcome, percentages are of all flights",
    check: () => expect(sampleOf(departures({ cancelled: 2, onTime: 7, open: 30 })).countedFlights).toBe(39),
  },
  ...(
    [
      [8, "SEVERE", "CLOSURE"],
      [5, "MAJOR", "GROUND_STOP"],
      [2, "MODERATE", "GROUND_DELAY"],
      [1, "MINOR", "GENERAL"],
    ] as const
  ).map(
    ([cancelled, severity, type]): Sentence => ({
      place: "NOTES §14 aviation",
      sentence: `if ${cancelled * 10} % of ten flights are cancelled, the severity is ${severity} and the type ${type}`,
      check: () => expect(verdict({ cancelled, onTime: 10 - cancelled })).toEqual({ severity, type }),
    }),
  ),
  {
    place: "NOTES §14 aviation",
    sentence:
      "if fewer than 10 % of flights are cancelled, the average delay of late flights determines severity and type",
    check() {
      expect(verdict({ cancelled: 1, late: 1, minutes: 47, onTime: 98 })).toEqual({
        severity: "MAJOR",
        type: "GENERAL",
      });
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "an average delay of 60 minutes or more has the type GROUND_DELAY, and one of 59 minutes does not",
    check() {
      expect(verdict({ late: 1, minutes: 60, onTime: 99 })).toEqual({ severity: "SEVERE", type: "GROUND_DELAY" });
      expect(verdict({ late: 1, minutes: 59, onTime: 99 })).toEqual({ severity: "MAJOR", type: "GENERAL" });
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "in a sample of fewer than 10 flights, cancellations are ignored",
    check: () => expect(verdict({ cancelled: 5, onTime: 4 }).severity).toBe("NORMAL"),
  },
  {
    place: "NOTES §14 aviation",
    sentence: "an airport with the severity NORMAL has a row with the id status-<IATA> instead of an alert",
    check() {
      const alert = alertOf(statusWith({ sample: departures({ onTime: 20 }) }));
      expect(alert).toMatchObject({ id: "status-IST", severity: "FLIGHT_DELAY_SEVERITY_NORMAL" });
    },
  },
  {
    place: "NOTES §14 aviation, §16.3",
    sentence: "a sample without flights is ignored, so its airport has the severity UNKNOWN instead of NORMAL",
    check: () => expect(alertOf(statusWith({ sample: [] })).severity).toBe("FLIGHT_DELAY_SEVERITY_UNKNOWN"),
  },
];

/** The status of IST from these departures and notices. */
function statusWith(facts: {
  readonly sample?: readonly Departure[];
  readonly notices?: readonly Omit<AirportNotice, "iata">[];
}): AirportStatus {
  const status = airportStatuses({
    faa: [],
    samples: facts.sample ? [{ ...sampleOf(facts.sample), iata: "IST", sampledAt: NOON }] : [],
    notices: (facts.notices ?? []).map((notice) => ({ ...notice, iata: "IST", readAt: NOON, isInForce: true })),
  }).get("IST");
  if (!status) throw new Error("IST is not monitored");
  return status;
}

const closure = { kind: "closure", text: "AD CLSD" } as const;
const restriction = { kind: "restriction", text: "RESTRICTED AREA ACTIVE" } as const;
const severityOf = (facts: Parameters<typeof statusWith>[0]): string =>
  alertOf(statusWith(facts)).severity.replace("FLIGHT_DELAY_SEVERITY_", "");
const CLOSABLE = ["FA", "AH", "AL", "AW", "AC", "AM"];
const CLOSED = ["LC", "AS", "AU", "XX", "AW"];

const notams: readonly Sentence[] = [
  {
    place: "NOTES §14 aviation",
    sentence: `a notice is a closure if its code23 is one of ${CLOSABLE.join(", ")} and its code45 one of ${CLOSED.join(", ")}`,
    check() {
      for (const code23 of CLOSABLE) {
        for (const code45 of CLOSED) expect(noticeKind({ code23, code45, text: "" })).toBe("closure");
      }
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "a notice with another code23 (subject) or code45 (condition) is not a closure",
    check() {
      for (const code23 of ["MR", "MX", "NV", "OB"]) {
        expect(noticeKind({ code23, code45: "LC", text: "" })).toBe("other");
      }
      for (const code45 of ["CE", "LT", "HW"]) expect(noticeKind({ code23: "FA", code45, text: "" })).toBe("other");
    },
  },
  ...["AD CLSD", "AERODROME CLOSED DUE TO FLOOD", "ARPT CLSD", "airport is closed"].map(
    (text): Sentence => ({
      place: "NOTES §14 aviation",
      sentence: `a closure is recognised by its text: ${text}`,
      check: () => expect(noticeKind({ code23: "OB", code45: "CE", text })).toBe("closure"),
    }),
  ),
  {
    place: "NOTES §14 aviation",
    sentence: "a notice is a restriction if its code23 is RA, RO or one used for closures, and its code45 is RE or RT",
    check() {
      for (const code23 of ["RA", "RO", ...CLOSABLE]) {
        for (const code45 of ["RE", "RT"]) expect(noticeKind({ code23, code45, text: "" })).toBe("restriction");
      }
    },
  },
  ...["RESTRICTED AREA ACTIVE", "PROHIBITED AREA LTP1", "DANGER AREA UP TO FL200", "TFR IN EFFECT"].map(
    (text): Sentence => ({
      place: "NOTES §14 aviation",
      sentence: `a restriction is recognised by its text: ${text}`,
      check: () => expect(noticeKind({ code23: "OB", code45: "CE", text })).toBe("restriction"),
    }),
  ),
  {
    place: "NOTES §14 aviation",
    sentence: "a closure takes precedence over a restriction",
    check() {
      expect(noticeKind({ code23: "FA", code45: "LC", text: "RESTRICTED AREA ACTIVE, AD CLSD" })).toBe("closure");
      expect(alertOf(statusWith({ notices: [restriction, closure] })).delayType).toBe("FLIGHT_DELAY_TYPE_CLOSURE");
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "an expired NOTAM is skipped",
    check() {
      const notam = (startdate: string, enddate: string) => ({
        id: "A0001/26",
        location: "LTFM",
        Qcode: "FALC",
        message: "AD CLSD",
        all: "",
        startdate,
        enddate,
      });
      const rows = [
        notam("2026-11-01T00:00:00Z", "2026-11-18T11:59:00Z"),
        notam("2026-11-01T00:00:00Z", "2026-11-20T00:00:00Z"),
      ];
      const plan = { airports: noticedAirports };
      const reading = readBody(icaoNotams, firstRequest(icaoNotams, plan, { ICAO_API_KEY: "x" }), rows);
      const { select } = airportDelays.parts.notams as AnyPart;
      expect(reading.records).toHaveLength(2);
      expect(select?.(reading.records, NOON, silentTally)).toEqual([
        expect.objectContaining({ iata: "IST", kind: "closure" }),
      ]);
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "without flights, a closure is severe, of the type CLOSURE",
    check: () =>
      expect(alertOf(statusWith({ notices: [closure] }))).toMatchObject({
        id: "notam-IST",
        severity: "FLIGHT_DELAY_SEVERITY_SEVERE",
        delayType: "FLIGHT_DELAY_TYPE_CLOSURE",
      }),
  },
  {
    place: "NOTES §14 aviation",
    sentence: "without flights, a restriction is major, of the type GENERAL",
    check: () =>
      expect(alertOf(statusWith({ notices: [restriction] }))).toMatchObject({
        id: "notam-IST",
        severity: "FLIGHT_DELAY_SEVERITY_MAJOR",
        delayType: "FLIGHT_DELAY_TYPE_GENERAL",
      }),
  },
  {
    place: "NOTES §14 aviation",
    sentence:
      "with flights, a closure or restriction is moderate, or as severe as delays or cancellations if these are worse",
    check() {
      const sample = (facts: Parameters<typeof departures>[0]) => departures(facts);
      expect(severityOf({ notices: [closure], sample: sample({ onTime: 20 }) })).toBe("MODERATE");
      expect(severityOf({ notices: [restriction], sample: sample({ onTime: 20 }) })).toBe("MODERATE");
      expect(severityOf({ notices: [closure], sample: sample({ late: 10, minutes: 70, onTime: 10 }) })).toBe("SEVERE");
      expect(severityOf({ notices: [closure], sample: sample({ cancelled: 10, onTime: 10 }) })).toBe("MAJOR");
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "a reason has at most 200 characters",
    async check() {
      const alert = alertOf(statusWith({ notices: [{ kind: "closure", text: "X".repeat(300) }] }));
      expect(alert.reason).toHaveLength(200);
    },
  },
];

const delays: readonly Sentence[] = [
  {
    place: "NOTES §14 aviation",
    sentence: "list-airport-delays has one row for each airport of the registry",
    async check() {
      const codes = (await alerts()).map(({ iata }) => iata);
      expect(new Set(codes).size).toBe(codes.length);
      expect(codes.toSorted()).toEqual(airports.map(({ iata }) => iata).toSorted());
    },
  },
  {
    place: "NOTES §14 aviation, §16.3",
    sentence:
      "a row without an alert is status-<IATA> with NORMAL if a source answered, else unknown-<IATA> with UNKNOWN",
    async check() {
      const rows = await alerts();
      for (const { id, iata, severity, source } of rows) {
        const isNormal = severity === "FLIGHT_DELAY_SEVERITY_NORMAL";
        const isUnknown = severity === "FLIGHT_DELAY_SEVERITY_UNKNOWN";
        expect(id === `status-${iata}`).toBe(isNormal);
        expect(id === `unknown-${iata}`).toBe(isUnknown);
        expect(source === "FLIGHT_DELAY_SOURCE_UNSPECIFIED").toBe(isUnknown);
      }
      expect(rows.some(({ id }) => id.startsWith("status-"))).toBe(true);
      expect(rows.some(({ id }) => id.startsWith("unknown-"))).toBe(true);
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "the id of an alert is faa-, avstack- or notam-, depending on its source, followed by the airport's code",
    async check() {
      const prefixes: Readonly<Record<string, string>> = { FAA: "faa", AVIATIONSTACK: "avstack", NOTAM: "notam" };
      const rows = (await alerts()).filter(({ id }) => !/^(?:status|unknown)-/.test(id));
      for (const { id, iata, source } of rows) {
        expect(id).toBe(`${prefixes[source.replace("FLIGHT_DELAY_SOURCE_", "")]}-${iata}`);
      }
      expect(new Set(rows.map(({ id }) => id.split("-")[0]))).toEqual(new Set(Object.values(prefixes)));
    },
  },
];

const summary: readonly Sentence[] = [
  {
    place: "NOTES §14 aviation, ruling 19",
    sentence: 'a requested airport that is not in the registry has a row with its code and the source "unknown"',
    async check() {
      expect(await summaries("airports=ZZZ")).toEqual([
        {
          iata: "ZZZ",
          severity: "FLIGHT_DELAY_SEVERITY_UNKNOWN",
          source: "unknown",
          notamFlags: [],
          topDelayReasons: [],
        },
      ]);
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "a closure NOTAM makes an airport at least severe without flights, and at least moderate with flights",
    check() {
      const of = (facts: Parameters<typeof statusWith>[0]) => summaryOf(statusWith(facts)).severity;
      expect(of({ notices: [closure] })).toBe("FLIGHT_DELAY_SEVERITY_SEVERE");
      expect(of({ notices: [closure], sample: departures({ onTime: 20 }) })).toBe("FLIGHT_DELAY_SEVERITY_MODERATE");
      expect(of({ notices: [closure], sample: departures({ cancelled: 9, onTime: 1 }) })).toBe(
        "FLIGHT_DELAY_SEVERITY_SEVERE",
      );
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "a restriction NOTAM makes an airport at least minor",
    check() {
      const of = (facts: Parameters<typeof statusWith>[0]) => summaryOf(statusWith(facts)).severity;
      expect(of({ notices: [restriction] })).toBe("FLIGHT_DELAY_SEVERITY_MINOR");
      expect(of({ notices: [restriction], sample: departures({ late: 1, minutes: 50, onTime: 99 }) })).toBe(
        "FLIGHT_DELAY_SEVERITY_MAJOR",
      );
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "cancellationRate is a percentage with one decimal",
    check() {
      const { cancellationRate } = summaryOf(statusWith({ sample: departures({ cancelled: 1, onTime: 29 }) }));
      expect(cancellationRate).toBe(3.3);
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "notamFlags are CLOSED, RESTRICTED and NOTAM",
    check() {
      const flags = (...notices: readonly Omit<AirportNotice, "iata">[]) =>
        summaryOf(statusWith({ notices })).notamFlags;
      expect(flags(closure, restriction, { kind: "other" })).toEqual(["CLOSED", "RESTRICTED", "NOTAM"]);
      expect(flags({ kind: "other" })).toEqual(["NOTAM"]);
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "cacheHit is always false",
    async check() {
      for (const _ of [1, 2]) expect((await bodyOf<{ cacheHit: boolean }>(`${OPS}?airports=LHR`)).cacheHit).toBe(false);
    },
  },
];

const flights: readonly Sentence[] = [
  {
    place: "NOTES §14 aviation",
    sentence: "the default limit of flights is 30",
    async check() {
      const { flights, totalAvailable } = await bodyOf<Flights>(`${FLIGHTS}?airport=IST`);
      expect(totalAvailable).toBeGreaterThan(30);
      expect(flights).toHaveLength(30);
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "the default direction is BOTH",
    async check() {
      const { flights, totalAvailable } = await bodyOf<Flights>(`${FLIGHTS}?airport=IST&limit=100`);
      expect(flights).toHaveLength(totalAvailable);
      expect(flights.filter(({ origin }) => origin.iata === "IST").length).toBeGreaterThan(0);
      expect(flights.filter(({ destination }) => destination.iata === "IST").length).toBeGreaterThan(0);
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "flights come from one upstream page of 100 for each airport and direction",
    async check() {
      stack.clock.advance(HOUR_MS);
      const { calls } = await counted<Flights>(`${FLIGHTS}?airport=MAD`);
      const queries = calls.map((url) => new URL(url).searchParams);
      expect(queries.map((query) => query.get("limit"))).toEqual(["100", "100"]);
      expect(queries.map((query) => query.get("dep_iata") ?? query.get("arr_iata"))).toEqual(["MAD", "MAD"]);
      const { calls: arrivalCalls } = await counted<Flights>(
        `${FLIGHTS}?airport=AMS&direction=FLIGHT_DIRECTION_ARRIVAL`,
      );
      expect(arrivalCalls).toHaveLength(1);
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "the flights of an airport are cached for 900 s",
    check: () => expectRemembered(`${FLIGHTS}?airport=CDG`, 900 * SECOND_MS, 2),
  },
  ...["12", "1ST", "LTFM", "ISTA"].map(
    (airport): Sentence => ({
      place: "NOTES §14 aviation",
      sentence: `a bad IATA code gets the source "invalid", or a violation if it has fewer than 3 characters: ${airport}`,
      async check() {
        const answer = await stack.get(`${FLIGHTS}?airport=${airport}`);
        if (airport.length < 3) expect(refusedFields(answer)).toEqual(["airport"]);
        else expect(json(answer)).toEqual({ flights: [], source: "invalid", totalAvailable: 0, updatedAt: 0 });
      },
    }),
  ),
  {
    place: "NOTES §14 aviation",
    sentence: 'the source is "none" if the airport has no flights',
    check: async () => expect((await bodyOf<Flights>(`${FLIGHTS}?airport=ZZZ`)).source).toBe("none"),
  },
  {
    place: "NOTES §14 aviation",
    sentence: 'the source is "error" if the upstream fails',
    async check() {
      stack.simulator.faults.set({ upstream: "aviationstack" }, { kind: "html" });
      try {
        expect((await bodyOf<Flights>(`${FLIGHTS}?airport=BCN`)).source).toBe("error");
      } finally {
        stack.simulator.faults.clear();
      }
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "a flight number is sent upstream without spaces and leading zeros",
    async check() {
      stack.clock.advance(HOUR_MS);
      const { body, calls } = await counted<Flights>(`${STATUS}?flight_number=vg%200%201001&date=2026-11-19`);
      expect(calls.map((url) => new URL(url).searchParams.get("flight_iata"))).toEqual(["VG1001"]);
      expect(body.flights.map(({ flightNumber }) => flightNumber)).toContain("VG1001");
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "the status of a flight is cached for 120 s",
    check: () => expectRemembered(`${STATUS}?flight_number=VG1003&date=2026-11-20`, 120 * SECOND_MS, 1),
  },
  ...(
    [
      ["scheduled", "SCHEDULED"],
      ["active", "AIRBORNE"],
      ["landed", "LANDED"],
      ["cancelled", "CANCELLED"],
      ["diverted", "DIVERTED"],
      ["incident", "UNKNOWN"],
      ["", "UNKNOWN"],
      ["toString", "UNKNOWN"],
    ] as const
  ).map(
    ([word, status]): Sentence => ({
      place: "NOTES §14 aviation",
      sentence: `the status "${word}" is ${status}`,
      check: () => expect(flightStatus(word)).toBe(`FLIGHT_INSTANCE_STATUS_${status}`),
    }),
  ),
];

const carriers: readonly Sentence[] = [
  {
    place: "NOTES §14 aviation",
    sentence: "carrier operations count only departures",
    async check() {
      stack.clock.advance(DAY_MS);
      const { calls } = await counted<Carriers>(`${CARRIERS}?airports=LHR`);
      expect(calls.map((url) => new URL(url).searchParams.get("dep_iata"))).toEqual(["LHR"]);
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "the default airports of get-carrier-ops are the first three of the summary: IST, ESB, SAW",
    async check() {
      const { carriers: rows } = await bodyOf<Carriers>(CARRIERS);
      expect(new Set(rows.map(({ airport }) => airport))).toEqual(new Set(["IST", "ESB", "SAW"]));
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "get-carrier-ops uses only the first six airports",
    async check() {
      const { carriers: rows } = await bodyOf<Carriers>(`${CARRIERS}?airports=LHR,FRA,CDG,AMS,MAD,JFK,DXB,SIN`);
      expect(new Set(rows.map(({ airport }) => airport))).toEqual(new Set(["LHR", "FRA", "CDG", "AMS", "MAD", "JFK"]));
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "get-carrier-ops has one row per carrier and airport",
    async check() {
      const { carriers: rows } = await bodyOf<Carriers>(`${CARRIERS}?airports=LHR,FRA`);
      const pairs = rows.map(({ airport, carrier }) => `${airport} ${carrier.iataCode}`);
      expect(pairs.length).toBeGreaterThan(2);
      expect(new Set(pairs).size).toBe(pairs.length);
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "delayPct and cancellationRate have one decimal",
    async check() {
      const { carriers: rows } = await bodyOf<Carriers>(`${CARRIERS}?airports=LHR,FRA,CDG,AMS,MAD,JFK`);
      for (const { delayPct = 0, cancellationRate } of rows) {
        for (const percent of [delayPct, cancellationRate]) expect(percent).toBe(Number(percent.toFixed(1)));
      }
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "carriers are sorted by cancellationRate, then delayPct, both descending",
    async check() {
      const { carriers: rows } = await bodyOf<Carriers>(`${CARRIERS}?airports=LHR,FRA,CDG,AMS,MAD,JFK`);
      const order = rows.map(({ cancellationRate, delayPct = 0 }) => [cancellationRate, delayPct] as const);
      expect(order).toEqual(order.toSorted(([a, b], [c, d]) => c - a || d - b));
      expect(new Set(order.map(([rate]) => rate)).size).toBeGreaterThan(1);
    },
  },
  {
    place: "NOTES §14 aviation, decision 0017",
    sentence: 'if one airport fails, the list is empty and the source is "partial"',
    async check() {
      stack.clock.advance(DAY_MS);
      stack.simulator.faults.set({ upstream: "aviationstack", match: "dep_iata=FRA" }, { kind: "html" });
      try {
        expect(await bodyOf<Carriers>(`${CARRIERS}?airports=LHR,FRA`)).toMatchObject({
          carriers: [],
          source: "partial",
        });
      } finally {
        stack.simulator.faults.clear();
      }
    },
  },
  {
    place: "NOTES §14 aviation, decision 0017",
    sentence: 'if all airports fail, the source is "error"',
    async check() {
      stack.clock.advance(DAY_MS);
      stack.simulator.faults.set({ upstream: "aviationstack" }, { kind: "html" });
      try {
        expect(await bodyOf<Carriers>(`${CARRIERS}?airports=LHR,FRA`)).toMatchObject({ carriers: [], source: "error" });
      } finally {
        stack.simulator.faults.clear();
      }
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "the departures of an airport are cached for 900 s",
    check: () => expectRemembered(`${CARRIERS}?airports=SIN`, 900 * SECOND_MS, 1),
  },
];

const WIDE = "sw_lat=30&sw_lon=-20&ne_lat=60&ne_lon=20";
/** A box small enough for adsb.lol, the provider that is tried first. */
const BOX = "sw_lat=45&sw_lon=5&ne_lat=50&ne_lon=11";

const positions: readonly Sentence[] = [
  {
    place: "NOTES §14 aviation",
    sentence: "an icao24 takes precedence over a callsign and a box",
    async check() {
      const { positions } = await bodyOf<Positions>(`${TRACK}?icao24=3c6444&callsign=NOBODY1&${WIDE}`);
      expect(positions.map(({ icao24 }) => icao24)).toEqual(["3c6444"]);
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "a callsign takes precedence over a box",
    async check() {
      const { positions: inBox } = await bodyOf<Positions>(`${TRACK}?${WIDE}`);
      const callsign = inBox.find((position) => position.callsign !== undefined)?.callsign ?? "";
      const { positions } = await bodyOf<Positions>(`${TRACK}?callsign=${callsign}&${WIDE}`);
      expect(new Set(positions.map((position) => position.callsign))).toEqual(new Set([callsign]));
      expect(inBox.length).toBeGreaterThan(positions.length);
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "a speed in metres per second is multiplied by 1.944 to give knots",
    check: () => expect([1, 100, 250].map(knotsOfMetresPerSecond)).toEqual([1.9, 194.4, 486]),
  },
  {
    place: "NOTES §14 aviation",
    sentence: "a position found by icao24 is cached for 120 s",
    check: () => expectRemembered(`${TRACK}?icao24=3c6444`, 120 * SECOND_MS, 1),
  },
  {
    place: "NOTES §14 aviation",
    sentence: "the positions in a box are cached for 120 s",
    check: () => expectRemembered(`${TRACK}?${BOX}`, 120 * SECOND_MS, 1),
  },
  {
    place: "NOTES §14 aviation",
    sentence: "a position found by callsign is cached for 60 s",
    check: () => expectRemembered(`${TRACK}?callsign=VGL100`, 60 * SECOND_MS, 1),
  },
  {
    place: "NOTES §14 aviation",
    sentence: "a search without a match is cached for 10 s",
    async check() {
      stack.clock.advance(DAY_MS);
      const calls = (await counted(`${TRACK}?callsign=NOBODY1`)).calls.length;
      expect(calls).toBeGreaterThan(0);
      stack.clock.advance(10 * SECOND_MS - 1);
      expect((await counted(`${TRACK}?callsign=NOBODY1`)).calls).toHaveLength(0);
      stack.clock.advance(1);
      expect((await counted(`${TRACK}?callsign=NOBODY1`)).calls).toHaveLength(calls);
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: 'if no position is found, the source is "none"',
    async check() {
      for (const query of ["callsign=NOBODY1", "icao24=000001", ""]) {
        expect(await bodyOf<Positions>(`${TRACK}?${query}`)).toMatchObject({ positions: [], source: "none" });
      }
    },
  },
];

const JOURNEY = `${PRICES}?origin=IST&destination=LHR&departure_date=2026-12-10`;

const prices: readonly Sentence[] = [
  {
    place: "NOTES §14 aviation",
    sentence: "in a demo, the quotes are simulated, and isDemoMode is true",
    async check() {
      const { quotes, degraded, error, isDemoMode } = await bodyOf<Prices>(JOURNEY);
      expect(quotes.length).toBeGreaterThan(0);
      expect([degraded, error, isDemoMode]).toEqual([false, "", true]);
      for (const quote of quotes) expect(quote).not.toHaveProperty("bookingUrl");
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "each quote and the answer are marked as indicative",
    async check() {
      const { quotes, isIndicative } = await bodyOf<Prices>(JOURNEY);
      expect([isIndicative, ...quotes.map((quote) => quote.isIndicative)]).toEqual([true, ...quotes.map(() => true)]);
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "an answer with the error no_results is degraded",
    async check() {
      const body = await bodyOf<Prices>(`${JOURNEY}&cabin=CABIN_CLASS_PREMIUM_ECONOMY`);
      expect(body).toMatchObject({ quotes: [], degraded: true, error: "no_results", isIndicative: false });
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "an answer with the error upstream_error is degraded",
    async check() {
      stack.clock.advance(DAY_MS);
      stack.simulator.faults.set({ upstream: "travelpayouts" }, { kind: "html" });
      try {
        const body = await bodyOf<Prices>(JOURNEY);
        expect(body).toMatchObject({ quotes: [], degraded: true, error: "upstream_error", isIndicative: false });
      } finally {
        stack.simulator.faults.clear();
        stack.clock.advance(MINUTE_MS);
      }
    },
  },
];

const headlinesOf = async (query: string): Promise<readonly Headline[]> =>
  (await bodyOf<News>(`${NEWS}?${query}`)).items;
const LONGEST = "window_hours=168&max_items=50";

const newsFrom = (entries: Parameters<typeof collectedFrom>[0]) =>
  builtFrom(aviationNews, { feeds: collectedFrom(entries) }, NOON);

/** Builds the news at the current time. */
async function freshNews(): Promise<void> {
  await stack.run("aviation-news");
}

const news: readonly Sentence[] = [
  {
    place: "NOTES §14 aviation",
    sentence: "nine feeds are read",
    check: () => expect(Object.keys(aviationNews.parts)).toHaveLength(9),
  },
  {
    place: "NOTES §14 aviation",
    sentence: "at most 30 items of a feed are used",
    check() {
      const entries = Array.from({ length: 40 }, (_, at) => entryOf("simple-flying", `t${at}`, NOON - at));
      expect(newsFrom(entries).simpleFlying).toHaveLength(30);
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "the default window is 24 h",
    async check() {
      await freshNews();
      const day = await headlinesOf("max_items=50");
      expect(day).toEqual(await headlinesOf("max_items=50&window_hours=24"));
      expect(day.length).toBeGreaterThan(0);
      const now = stack.clock.now();
      for (const { publishedAt } of day) expect(publishedAt).toBeGreaterThanOrEqual(now - DAY_MS);
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "by default, at most 20 items are returned",
    async check() {
      await freshNews();
      const items = await headlinesOf("window_hours=168");
      expect(items).toEqual((await headlinesOf(LONGEST)).slice(0, 20));
      expect(items).toHaveLength(20);
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence:
      "an entity matches as a case-insensitive substring of title and description, and is returned in upper case",
    async check() {
      await freshNews();
      const [word = ""] = (await headlinesOf(LONGEST)).flatMap(({ title }) => /\p{L}{6,}/u.exec(title) ?? []);
      const piece = word.slice(1, 5);
      const items = await headlinesOf(`${LONGEST}&entities=${encodeURIComponent(piece.toLowerCase())}`);
      expect(items.length).toBeGreaterThan(0);
      for (const { matchedEntities } of items) expect(matchedEntities).toEqual([piece.toUpperCase()]);
      expect(await headlinesOf(`${LONGEST}&entities=${encodeURIComponent(piece.toUpperCase())}`)).toEqual(items);
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "an entity that is not mentioned matches nothing",
    async check() {
      await freshNews();
      expect(await headlinesOf(`${LONGEST}&entities=qqqqqq`)).toEqual([]);
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "a snippet has at most 200 characters",
    async check() {
      await freshNews();
      const lengths = (await headlinesOf(LONGEST)).map(({ snippet = "" }) => Array.from(snippet).length);
      expect(Math.max(...lengths)).toBeGreaterThan(20);
      expect(Math.max(...lengths)).toBeLessThanOrEqual(200);
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "news items are newest first",
    async check() {
      await freshNews();
      const times = (await headlinesOf(LONGEST)).map(({ publishedAt }) => publishedAt);
      expect(times).toEqual(times.toSorted((a, b) => b - a));
      expect(new Set(times).size).toBeGreaterThan(1);
    },
  },
  {
    place: "NOTES §14 aviation, decision 0016",
    sentence: "the news is built every 900 s, independently of requests",
    async check() {
      expect(stack.dataset("aviation-news").cadenceMs).toBe(900 * SECOND_MS);
      expect((await counted(`${NEWS}?${LONGEST}`)).calls).toEqual([]);
    },
  },
];

const ID = "VigilDemo-1";

const video: readonly Sentence[] = [
  {
    place: "NOTES §14 aviation",
    sentence: "a video is looked up in the public embed metadata by its id of 11 characters",
    async check() {
      stack.clock.advance(DAY_MS);
      const { body, calls } = await counted<Video>(`${VIDEO}?video_id=${ID}`);
      expect(body).toMatchObject({ videoId: ID, title: expect.stringContaining(ID), error: "" });
      expect(calls).toEqual([expect.stringMatching(/\/oembed\?/)]);
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "isLive is always false, and hlsUrl is always empty",
    check: async () =>
      expect(await bodyOf<Video>(`${VIDEO}?video_id=${ID}`)).toMatchObject({ isLive: false, hlsUrl: "" }),
  },
  {
    place: "NOTES §14 aviation",
    sentence: "a call with a channel and no video_id returns an error without an upstream call",
    async check() {
      const { body, calls } = await counted<Video>(`${VIDEO}?channel=news`);
      expect([body.error, body.title, calls]).toEqual(["channel_live_detection_retired", "", []]);
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "a call with neither a video_id nor a channel returns an error without an upstream call",
    async check() {
      const { body, calls } = await counted<Video>(VIDEO);
      expect([body.error, calls]).toEqual(["video_id_required", []]);
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "a video_id with a space, or with more or fewer than 11 characters, is refused",
    async check() {
      for (const id of ["short", `${ID}x`, "VigilDemo 1"]) {
        expect(refusedFields(await stack.get(`${VIDEO}?video_id=${encodeURIComponent(id)}`))).toEqual(["videoId"]);
      }
    },
  },
  {
    place: "NOTES §14 aviation",
    sentence: "a video is cached for 60 s",
    check: () => expectRemembered(`${VIDEO}?video_id=${ID}`, 60 * SECOND_MS, 1),
  },
  {
    place: "NOTES §14 aviation",
    sentence: "a missing video is cached for 30 s",
    check: () => expectRemembered(`${VIDEO}?video_id=unknown-vid`, 30 * SECOND_MS, 1),
  },
];

testSentences([
  ...registry,
  ...severities,
  ...faa,
  ...samples,
  ...notams,
  ...delays,
  ...summary,
  ...flights,
  ...carriers,
  ...positions,
  ...prices,
  ...news,
  ...video,
]);
