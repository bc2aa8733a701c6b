import { beforeAll, expect } from "vitest";
import { DAY_MS } from "../../src/kit/clock.js";
import { keyOn } from "../support/callers.js";
import { bodyOf, fieldsRefusedAt, type Sentence, sharedStack, testSentences } from "../support/sentences.js";
import { json, NOON } from "../support/stack.js";

/* Sentences of SPEC and RULINGS about country intel briefs. */

const PATH = "/api/intelligence/v1/get-country-intel-brief";
const ENDPOINT = "SPEC endpoints, intelligence";
const RECORD = "SPEC resources, country intel brief";
const FRAMEWORK_CHARACTERS_MAX = 2_000;

const stackOf = sharedStack(["air-quality", "humanitarian-summary", "us-cpi", "us-treasury-yields", "alpha-events"]);
beforeAll(async () => {
  await stackOf().runAlone("country-evidence");
});

interface Brief {
  readonly brief: string;
  readonly countryCode: string;
  readonly countryName: string;
  readonly generatedAt: number;
  readonly model: string;
  readonly degraded: boolean;
  readonly evidence: readonly {
    readonly id: string;
    readonly kind: string;
    readonly label: string;
    readonly factText: string;
    readonly asOf: string;
  }[];
}

const brief = (query: string): Promise<Brief> => bodyOf(stackOf(), `${PATH}?${query}`);
const withFramework = (text: string): string => `country_code=UA&framework=${encodeURIComponent(text)}`;

const endpoint: readonly Sentence[] = [
  {
    place: ENDPOINT,
    sentence: "country_code is required",
    check: async () => expect(await fieldsRefusedAt(stackOf(), PATH)).toEqual(["countryCode"]),
  },
  ...["ua", "Ua", "UKR", "U", "U1", "U-", " UA", "ÜA"].map(
    (code): Sentence => ({
      place: ENDPOINT,
      sentence: `country_code is two upper-case letters, so ${JSON.stringify(code)} is refused`,
      check: async () =>
        expect(await fieldsRefusedAt(stackOf(), `${PATH}?country_code=${encodeURIComponent(code)}`)).toEqual([
          "countryCode",
        ]),
    }),
  ),
  ...["UA", "US", "SD", "NR", "ZZ"].map(
    (code): Sentence => ({
      place: ENDPOINT,
      sentence: `a country_code of two upper-case letters is accepted: ${code}`,
      check: async () => expect((await brief(`country_code=${code}`)).countryCode).toBe(code),
    }),
  ),
  {
    place: "SPEC limits: framework text",
    sentence: "a framework is optional",
    check: async () => expect((await brief("country_code=UA&framework=")).degraded).toBe(false),
  },
  ...["x", "ü", "😀"].flatMap((character): Sentence[] => [
    {
      place: "SPEC limits: framework text, RULINGS 3",
      sentence: `a framework of 2,000 characters is accepted, however many bytes they take: ${character}`,
      check: async () => {
        const answer = await stackOf().get(`${PATH}?${withFramework(character.repeat(FRAMEWORK_CHARACTERS_MAX))}`);
        expect(answer.status).toBe(200);
      },
    },
    {
      place: "SPEC limits: framework text, RULINGS 3",
      sentence: `a framework of 2,001 characters gets a 400 that names framework: ${character}`,
      check: async () => {
        const target = `${PATH}?${withFramework(character.repeat(FRAMEWORK_CHARACTERS_MAX + 1))}`;
        expect(await fieldsRefusedAt(stackOf(), target)).toEqual(["framework"]);
      },
    },
  ]),
  {
    place: `${ENDPOINT}, Pro`,
    sentence: "tier 1 or higher is required: a key on a paid plan can request a brief; a key on the free plan cannot",
    check: async () => {
      const statusOf = async (plan: "free" | "starter"): Promise<number> =>
        (await stackOf().get(`${PATH}?country_code=UA`, { "x-service-key": await keyOn(stackOf(), plan) })).status;
      expect([await statusOf("starter"), await statusOf("free")]).toEqual([200, 403]);
    },
  },
];

const records: readonly Sentence[] = [
  {
    place: RECORD,
    sentence: "the answer has the country's code and name, the generated text, its time, its evidence and the model",
    check: async () => {
      const ukraineBrief = await brief("country_code=UA");
      expect(ukraineBrief).toMatchObject({ countryCode: "UA", countryName: "Ukraine", generatedAt: NOON });
      expect(ukraineBrief.brief.length).toBeGreaterThan(100);
      expect(ukraineBrief.model).toMatch(/./);
      expect(ukraineBrief.evidence.length).toBeGreaterThan(0);
    },
  },
  {
    place: RECORD,
    sentence: "each piece of evidence has id, kind, label, factText and asOf",
    check: async () => {
      for (const piece of (await brief("country_code=UA")).evidence) {
        expect(piece).toMatchObject({
          id: expect.stringMatching(/^E[1-9]\d*$/),
          kind: expect.stringMatching(/^[a-z-]+$/),
          label: expect.stringMatching(/./),
          factText: expect.stringMatching(/\.$/),
        });
        expect(Date.parse(piece.asOf)).toBeLessThanOrEqual(NOON);
      }
    },
  },
  {
    place: RECORD,
    sentence: "ids are unique, and the text cites each of them",
    check: async () => {
      const { brief: text, evidence } = await brief("country_code=UA");
      const ids = evidence.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const id of ids) expect(text).toMatch(new RegExp(`\\[(?:[^\\]]*, ?)?${id}[\\],]`));
    },
  },
  {
    place: RECORD,
    sentence: "everything that the text cites is in the evidence",
    check: async () => {
      const { brief: text, evidence } = await brief("country_code=UA");
      const cited = new Set([...text.matchAll(/\bE\d+\b/g)].map(([id]) => id));
      expect([...cited].sort()).toEqual(evidence.map(({ id }) => id).sort());
    },
  },
  {
    place: "RULINGS 24",
    sentence: "a brief without text has the time of the answer, is no-store and has no ETag",
    check: async () => {
      const target = `${PATH}?country_code=ZZ`;
      const first = await stackOf().get(target);
      expect(json(first)).toMatchObject({ brief: "", model: "", evidence: [], generatedAt: stackOf().clock.now() });
      expect(first.headers).not.toHaveProperty("ETag");
      expect(first.headers["Cache-Control"]).toBe("no-store");
      stackOf().clock.advance(7);
      expect(json(await stackOf().get(target))).toMatchObject({ generatedAt: stackOf().clock.now() });
    },
  },
  {
    place: "RULINGS 24",
    sentence: "a brief has no text once its evidence is too old",
    check: async () => {
      stackOf().clock.advance(200 * DAY_MS);
      const answer = await stackOf().get(`${PATH}?country_code=UA`);
      expect(json(answer)).toMatchObject({ brief: "", degraded: true, generatedAt: stackOf().clock.now() });
      expect(answer.headers["Cache-Control"]).toBe("no-store");
    },
  },
];

testSentences([...endpoint, ...records]);
