import { describe, expect, test } from "vitest";
import { firstRequest, readBody } from "../../../../test/support/reading.js";
import { seededRandom } from "../../../kit/random.js";
import { chatModel, type ModelClaim } from "../sources/chat-model.js";
import { handWrittenCases } from "../testing/hand-written-cases.js";
import { type PlantedCase, plantedCase } from "../testing/planted-facts.js";
import { briefText } from "./brief-text.js";
import { grounded } from "./grounding/grounding.js";

const CASES = 100;
const random = seededRandom(20_261_118);
const cases: readonly PlantedCase[] = [
  ...handWrittenCases,
  ...Array.from({ length: CASES - handWrittenCases.length }, (_, index) => plantedCase(index, random)),
];

const prompt = { system: "", user: "" };
const request = firstRequest(chatModel, {
  url: "http://model.test/v1",
  model: "m",
  prompt,
  kind: "chat",
  tokensMax: 1,
  timeoutMs: 1,
});

/** Returns the served claims of a model's text. */
function servedOf({ code, evidence, claims }: PlantedCase): ReadonlySet<string> {
  const content = JSON.stringify({ claims: claims.map(({ section, text, cites }) => ({ section, text, cites })) });
  const { records } = readBody(chatModel, request, { model: "m", choices: [{ message: { content } }] });
  const headlinesLead = evidence.some(({ kind }) => kind === "headline");
  const kept = grounded(records as readonly ModelClaim[], { code, evidence, headlinesLead });
  expect(kept.claims.length + kept.withheld).toBeLessThanOrEqual(claims.length);
  const { brief } = briefText(kept.claims, evidence);
  for (const { text } of kept.claims) expect(brief).toContain(text);
  return new Set(kept.claims.map(({ text }) => text));
}

describe(`${CASES} texts in which at least 40 percent of the claims are invented`, () => {
  const judged = cases.map((planted) => ({ ...planted, served: servedOf(planted) }));

  test("the number of texts and the share of invented claims are as stated", () => {
    const claims = cases.flatMap((planted) => planted.claims);
    const invented = claims.filter(({ invented: what }) => what !== undefined).length;
    expect(cases).toHaveLength(CASES);
    expect(invented / claims.length).toBeGreaterThanOrEqual(0.4);
  });

  test("are served without any of the invented claims", () => {
    const escaped = judged.flatMap(({ name, claims, served }) =>
      claims
        .filter(({ text, invented }) => invented !== undefined && served.has(text))
        .map(({ text }) => `${name}: ${text}`),
    );
    expect(escaped).toEqual([]);
  });

  test("are served with at least 95 percent of the true claims", () => {
    const lost = judged.flatMap(({ name, claims, served }) =>
      claims
        .filter(({ text, invented }) => invented === undefined && !served.has(text))
        .map(({ text }) => `${name}: ${text}`),
    );
    const all = cases.flatMap(({ claims }) => claims).filter(({ invented }) => invented === undefined);
    const survived = 1 - lost.length / all.length;
    expect(survived, lost.join("\n")).toBeGreaterThanOrEqual(0.95);
  });
});
