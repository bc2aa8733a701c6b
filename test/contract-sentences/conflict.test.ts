import { describe, expect } from "vitest";
import { DAY_MS, HOUR_MS } from "../../src/kit/clock.js";
import { countryCodes } from "../../src/services/conflict/rules/country-codes.js";
import { type EventKind, type Figures, summariesOf } from "../../src/services/conflict/rules/humanitarian.js";
import { bodyOf, breakBody, fieldsRefusedAt, type Sentence, sharedStack, testSentences } from "../support/sentences.js";
import { json, NOON } from "../support/stack.js";

/* Sentences of SPEC and RULINGS about the conflict operations. */

const stackOf = sharedStack("all");

const ALPHA = "/api/conflict/v1/list-alpha-events";
const BETA = "/api/conflict/v1/list-beta-events";
const SUMMARY = "/api/conflict/v1/get-humanitarian-summary";
const ALPHA_RULES = "SPEC rules of list-alpha-events";
const INT64 = { min: "-9223372036854775808", max: "9223372036854775807" };
/** Midnight UTC of the simulated day. */
const TODAY = NOON - 12 * HOUR_MS;

interface AlphaEvent {
  readonly id: string;
  readonly country: string;
  readonly fatalities: number;
  readonly fatalitiesKnown?: boolean;
  readonly location?: { readonly latitude: number; readonly longitude: number };
  readonly occurredAt: number;
}
interface BetaEvent {
  readonly id: string;
  readonly country: string;
  readonly dateStart: number;
  readonly dateEnd: number;
  readonly deathsBest: number;
  readonly deathsHigh: number;
}
interface List<T> {
  readonly events: readonly T[];
  readonly pagination: { readonly nextCursor: string; readonly totalCount: number };
}

const targetOf = (path: string, query: string): string => (query === "" ? path : `${path}?${query}`);
const alpha = async (query = ""): Promise<readonly AlphaEvent[]> =>
  (await bodyOf<List<AlphaEvent>>(stackOf(), targetOf(ALPHA, query))).events;
const beta = async (query = ""): Promise<readonly BetaEvent[]> =>
  (await bodyOf<List<BetaEvent>>(stackOf(), targetOf(BETA, query))).events;
const idsOf = (events: readonly { readonly id: string }[]): string[] => events.map(({ id }) => id);

const alphaRows: readonly Sentence[] = [
  {
    place: `${ALPHA_RULES} 1`,
    sentence: "requests never fetch from the upstream dataset",
    check: async () => {
      const { requests } = stackOf().simulator;
      const before = requests.list().length;
      await alpha();
      await alpha("country=UA&start=1");
      await alpha(`end=${NOON - 20 * DAY_MS}`);
      expect(requests.list()).toHaveLength(before);
    },
  },
  {
    place: `${ALPHA_RULES} 1`,
    sentence: "the snapshot holds the latest 30 days",
    check: async () => {
      const times = (await alpha()).map(({ occurredAt }) => occurredAt);
      expect(Math.min(...times)).toBeGreaterThanOrEqual(TODAY - 30 * DAY_MS);
      expect(Math.max(...times)).toBeLessThanOrEqual(NOON);
      expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(25 * DAY_MS);
    },
  },
  {
    place: `${ALPHA_RULES} 1`,
    sentence: "filters cannot retrieve history outside the snapshot",
    check: async () => expect(idsOf(await alpha(`start=1&end=${NOON}`)).sort()).toEqual(idsOf(await alpha()).sort()),
  },
  ...["", "country=", "start=0&end=0", "country=&start=0&end=0", "country=%20&start=&end="].map(
    (query): Sentence => ({
      place: `${ALPHA_RULES} 2`,
      sentence: `${query === "" ? "no filter" : query} returns the whole snapshot`,
      check: async () => {
        const { events, pagination } = await bodyOf<List<AlphaEvent>>(stackOf(), targetOf(ALPHA, query));
        expect(events).toHaveLength(pagination.totalCount);
        expect(idsOf(events)).toEqual(idsOf(await alpha()));
      },
    }),
  ),
  {
    place: `${ALPHA_RULES} 3`,
    sentence: "an unset `start` means midnight UTC 30 days ago",
    check: async () => {
      const end = NOON - 28 * DAY_MS;
      expect(await alpha(`end=${end}`)).toEqual(await alpha(`start=${TODAY - 30 * DAY_MS}&end=${end}`));
    },
  },
  {
    place: `${ALPHA_RULES} 3`,
    sentence: "an unset `end` means now",
    check: async () => {
      const start = NOON - 2 * DAY_MS;
      expect(await alpha(`start=${start}`)).toEqual(await alpha(`start=${start}&end=${NOON}`));
    },
  },
  {
    place: `${ALPHA_RULES} 3`,
    sentence: "a country filter without a time range selects the 30 days until now",
    check: async () =>
      expect(await alpha("country=SD")).toEqual(await alpha(`country=SD&start=${TODAY - 30 * DAY_MS}&end=${NOON}`)),
  },
  {
    place: "RULINGS 21, list-alpha-events",
    sentence: "a `start` after `end` matches nothing and is not an error",
    check: async () => expect(await alpha(`start=${NOON}&end=${NOON - DAY_MS}`)).toEqual([]),
  },
  {
    place: "SPEC endpoints, list-alpha-events",
    sentence: "start is inclusive",
    check: async () => {
      const day = TODAY - 3 * DAY_MS;
      const events = await alpha(`start=${day}&end=${day + DAY_MS - 1}`);
      expect(events.length).toBeGreaterThan(0);
      expect(new Set(events.map(({ occurredAt }) => occurredAt))).toEqual(new Set([day]));
      expect(await alpha(`start=${day + 1}&end=${day + DAY_MS - 1}`)).toEqual([]);
    },
  },
  {
    place: "SPEC endpoints, list-alpha-events",
    sentence: "end is inclusive",
    check: async () => {
      const day = TODAY - 3 * DAY_MS;
      expect((await alpha(`start=${day}&end=${day}`)).length).toBeGreaterThan(0);
      expect(await alpha(`start=${day - DAY_MS + 1}&end=${day - 1}`)).toEqual([]);
    },
  },
  {
    place: `${ALPHA_RULES} 4`,
    sentence: "every event has valid coordinates",
    check: async () => {
      for (const { location } of await alpha()) {
        expect(Math.abs(location?.latitude ?? Number.NaN)).toBeLessThanOrEqual(90);
        expect(Math.abs(location?.longitude ?? Number.NaN)).toBeLessThanOrEqual(180);
      }
    },
  },
  {
    place: `${ALPHA_RULES} 6, authentication 4`,
    sentence: "a call without a credential is rejected",
    check: async () => {
      const answer = await stackOf().get(ALPHA, {});
      expect([answer.status, json(answer)]).toEqual([401, { error: "API key required" }]);
    },
  },
  ...[
    "page_size=1",
    "page_size=-1",
    "page_size=many",
    "cursor=x",
    "cursor=a&cursor=b",
    "page_size=1&cursor=pg1.x.y",
  ].map(
    (query): Sentence => ({
      place: "SPEC endpoints, list-alpha-events; RULINGS 1 and 21",
      sentence: `page_size and cursor have no effect: ${query}`,
      check: async () => expect(await alpha(query)).toEqual(await alpha()),
    }),
  ),
  {
    place: "RULINGS 1, list-alpha-events",
    sentence: "pagination has the total count and no next page",
    check: async () => {
      const { events, pagination } = await bodyOf<List<AlphaEvent>>(stackOf(), `${ALPHA}?page_size=1`);
      expect(pagination).toEqual({ nextCursor: "", totalCount: events.length });
    },
  },
  {
    place: "RULINGS 11",
    sentence: "uncounted fatalities are marked with fatalitiesKnown: false",
    check: async () => {
      const flagged = (await alpha()).filter((event) => "fatalitiesKnown" in event);
      expect(flagged.length).toBeGreaterThan(0);
      for (const { fatalities, fatalitiesKnown } of flagged) expect([fatalities, fatalitiesKnown]).toEqual([0, false]);
    },
  },
];

interface Filtered {
  readonly name: string;
  readonly path: string;
  readonly list: (query?: string) => Promise<readonly { readonly id: string; readonly country: string }[]>;
}

/** Sentences that hold for both event lists. */
function filterRows({ name, path, list }: Filtered): readonly Sentence[] {
  /** The name of a country in `codes` that has events. */
  const subject = async (): Promise<string> => {
    const countries = (await list()).map(({ country }) => country);
    return countries.find((country) => country in codes) ?? "";
  };
  return [
    {
      place: `SPEC endpoints, ${name}; RULINGS 2`,
      sentence: "`country` matches the alpha-2 code",
      check: async () => {
        const country = await subject();
        const events = await list(`country=${codes[country]}`);
        expect(events.length).toBeGreaterThan(0);
        expect(new Set(events.map((event) => event.country))).toEqual(new Set([country]));
      },
    },
    {
      place: `SPEC endpoints, ${name}; RULINGS 2`,
      sentence: "`country` matches the name as well as the code, in upper and lower case",
      check: async () => {
        const country = await subject();
        const ids = idsOf(await list(`country=${codes[country]}`));
        for (const text of [country, country.toLowerCase(), country.toUpperCase(), codes[country]?.toLowerCase()]) {
          expect(idsOf(await list(`country=${encodeURIComponent(text ?? "")}`))).toEqual(ids);
        }
      },
    },
    ...Object.values(INT64).flatMap((value) =>
      ["start", "end"].map(
        (field): Sentence => ({
          place: `RULINGS 21, ${name}`,
          sentence: `${field} accepts the whole int64 range: ${value}`,
          check: async () => expect((await stackOf().get(`${path}?${field}=${value}`)).status).toBe(200),
        }),
      ),
    ),
    ...["9223372036854775808", "2026-11-18", "1.5"].flatMap((value) =>
      ["start", "end"].map(
        (field): Sentence => ({
          place: `SPEC endpoints, ${name}`,
          sentence: `${field} is an int64 in epoch ms, so ${value} is refused`,
          check: async () => expect(await fieldsRefusedAt(stackOf(), `${path}?${field}=${value}`)).toEqual([field]),
        }),
      ),
    ),
    {
      place: `RULINGS 20, ${name}`,
      sentence: "ids are unique in the list",
      check: async () => {
        const ids = idsOf(await list());
        expect(ids.length).toBeGreaterThan(100);
        expect(new Set(ids).size).toBe(ids.length);
      },
    },
  ];
}

/** Codes of countries with many simulated events, by the name that the sources use. */
const codes: Readonly<Record<string, string>> = {
  Ukraine: "UA",
  Sudan: "SD",
  Somalia: "SO",
  Nigeria: "NG",
  Mexico: "MX",
  Colombia: "CO",
  India: "IN",
  Kenya: "KE",
  Iraq: "IQ",
  Brazil: "BR",
};

const betaRows: readonly Sentence[] = [
  {
    place: "RULINGS 2, list-beta-events",
    sentence: "the range from `start` to `end` selects the events whose days overlap it",
    check: async () => {
      const whole = await beta();
      const newest = Math.max(...whole.map(({ dateEnd }) => dateEnd));
      const [start, end] = [newest - 10 * DAY_MS, newest - 5 * DAY_MS];
      const events = await beta(`start=${start}&end=${end}`);
      expect(events.length).toBeGreaterThan(0);
      for (const { dateStart, dateEnd } of events) {
        expect([dateStart <= end, dateEnd >= start]).toEqual([true, true]);
      }
      const expected = whole.filter(({ dateStart, dateEnd }) => dateStart <= end && dateEnd >= start);
      expect(idsOf(events).sort()).toEqual(idsOf(expected).sort());
    },
  },
  {
    place: "RULINGS 2, list-beta-events",
    sentence: "`start` and `end` are inclusive: an event matches when both equal its last day",
    check: async () => {
      const [event] = await beta("page_size=1");
      if (!event) throw new Error("there is no event");
      expect(idsOf(await beta(`start=${event.dateEnd}&end=${event.dateEnd}`))).toContain(event.id);
      expect(idsOf(await beta(`start=${event.dateEnd + DAY_MS}`))).not.toContain(event.id);
    },
  },
  {
    place: "SPEC resources, beta violence event",
    sentence: "dateStart is not after dateEnd, and deathsBest is not above deathsHigh",
    check: async () => {
      for (const { dateStart, dateEnd, deathsBest, deathsHigh } of await beta()) {
        expect([dateStart <= dateEnd, deathsBest <= deathsHigh]).toEqual([true, true]);
      }
    },
  },
];

interface Humanitarian {
  readonly summary?: {
    readonly countryCode: string;
    readonly conflictEventsTotal: number;
    readonly conflictPoliticalViolenceEvents: number;
    readonly conflictFatalities: number;
    readonly conflictDemonstrations: number;
    readonly civilianTargetingEvents: number;
    readonly civilianTargetingFatalities: number;
    readonly referencePeriod: string;
    readonly updatedAt: number;
  };
}

const humanitarian = async (code: string): Promise<NonNullable<Humanitarian["summary"]>> => {
  const { summary } = await bodyOf<Humanitarian>(stackOf(), `${SUMMARY}?country_code=${code}`);
  if (!summary) throw new Error(`no summary of ${code}`);
  return summary;
};

const figure = (kind: EventKind, events: number, deaths?: number): Figures => ({
  countryCode: "SD",
  place: "Sudan",
  adminLevel: 0,
  period: "2026-10-01",
  kind,
  events,
  ...(deaths !== undefined && { deaths }),
});

const summaryRows: readonly Sentence[] = [
  {
    place: "RULINGS 18",
    sentence: "civilian targeting counts as political violence if a location has no row for political violence",
    check: () => {
      const [summary] = summariesOf([figure("civilian_targeting", 3, 4), figure("demonstration", 2)]);
      expect(summary).toMatchObject({
        conflictEventsTotal: 5,
        conflictPoliticalViolenceEvents: 3,
        conflictFatalities: 4,
        civilianTargetingEvents: 3,
        conflictDemonstrations: 2,
      });
    },
  },
  {
    place: "RULINGS 18",
    sentence: "civilian targeting is not added to political violence if the location has a row for political violence",
    check: () => {
      const [summary] = summariesOf([figure("civilian_targeting", 3, 4), figure("political_violence", 7, 9)]);
      expect(summary).toMatchObject({ conflictEventsTotal: 7, conflictFatalities: 9, civilianTargetingEvents: 3 });
    },
  },
  {
    place: "SPEC endpoints, get-humanitarian-summary",
    sentence: "every code of the documented enum is accepted, and is an alpha-2 code",
    check: async () => {
      expect(new Set(countryCodes).size).toBe(239);
      for (const code of countryCodes) {
        expect(code).toMatch(/^[A-Z]{2}$/);
        expect((await stackOf().get(`${SUMMARY}?country_code=${code}`)).status).toBe(200);
      }
    },
  },
  {
    place: "SPEC endpoints, get-humanitarian-summary",
    sentence: "country_code is required",
    check: async () => expect(await fieldsRefusedAt(stackOf(), SUMMARY)).toEqual(["countryCode"]),
  },
  ...["ua", "UKR", "ZZ", "U", "00"].map(
    (code): Sentence => ({
      place: "SPEC endpoints, get-humanitarian-summary",
      sentence: `country_code is one of the alpha-2 codes, so ${code} is refused`,
      check: async () =>
        expect(await fieldsRefusedAt(stackOf(), `${SUMMARY}?country_code=${code}`)).toEqual(["countryCode"]),
    }),
  ),
  {
    place: "SPEC endpoints, get-humanitarian-summary",
    sentence: "the summary has event counts, fatalities, demonstrations, reference period and update time",
    check: async () =>
      expect(await humanitarian("SD")).toMatchObject({
        countryCode: "SD",
        conflictEventsTotal: expect.any(Number),
        conflictFatalities: expect.any(Number),
        conflictDemonstrations: expect.any(Number),
        referencePeriod: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
        updatedAt: NOON,
      }),
  },
  {
    place: "RULINGS 18",
    sentence: "conflictEventsTotal is the sum of political violence and demonstrations",
    check: async () => {
      for (const code of ["SD", "UA", "NG", "SO"]) {
        const { conflictEventsTotal, conflictPoliticalViolenceEvents, conflictDemonstrations } =
          await humanitarian(code);
        expect(conflictEventsTotal).toBe(conflictPoliticalViolenceEvents + conflictDemonstrations);
      }
    },
  },
  {
    place: "RULINGS 18",
    sentence: "civilian targeting is counted separately, and is also included in political violence",
    check: async () => {
      for (const code of ["SD", "UA", "NG", "SO"]) {
        const summary = await humanitarian(code);
        expect(summary.civilianTargetingEvents).toBeLessThanOrEqual(summary.conflictPoliticalViolenceEvents);
        expect(summary.civilianTargetingFatalities).toBeLessThanOrEqual(summary.conflictFatalities);
      }
    },
  },
  {
    place: "RULINGS 11, get-humanitarian-summary",
    sentence: "a country that the source does not cover has no summary",
    check: async () => expect(await bodyOf(stackOf(), `${SUMMARY}?country_code=AQ`)).toEqual({}),
  },
];

testSentences([
  ...alphaRows,
  ...filterRows({ name: "list-alpha-events", path: ALPHA, list: alpha }),
  ...filterRows({ name: "list-beta-events", path: BETA, list: beta }),
  ...betaRows,
  ...summaryRows,
]);

describe("without a snapshot", () => {
  const emptyStackOf = sharedStack([]);

  testSentences([
    {
      place: `${ALPHA_RULES} 5`,
      sentence: "a missing snapshot means no events, and caching is disabled",
      check: async () => {
        const answer = await emptyStackOf().get(ALPHA);
        expect(answer.status).toBe(200);
        expect(json(answer)).toEqual({ events: [], pagination: { nextCursor: "", totalCount: 0 } });
        expect(answer.headers).toMatchObject({ "Cache-Control": "no-store", "X-Vigil-State": "absent" });
      },
    },
    {
      place: `${ALPHA_RULES} 5`,
      sentence: "a request does not build the missing snapshot",
      check: async () => {
        await emptyStackOf().get(ALPHA);
        expect(emptyStackOf().simulator.requests.list()).toEqual([]);
      },
    },
    {
      place: "RULINGS 11, get-humanitarian-summary",
      sentence: "without data, there is no summary, and caching is disabled",
      check: async () => {
        const answer = await emptyStackOf().get(`${SUMMARY}?country_code=SD`);
        expect([json(answer), answer.headers["Cache-Control"]]).toEqual([{}, "no-store"]);
      },
    },
  ]);
});

describe("alpha events from the fallback source", () => {
  const fallbackStackOf = sharedStack(["alpha-events"], { keyless: true, datasets: ["alpha-events"] });
  const events = async (): Promise<readonly AlphaEvent[]> =>
    (await bodyOf<List<AlphaEvent>>(fallbackStackOf(), ALPHA)).events;

  testSentences([
    {
      place: `${ALPHA_RULES} 4`,
      sentence: "fallback rows with no location are omitted",
      check: async () => {
        const listed = await events();
        expect(listed.length).toBeGreaterThan(10);
        expect(listed.filter(({ location }) => location === undefined)).toEqual([]);
      },
    },
    {
      place: "RULINGS 11",
      sentence: "fallback rows have fatalitiesKnown: false, because the source does not count deaths",
      check: async () =>
        expect(new Set((await events()).map(({ fatalitiesKnown }) => fatalitiesKnown))).toEqual(new Set([false])),
    },
  ]);
});

describe("alpha events with an unreadable snapshot", () => {
  const brokenStackOf = sharedStack(["alpha-events"], { datasets: ["alpha-events"] });

  testSentences([
    {
      place: `${ALPHA_RULES} 5`,
      sentence: "an unreadable snapshot means no events, and caching is disabled",
      check: async () => {
        const stack = brokenStackOf();
        await breakBody(stack, "alpha-events");
        const answer = await stack.get(ALPHA);
        expect([answer.status, json(answer)]).toEqual([
          200,
          { events: [], pagination: { nextCursor: "", totalCount: 0 } },
        ]);
        expect(answer.headers).toMatchObject({ "Cache-Control": "no-store", "X-Vigil-State": "unreadable" });
      },
    },
  ]);
});
