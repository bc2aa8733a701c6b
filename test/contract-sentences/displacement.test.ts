import { expect } from "vitest";
import { bodyOf, breakBody, fieldsRefusedAt, type Sentence, sharedStack, testSentences } from "../support/sentences.js";
import { json, NOON } from "../support/stack.js";

/* Sentences of SPEC and RULINGS about displacement and internet traffic anomalies. */

const PEOPLE = "/api/displacement/v1/get-displacement-summary";
const TRAFFIC = "/api/infrastructure/v1/list-internet-traffic-anomalies";
const RULES = "SPEC rules of get-displacement-summary";
const THIS_YEAR = 2026;
/** The latest year for which the simulated source has data at the simulated time. */
const DATA_YEAR = 2025;

const stackOf = sharedStack("all");
const emptyStackOf = sharedStack([]);
const brokenStackOf = sharedStack(["displacement"], { datasets: ["displacement"] });

interface Summary {
  readonly dataAvailable: boolean;
  readonly fetchedAt: number;
  readonly summary: {
    readonly year?: number;
    readonly countries: readonly { readonly code: string }[];
    readonly topFlows: readonly object[];
  };
}

const people = (query = ""): Promise<Summary> => bodyOf(stackOf(), PEOPLE + query);
const nothing = { dataAvailable: false, fetchedAt: 0, summary: { countries: [], topFlows: [] } };

const peopleRows: readonly Sentence[] = [
  ...["", "?year=0", "?year="].map(
    (query): Sentence => ({
      place: `${RULES} 1`,
      sentence: `${query === "" ? "an omitted year" : query.slice(1)} means the latest data, and the answer states the year of the data`,
      check: async () => {
        const { dataAvailable, summary } = await people(query);
        expect([dataAvailable, summary.year]).toEqual([true, DATA_YEAR]);
      },
    }),
  ),
  {
    place: `${RULES} 1`,
    sentence: "the data year may precede the current calendar year",
    check: async () => expect((await people()).summary.year).toBeLessThan(THIS_YEAR),
  },
  ...["1950", String(THIS_YEAR + 1), "-2020", "2025.5", "last", "20250", "99999999999"].map(
    (year): Sentence => ({
      place: `${RULES} 2, errors rule 2`,
      sentence: `the year ${year} is refused`,
      check: async () => expect(await fieldsRefusedAt(stackOf(), `${PEOPLE}?year=${year}`)).toEqual(["year"]),
    }),
  ),
  {
    place: `${RULES} 2`,
    sentence: "an invalid year is refused before any stored data is read",
    check: async () => {
      const answer = await emptyStackOf().get(`${PEOPLE}?year=1950`);
      expect([answer.status, answer.headers["X-Vigil-State"]]).toEqual([400, undefined]);
    },
  },
  {
    place: `${RULES} 3`,
    sentence: "the stored data year is served on request",
    check: async () => {
      const { dataAvailable, summary } = await people(`?year=${DATA_YEAR}`);
      expect([dataAvailable, summary]).toEqual([true, (await people()).summary]);
    },
  },
  ...["1951", "2000", String(DATA_YEAR - 1), String(THIS_YEAR)].map(
    (year): Sentence => ({
      place: `${RULES} 3 and 4`,
      sentence: `the valid year ${year}, which is not stored, gets an empty answer without caching`,
      check: async () => {
        const answer = await stackOf().get(`${PEOPLE}?year=${year}`);
        expect([answer.status, json(answer)]).toEqual([200, nothing]);
        expect(answer.headers["Cache-Control"]).toBe("no-store");
      },
    }),
  ),
  {
    place: `${RULES} 4`,
    sentence: "a missing snapshot gives an empty answer without caching",
    check: async () => {
      const answer = await emptyStackOf().get(PEOPLE);
      expect([answer.status, json(answer), answer.headers["Cache-Control"]]).toEqual([200, nothing, "no-store"]);
    },
  },
  {
    place: `${RULES} 4`,
    sentence: "an unreadable snapshot gives an empty answer without caching",
    check: async () => {
      const stack = brokenStackOf();
      await breakBody(stack, "displacement");
      const answer = await stack.get(PEOPLE);
      expect([answer.status, json(answer)]).toEqual([200, nothing]);
      expect(answer.headers).toMatchObject({ "Cache-Control": "no-store", "X-Vigil-State": "unreadable" });
    },
  },
  {
    place: `${RULES} 5`,
    sentence: "requests never fetch from the upstream source",
    check: async () => {
      const { requests } = stackOf().simulator;
      const before = requests.list().length;
      await people("?country_limit=3");
      await people("?year=1999");
      await emptyStackOf().get(PEOPLE);
      expect(requests.list()).toHaveLength(before);
      expect(emptyStackOf().simulator.requests.list()).toEqual([]);
    },
  },
  {
    place: `${RULES} 5`,
    sentence: "country_limit and flow_limit shorten the response without changing the stored data",
    check: async () => {
      const whole = await people("?flow_limit=1000");
      const { summary } = await people("?country_limit=2&flow_limit=3");
      expect(summary.countries).toEqual(whole.summary.countries.slice(0, 2));
      expect(summary.topFlows).toEqual(whole.summary.topFlows.slice(0, 3));
      expect(await people("?flow_limit=1000")).toEqual(whole);
    },
  },
  {
    place: "SPEC resources, displacement summary",
    sentence: "fetchedAt is the epoch ms of the build",
    check: async () => expect((await people()).fetchedAt).toBe(NOON),
  },
];

interface Traffic {
  readonly anomalies: readonly {
    readonly asn?: string;
    readonly asnName?: string;
    readonly locationCode?: string;
    readonly latitude?: number;
    readonly startDate: number;
    readonly endDate: number;
    readonly uuid: string;
  }[];
  readonly totalCount: number;
}

const traffic = (query = ""): Promise<Traffic> => bodyOf(stackOf(), TRAFFIC + query);
const ENDPOINT = "SPEC endpoints, infrastructure";

const trafficRows: readonly Sentence[] = [
  {
    place: ENDPOINT,
    sentence: "the answer has anomalies and their totalCount",
    check: async () => {
      const { anomalies, totalCount } = await traffic();
      expect(anomalies.length).toBeGreaterThan(5);
      expect(totalCount).toBe(anomalies.length);
    },
  },
  {
    place: ENDPOINT,
    sentence: "the country filter returns only the anomalies of that country",
    check: async () => {
      const whole = (await traffic()).anomalies;
      const code = whole.find(({ locationCode }) => locationCode !== undefined)?.locationCode;
      const { anomalies, totalCount } = await traffic(`?country=${code}`);
      expect(anomalies).toEqual(whole.filter(({ locationCode }) => locationCode === code));
      expect(totalCount).toBe(anomalies.length);
    },
  },
  {
    place: ENDPOINT,
    sentence: "the country filter is optional: an empty one returns all",
    check: async () => expect(await traffic("?country=")).toEqual(await traffic()),
  },
  {
    place: ENDPOINT,
    sentence: "a country without anomalies has an empty list",
    check: async () => expect(await traffic("?country=VA")).toEqual({ anomalies: [], totalCount: 0 }),
  },
  {
    place: "RULINGS 19, list-internet-traffic-anomalies",
    sentence: "an anomaly of a whole country has no network, and a network without a name has no asnName",
    check: async () => {
      const { anomalies } = await traffic();
      expect(anomalies.some((anomaly) => !("asn" in anomaly))).toBe(true);
      for (const { asn, asnName } of anomalies) {
        expect([asn, asnName]).not.toContain("");
        expect(asn).not.toBe("0");
      }
    },
  },
  {
    place: "SPEC resources, internet traffic anomaly",
    sentence: "endDate is in epoch ms; if the anomaly has ended, endDate is after startDate",
    check: async () => {
      const ended = (await traffic()).anomalies.filter(({ endDate }) => endDate !== 0);
      expect(ended.length).toBeGreaterThan(0);
      for (const { startDate, endDate } of ended) expect(endDate).toBeGreaterThan(startDate);
    },
  },
];

testSentences([...peopleRows, ...trafficRows]);
