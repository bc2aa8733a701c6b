import { afterAll, beforeAll, expect } from "vitest";
import { silentTally } from "../../src/contract/row-tally.js";
import { DAY_MS, MINUTE_MS } from "../../src/kit/clock.js";
import { ClockPace } from "../../src/kit/loop-turns.js";
import { countryCodes } from "../../src/services/conflict/rules/country-codes.js";
import { type EventKind, type Figures, summariesOf } from "../../src/services/conflict/rules/humanitarian.js";
import { acled } from "../../src/services/conflict/sources/acled.js";
import { gedAnnualApi } from "../../src/services/conflict/sources/ucdp-api.js";
import { firstRequest, readBody } from "../support/reading.js";
import { refusedFields, type Sentence, testSentences } from "../support/sentences.js";
import { json, NOON, type Stack, startStack } from "../support/stack.js";

/* Section 14 of NOTES.md (conflict), with rulings 1, 2, 11 and 18 and decision 0015. */

const ALPHA = "/api/conflict/v1/list-alpha-events";
const BETA = "/api/conflict/v1/list-beta-events";
const HUMANITARIAN = "/api/conflict/v1/get-humanitarian-summary";
const TODAY = Math.floor(NOON / DAY_MS) * DAY_MS;
const WINDOW_START = TODAY - 30 * DAY_MS;

interface Alpha {
  readonly id: string;
  readonly country: string;
  readonly eventType: string;
  readonly occurredAt: number;
  readonly location?: { readonly latitude: number; readonly longitude: number };
}
interface Beta {
  readonly id: string;
  readonly country: string;
  readonly dateEnd: number;
  readonly violenceType: string;
}

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

const alphaEvents = async (query = "") => (await bodyOf<{ events: Alpha[] }>(`${ALPHA}?${query}`)).events;
const betaEvents = async (query = "") => (await bodyOf<{ events: Beta[] }>(`${BETA}?${query}`)).events;

/** The rows that a dataset serves from these records when no filter is set. */
function foundIn(
  name: string,
  records: Readonly<Record<string, readonly object[]>>,
): readonly { readonly id: string }[] {
  interface Index {
    find(country: string, span: object): { slice(from: number, to: number): readonly { readonly id: string }[] };
  }
  const steps = stack.dataset(name).view(records, new ClockPace(), silentTally) as Iterator<undefined, Index>;
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value.find("", { first: Number.NEGATIVE_INFINITY, last: Number.POSITIVE_INFINITY }).slice(0, 1_000);
}

const row = {
  event_id_cnty: "UKR142665",
  event_date: "2026-11-16",
  event_type: "Battles",
  actor1: "A",
  actor2: "B",
  country: "Ukraine",
  admin1: "Kharkiv",
  latitude: "49.9",
  longitude: "36.2",
  source: "S",
  fatalities: "3",
};
const readAlpha = (...values: readonly object[]): readonly unknown[] =>
  readBody(acled, firstRequest(acled, { now: NOON }), {
    success: true,
    data: values.map((own) => ({ ...row, ...own })),
  }).records;

const alpha: readonly Sentence[] = [
  {
    place: "NOTES §14 conflict",
    sentence: "alpha events come from the stored snapshot: no request reads the upstream",
    async check() {
      stack.simulator.requests.clear();
      expect((await alphaEvents("country=UA")).length).toBeGreaterThan(0);
      expect(stack.simulator.requests.list()).toEqual([]);
    },
  },
  ...["Battles", "Explosions/Remote violence", "Violence against civilians"].map(
    (type): Sentence => ({
      place: "NOTES §14 conflict",
      sentence: `the upstream event type ${type} is served`,
      async check() {
        expect(readAlpha({ event_type: type })).toEqual([expect.objectContaining({ eventType: type })]);
        expect((await alphaEvents()).map(({ eventType }) => eventType)).toContain(type);
      },
    }),
  ),
  ...["Protests", "Riots", "Strategic developments"].map(
    (type): Sentence => ({
      place: "NOTES §14 conflict",
      sentence: `the upstream event type ${type} is omitted`,
      check: () => expect(readAlpha({ event_type: type })).toEqual([]),
    }),
  ),
  {
    place: "NOTES §14 conflict",
    sentence: "an unset `start` means midnight UTC 30 days ago if there is another filter",
    async check() {
      const implicit = await alphaEvents(`end=${NOON}`);
      expect(implicit).toEqual(await alphaEvents(`start=${WINDOW_START}&end=${NOON}`));
      for (const { occurredAt } of implicit) expect(occurredAt).toBeGreaterThanOrEqual(WINDOW_START);
    },
  },
  {
    place: "NOTES §14 conflict",
    sentence: "empty and zero filters count as no filter, and return all events",
    async check() {
      const whole = await alphaEvents();
      expect(await alphaEvents("start=0&end=0&country=")).toEqual(whole);
      expect((await alphaEvents("country=UA")).length).toBeLessThan(whole.length);
    },
  },
  {
    place: "NOTES §14 conflict, ruling 2",
    sentence: "a country is matched by its name and by its alpha-2 code",
    async check() {
      const byName = await alphaEvents("country=Ukraine");
      expect(byName.length).toBeGreaterThan(0);
      expect(await alphaEvents("country=UA")).toEqual(byName);
      expect(new Set(byName.map(({ country }) => country))).toEqual(new Set(["Ukraine"]));
    },
  },
  ...(
    [
      ["without coordinates", { latitude: null, longitude: null }],
      ["with blank coordinates", { latitude: "", longitude: "" }],
      ["with a latitude above 90 degrees", { latitude: "90.1" }],
      ["with a latitude below -90 degrees", { latitude: "-90.1" }],
      ["with a longitude above 180 degrees", { longitude: "180.1" }],
    ] as const
  ).map(
    ([what, values]): Sentence => ({
      place: "NOTES §14 conflict",
      sentence: `an alpha event ${what} is omitted`,
      check: () => expect(readAlpha(values, {})).toHaveLength(1),
    }),
  ),
  {
    place: "NOTES §14 conflict",
    sentence: "every served alpha event has a location on the globe",
    async check() {
      for (const { location } of await alphaEvents()) {
        expect(Math.abs(location?.latitude ?? 91)).toBeLessThanOrEqual(90);
        expect(Math.abs(location?.longitude ?? 181)).toBeLessThanOrEqual(180);
      }
    },
  },
  {
    place: "NOTES §14 conflict",
    sentence: "an alpha id consists of a prefix and the upstream's stable id",
    async check() {
      expect(readAlpha({})).toEqual([expect.objectContaining({ id: "acled-UKR142665" })]);
      const before = (await alphaEvents()).map(({ id }) => id);
      stack.clock.advance(MINUTE_MS);
      await stack.run("alpha-events");
      expect((await alphaEvents()).map(({ id }) => id)).toEqual(before);
    },
  },
];

const ged = {
  id: 12,
  date_start: "2026-10-03",
  date_end: "2026-10-03",
  country: "Mali",
  side_a: "A",
  side_b: "B",
  best: 1,
  low: 1,
  high: 1,
  type_of_violence: 1,
  latitude: 1,
  longitude: 1,
};
const betaEvent = (id: string, daysAgo: number, deathsBest = 1) => ({
  id,
  country: "Mali",
  deathsBest,
  deathsHigh: 3,
  deathsLow: 0,
  dateStart: TODAY - daysAgo * DAY_MS,
  dateEnd: TODAY - daysAgo * DAY_MS,
  violenceType: "BETA_VIOLENCE_TYPE_STATE_BASED",
});

const beta: readonly Sentence[] = [
  {
    place: "NOTES §14 conflict",
    sentence: "the annual and the candidate release are merged",
    check: () =>
      expect(
        foundIn("beta-events", { annual: [betaEvent("a", 2)], candidate: [betaEvent("c", 1)] }).map(({ id }) => id),
      ).toEqual(["c", "a"]),
  },
  {
    place: "NOTES §14 conflict",
    sentence: "if both releases have an event with the same id, the event of the candidate release is used",
    check: () =>
      expect(foundIn("beta-events", { annual: [betaEvent("a", 2, 1)], candidate: [betaEvent("a", 2, 9)] })).toEqual([
        expect.objectContaining({ id: "a", deathsBest: 9 }),
      ]),
  },
  {
    place: "NOTES §14 conflict",
    sentence: "the window of beta events is the 365 days that end on the day of the newest event, not today",
    check() {
      const candidate = [betaEvent("newest", 40)];
      const annual = [betaEvent("inside", 40 + 364), betaEvent("outside", 40 + 365)];
      expect(foundIn("beta-events", { annual, candidate }).map(({ id }) => id)).toEqual(["newest", "inside"]);
    },
  },
  {
    place: "NOTES §14 conflict",
    sentence: "beta events are newest first",
    async check() {
      const ends = (await betaEvents()).map(({ dateEnd }) => dateEnd);
      expect(ends).toEqual(ends.toSorted((a, b) => b - a));
      expect(new Set(ends).size).toBeGreaterThan(10);
    },
  },
  {
    place: "NOTES §14 conflict, ruling 1",
    sentence: "a page has at most 2,000 beta events",
    async check() {
      const { events, pagination } = await bodyOf<{ events: Beta[]; pagination: { totalCount: number } }>(
        `${BETA}?page_size=100000`,
      );
      expect([events.length, pagination.totalCount > 2_000]).toEqual([2_000, true]);
    },
  },
  ...(
    [
      [1, "STATE_BASED"],
      [2, "NON_STATE"],
      [3, "ONE_SIDED"],
    ] as const
  ).map(
    ([code, type]): Sentence => ({
      place: "NOTES §14 conflict",
      sentence: `violence of the type ${code} is ${type}`,
      async check() {
        const request = firstRequest(gedAnnualApi, { now: NOON });
        const body = { TotalCount: 1, TotalPages: 1, Result: [{ ...ged, type_of_violence: code }] };
        const violenceType = `BETA_VIOLENCE_TYPE_${type}`;
        expect(readBody(gedAnnualApi, request, body).records).toEqual([expect.objectContaining({ violenceType })]);
        expect((await betaEvents()).some((event) => event.violenceType === violenceType)).toBe(true);
      },
    }),
  ),
];

const figures = (kind: EventKind, events: number, more: Partial<Figures> = {}): Figures => ({
  kind,
  events,
  countryCode: "SD",
  place: "",
  adminLevel: 0,
  period: "2026-09-01",
  ...more,
});
const summaryOf = (...all: readonly Figures[]) => summariesOf(all)[0];

const humanitarian: readonly Sentence[] = [
  {
    place: "NOTES §14 conflict, ruling 18",
    sentence: "the summary has country, counts, reference period and update time",
    async check() {
      const { summary } = await bodyOf<{ summary: object }>(`${HUMANITARIAN}?country_code=SD`);
      expect(summary).toMatchObject({
        countryCode: "SD",
        countryName: "Sudan",
        conflictEventsTotal: expect.any(Number),
        conflictPoliticalViolenceEvents: expect.any(Number),
        conflictFatalities: expect.any(Number),
        conflictDemonstrations: expect.any(Number),
        referencePeriod: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
        updatedAt: expect.any(Number),
      });
    },
  },
  {
    place: "NOTES §14 conflict",
    sentence: "only the latest period is used",
    check: () =>
      expect(
        summaryOf(
          figures("political_violence", 50, { period: "2026-08-01" }),
          figures("political_violence", 7),
          figures("demonstration", 90, { period: "2026-07-01" }),
        ),
      ).toMatchObject({ conflictPoliticalViolenceEvents: 7, conflictEventsTotal: 7, referencePeriod: "2026-09-01" }),
  },
  {
    place: "NOTES §14 conflict",
    sentence: "if there is a national row, the rows of subnational divisions are ignored",
    check: () =>
      expect(
        summaryOf(
          figures("political_violence", 7),
          figures("political_violence", 4, { adminLevel: 1, place: "North" }),
          figures("political_violence", 3, { adminLevel: 1, place: "South" }),
        ),
      ).toMatchObject({ conflictPoliticalViolenceEvents: 7 }),
  },
  {
    place: "NOTES §14 conflict",
    sentence: "without a national row, the rows of the deepest administrative level are used",
    check: () =>
      expect(
        summaryOf(
          figures("political_violence", 100, { adminLevel: 1, place: "North" }),
          figures("political_violence", 4, { adminLevel: 2, place: "North 1" }),
          figures("political_violence", 3, { adminLevel: 2, place: "North 2" }),
        ),
      ).toMatchObject({ conflictPoliticalViolenceEvents: 7 }),
  },
  {
    place: "NOTES §14 conflict",
    sentence: "a country that the source does not cover gets a 200 without a summary",
    async check() {
      const answer = await stack.get(`${HUMANITARIAN}?country_code=LI`);
      expect([answer.status, json(answer), answer.headers["X-Vigil-State"]]).toEqual([200, {}, "ok"]);
    },
  },
  {
    place: "NOTES §14 conflict",
    sentence: "country codes are accepted in upper case only",
    async check() {
      for (const code of ["sd", "Sd", "SDN", "Sudan", "ZZ", "1"]) {
        expect(refusedFields(await stack.get(`${HUMANITARIAN}?country_code=${code}`))).toEqual(["countryCode"]);
      }
    },
  },
  {
    place: "NOTES §14 conflict",
    sentence: "each of the 239 codes of the enum is accepted",
    async check() {
      expect(countryCodes).toHaveLength(239);
      const answers = await Promise.all(countryCodes.map((code) => stack.get(`${HUMANITARIAN}?country_code=${code}`)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    },
  },
];

testSentences([...beta, ...humanitarian, ...alpha]);
