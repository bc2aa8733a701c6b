import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/kit/clock.js";
import type { BriefEvidence, EvidenceKind } from "../../src/services/intelligence/records.js";
import { briefText } from "../../src/services/intelligence/rules/brief-text.js";
import { type EvidenceDraft, evidenceAt } from "../../src/services/intelligence/rules/evidence/draft.js";
import { type Headline, headlineEvidence } from "../../src/services/intelligence/rules/evidence/headlines.js";
import { type Claim, grounded } from "../../src/services/intelligence/rules/grounding/grounding.js";
import { restsRightly, type Section, sections } from "../../src/services/intelligence/rules/sections.js";
import { storeHeadlines } from "../support/headlines.js";
import { type Sentence, testSentences } from "../support/sentences.js";
import { json, NOON, type Stack, startStack } from "../support/stack.js";

/* Section 14 of NOTES.md (country brief), with rulings 3, 16 and 24 and decision 0020. */

const BRIEF = "/api/intelligence/v1/get-country-intel-brief";

interface Brief {
  readonly brief: string;
  readonly countryName: string;
  readonly generatedAt: number;
  readonly model: string;
  readonly sources: readonly { readonly title: string; readonly source: string; readonly publishedAt: string }[];
  readonly evidence: readonly { readonly id: string; readonly kind: string; readonly factText: string }[];
}
interface Chat {
  readonly temperature: number;
  readonly max_tokens: number;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

const headline = (title: string, values: Partial<Headline> = {}): Headline => ({
  title,
  source: "Example Times",
  link: "https://news.example/1",
  publishedAt: NOON - HOUR_MS,
  ...values,
});

/** The requests that the model received, and the function that writes its replies. */
const chats: Chat[] = [];
let reply: (facts: readonly { readonly id: string; readonly kind: string; readonly fact: string }[]) => string;
const model = createServer(async (request, response: ServerResponse) => {
  const chat = JSON.parse(await text(request)) as Chat;
  chats.push(chat);
  const [, material = ""] =
    /^BEGIN MATERIAL \w+\n(.*)\nEND MATERIAL \w+$/ms.exec(chat.messages[1]?.content ?? "") ?? [];
  const { evidence } = JSON.parse(material) as { evidence: Parameters<typeof reply>[0] };
  response.setHeader("Content-Type", "application/json");
  response.end(JSON.stringify({ model: "answering-model-7", choices: [{ message: { content: reply(evidence) } }] }));
});

let stack: Stack;
beforeAll(async () => {
  await new Promise<void>((resolve) => model.listen(0, "127.0.0.1", resolve));
  // A TCP server that listens has an address with a port.
  const { port } = model.address() as AddressInfo;
  stack = await startStack({
    env: { VIGIL_MODEL_URL: `http://127.0.0.1:${port}/v1` },
    filled: ["air-quality", "humanitarian-summary", "us-treasury-yields"],
  });
}, 60_000);
afterAll(async () => {
  await stack.close();
  await new Promise((resolve) => {
    model.close(resolve);
    model.closeAllConnections();
  });
});

/** The brief, requested in a new minute so that no earlier failure is cached. */
async function briefOf(query = "country_code=UA"): Promise<Brief> {
  stack.clock.advance(2 * MINUTE_MS);
  const answer = await stack.get(`${BRIEF}?${query}`);
  expect(answer.status, String(answer.body)).toBe(200);
  // The cast is safe, because the operation declares this shape.
  return json(answer) as Brief;
}

const stating: typeof reply = (facts) =>
  JSON.stringify({
    claims: facts
      .filter(({ kind }) => kind === "headline")
      .map(({ id, fact }) => ({ section: "situation", text: fact, cites: [id] })),
  });

let frameworks = 0;
/** Returns a query with a new framework, for which no answer is cached. */
const fresh = (): string => {
  frameworks += 1;
  return `country_code=UA&framework=wish+${frameworks}`;
};

function item(id: string, kind: EvidenceKind, factText: string): BriefEvidence {
  return {
    id,
    kind,
    label: "Label",
    value: "value",
    factText,
    asOf: new Date(NOON).toISOString(),
    url: "https://a.example",
  };
}

const evidence = [
  item("E1", "humanitarian", "In September 2026 there were 412 events of political violence in Ukraine."),
  item("E2", "economic", "The 10-year yield was 4.25 percent on 17 November 2026."),
  item("E3", "headline", '"Ukraine closes its airspace" (Example Times, 18 November 2026).'),
];
const claim = (section: Section, words: string, ...cites: readonly string[]): Claim => ({
  section,
  text: words,
  cites,
});
const kept = (...claims: readonly Claim[]) => grounded(claims, { code: "UA", evidence, headlinesLead: true }).claims;

const drafts: readonly Sentence[] = [
  {
    place: "NOTES §14 brief",
    sentence: "ids are E1 to En in the order of the evidence",
    check() {
      const draft = (at: number): EvidenceDraft => ({
        kind: "economic",
        label: "l",
        value: "v",
        factText: "f",
        at,
        age: "yields",
        url: "https://a.example",
      });
      expect(evidenceAt([draft(NOON), draft(NOON - 1), draft(NOON - 2)], NOON).map(({ id }) => id)).toEqual([
        "E1",
        "E2",
        "E3",
      ]);
    },
  },
  {
    place: "NOTES §14 brief",
    sentence: "evidence may be dated at most 5 min in the future",
    check() {
      const draft = (at: number): EvidenceDraft => ({
        kind: "economic",
        label: "l",
        value: "v",
        factText: "f",
        at,
        age: "yields",
        url: "https://a.example",
      });
      expect(evidenceAt([draft(NOON + 5 * MINUTE_MS)], NOON)).toHaveLength(1);
      expect(evidenceAt([draft(NOON + 5 * MINUTE_MS + 1)], NOON)).toEqual([]);
    },
  },
  {
    place: "NOTES §14 brief, ruling 16",
    sentence: "evidence older than the maximum age of its kind is dropped: 5 h for air quality",
    check() {
      const draft = (at: number): EvidenceDraft => ({
        kind: "air-quality",
        label: "l",
        value: "v",
        factText: "f",
        at,
        age: "airQuality",
        url: "https://a.example",
      });
      expect(evidenceAt([draft(NOON - 5 * HOUR_MS)], NOON)).toHaveLength(1);
      expect(evidenceAt([draft(NOON - 5 * HOUR_MS - 1)], NOON)).toEqual([]);
    },
  },
  {
    place: "NOTES §14 brief",
    sentence: "the first 15 headlines that match the country are considered, and at most 6 of them are used",
    check() {
      const many = Array.from({ length: 20 }, (_, at) => headline(`Ukraine ${at}`));
      const evidence = headlineEvidence("UA", many, () => ["UA"]);
      expect(evidence).toHaveLength(20);
      expect(evidenceAt(evidence, NOON).map(({ value }) => value)).toEqual(many.slice(0, 6).map(({ title }) => title));
      // The sixteenth is ignored, even if the first fifteen are all the same headline.
      const repeated = many.map((item, at) => (at < 15 ? headline("Ukraine again") : item));
      expect(
        evidenceAt(
          headlineEvidence("UA", repeated, () => ["UA"]),
          NOON,
        ),
      ).toHaveLength(1);
    },
  },
  {
    place: "NOTES §14 brief",
    sentence: "a title has at most 160 characters, a source at most 80, and publishedAt is in ISO 8601",
    async check() {
      await storeHeadlines(stack, [headline(`Ukraine ${"x".repeat(300)}`, { source: "S".repeat(200) })]);
      reply = stating;
      const { sources } = await briefOf(fresh());
      expect(sources).toHaveLength(1);
      expect(sources[0]?.title).toHaveLength(160);
      expect(sources[0]?.source).toHaveLength(80);
      expect(sources[0]?.publishedAt).toBe(new Date(NOON - HOUR_MS).toISOString());
    },
  },
];

const claimsMax = { situation: 2, implications: 3, risks: 3, outlook: 2, watch: 2 } as const;
const grounds: readonly (readonly [section: Section, kinds: readonly EvidenceKind[], rests: boolean])[] = [
  ["situation", ["headline"], true],
  ["situation", ["humanitarian"], false],
  ["situation", ["headline", "humanitarian"], true],
  ["implications", ["headline", "humanitarian"], true],
  ["implications", ["headline"], false],
  ["implications", ["humanitarian"], false],
  ["risks", ["disaster"], true],
  ["risks", ["headline"], false],
  ["outlook", ["market"], true],
  ["outlook", ["forecast"], true],
  ["outlook", ["market", "headline"], false],
  ["outlook", ["humanitarian"], false],
  ["watch", ["headline"], true],
  ["watch", ["forecast"], true],
];

const rules: readonly Sentence[] = [
  ...Object.entries(claimsMax).map(
    ([section, most]): Sentence => ({
      place: "NOTES §14 brief",
      sentence: `the section ${section} has at most ${most} claims`,
      check: () => expect(sections[section as Section].claimsMax).toBe(most),
    }),
  ),
  ...grounds.map(
    ([section, kinds, rests]): Sentence => ({
      place: "NOTES §14 brief",
      sentence: `claims in ${section} ${rests ? "may" : "must not"} be based on ${kinds.join(" and ")} alone`,
      check: () =>
        expect(
          restsRightly(
            section,
            kinds.map((kind, at) => item(`E${at + 1}`, kind, "Fact.")),
            true,
          ),
        ).toBe(rests),
    }),
  ),
  {
    place: "NOTES §14 brief",
    sentence: "a third claim in the situation section is dropped",
    check() {
      const facts = [
        "Ukraine closes its airspace.",
        "Ukraine has closed its airspace.",
        "The airspace of Ukraine closes.",
      ];
      const claims = facts.map((words) => claim("situation", words, "E3"));
      for (const own of claims) expect(kept(own)).toHaveLength(1);
      expect(kept(...claims)).toHaveLength(2);
    },
  },
  {
    place: "NOTES §14 brief",
    sentence: "a claim has at most 500 characters",
    check() {
      const words = (length: number) =>
        `${"There were 412 events of political violence in Ukraine".padEnd(length - 1, " ")}.`;
      expect(kept(claim("risks", words(500), "E1"))).toHaveLength(1);
      expect(kept(claim("risks", words(501), "E1"))).toEqual([]);
    },
  },
  {
    place: "NOTES §14 brief",
    sentence: "a claim is one line",
    check() {
      expect(kept(claim("risks", "There were 412 events of political violence in Ukraine.", "E1"))).toHaveLength(1);
      expect(kept(claim("risks", "There were 412 events\nof political violence in Ukraine.", "E1"))).toEqual([]);
    },
  },
  {
    place: "NOTES §14 brief",
    sentence: "the numbers in a claim must equal those in its cited evidence",
    check() {
      for (const count of ["413", "41", "4,120", "more than 400"]) {
        expect(kept(claim("risks", `There were ${count} events of political violence in Ukraine.`, "E1"))).toEqual([]);
      }
    },
  },
  {
    place: "NOTES §14 brief",
    sentence: "a claim is dropped if it cites nothing or unknown evidence, or if the cited evidence does not state it",
    check() {
      const words = "There were 412 events of political violence in Ukraine.";
      expect(kept(claim("risks", words))).toEqual([]);
      expect(kept(claim("risks", words, "E9"))).toEqual([]);
      expect(kept(claim("risks", words, "E2"))).toEqual([]);
    },
  },
  {
    place: "NOTES §14 brief",
    sentence: "the text consists of heading lines, and claim lines that end with [n] or [En]",
    check() {
      const { brief } = briefText(
        [
          claim("situation", "Ukraine closes its airspace.", "E3"),
          claim("risks", "There were 412 events.", "E1", "E3"),
        ],
        evidence,
      );
      expect(brief).toBe("Situation\nUkraine closes its airspace. [1]\n\nRisks\nThere were 412 events. [E1][1]");
    },
  },
  {
    place: "NOTES §14 brief",
    sentence: "only the evidence and sources that the text cites are returned",
    check() {
      const { evidence: cited, sources } = briefText([claim("risks", "There were 412 events.", "E1")], evidence);
      expect([cited.map(({ id }) => id), sources]).toEqual([["E1"], []]);
    },
  },
];

const writing: readonly Sentence[] = [
  {
    place: "NOTES §14 brief",
    sentence: "the request to the model has a temperature of 0.4 and a max_tokens of 1100",
    async check() {
      await storeHeadlines(stack, [headline("Ukraine closes its airspace")]);
      reply = stating;
      chats.length = 0;
      await briefOf(fresh());
      expect(chats).toMatchObject([{ temperature: 0.4, max_tokens: 1_100 }]);
    },
  },
  {
    place: "NOTES §14 brief",
    sentence: "the member `model` is the name that the answering provider reports",
    async check() {
      await storeHeadlines(stack, [headline("Ukraine closes its airspace")]);
      reply = stating;
      expect((await briefOf(fresh())).model).toBe("answering-model-7");
    },
  },
  {
    place: "NOTES §14 brief, decision 0020",
    sentence: "without a relevant headline, the model is not called",
    async check() {
      await storeHeadlines(stack, [headline("Nothing of note")]);
      chats.length = 0;
      expect((await briefOf(fresh())).model).toBe("vigil-extractive/1");
      expect(chats).toEqual([]);
    },
  },
  {
    place: "NOTES §14 brief, decision 0020",
    sentence: "the text of a brief is cached for 6 h per country and framework",
    async check() {
      await storeHeadlines(stack, [headline("Ukraine closes its airspace", { publishedAt: stack.clock.now() })]);
      reply = stating;
      chats.length = 0;
      const query = fresh();
      const first = await briefOf(query);
      expect(chats).toHaveLength(1);
      stack.clock.set(first.generatedAt + 6 * HOUR_MS - 1);
      await storeHeadlines(stack, [headline("Ukraine closes its airspace")]);
      expect(json(await stack.get(`${BRIEF}?${query}`))).toEqual(first);
      expect(chats).toHaveLength(1);
      expect((await briefOf(query)).generatedAt).toBeGreaterThan(first.generatedAt);
      expect(chats).toHaveLength(2);
      await briefOf(fresh());
      expect(chats).toHaveLength(3);
    },
  },
  {
    place: "NOTES §14 brief",
    sentence: "if every claim of the situation section is dropped, the brief fails",
    async check() {
      await storeHeadlines(stack, [headline("Ukraine closes its airspace", { publishedAt: stack.clock.now() })]);
      reply = () => JSON.stringify({ claims: [{ section: "situation", text: "War in Narnia.", cites: ["E1"] }] });
      expect(await briefOf(fresh())).toMatchObject({ brief: "", model: "", evidence: [] });
    },
  },
  {
    place: "NOTES §14 brief",
    sentence: "a failure is a 200 with the country's name, the current time, and empty brief, model and evidence",
    async check() {
      await storeHeadlines(stack, [headline("Ukraine closes its airspace", { publishedAt: stack.clock.now() })]);
      reply = () => "I cannot help with that.";
      const brief = await briefOf(fresh());
      expect(brief).toMatchObject({ brief: "", model: "", evidence: [], countryName: "Ukraine" });
      expect(brief.generatedAt).toBe(stack.clock.now());
    },
  },
  {
    place: "NOTES §14 brief",
    sentence: "a source without usable evidence is skipped, and the others are used",
    async check() {
      stack.clock.advance(DAY_MS);
      await stack.run("humanitarian-summary");
      await storeHeadlines(stack, []);
      const { evidence: cited, model: writer } = await briefOf(fresh());
      expect(writer).toBe("vigil-extractive/1");
      expect(cited.map(({ kind }) => kind)).toEqual(["humanitarian"]);
    },
  },
];

testSentences([...drafts, ...rules, ...writing]);
