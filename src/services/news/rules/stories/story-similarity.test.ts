import { describe, expect, test } from "vitest";
import { type ComparedTitle, likeness, pairFeatures, TOGETHER_MS, weighTitles } from "./story-similarity.js";

const at = Date.UTC(2026, 4, 1, 12);
const title = (text: string, more: Partial<ComparedTitle> = {}): ComparedTitle => ({
  title: text,
  language: "en",
  publisher: text,
  publishedAt: at,
  ...more,
});

function likenessOf(a: ComparedTitle, b: ComparedTitle): number {
  const [first, second] = weighTitles([a, b]);
  if (first === undefined || second === undefined) throw new Error("no titles");
  return likeness(first, second);
}

function featuresOf(a: string, b: string): ReturnType<typeof pairFeatures> {
  const [first, second] = weighTitles([title(a), title(b)]);
  if (first === undefined || second === undefined) throw new Error("no titles");
  return pairFeatures(first, second);
}

describe("likeness", () => {
  test("is high in any word order, and despite a typing error", () => {
    const wildfire = title("Wildfire forces evacuation of villages on Greek island of Evia");
    expect(likenessOf(wildfire, title("Greek island of Evia: wildfire forces evacuation of villages"))).toBeGreaterThan(
      0.9,
    );
    expect(
      likenessOf(wildfire, title("Wildfire forces evacuation of vilages on Greek island of Evia")),
    ).toBeGreaterThan(0.9);
  });

  test("is symmetric", () => {
    const [first, second] = [title("Ferry sinks off Basilan"), title("Philippine ferry sinks, dozens missing")];
    expect(likenessOf(first, second)).toBeCloseTo(likenessOf(second, first), 12);
  });

  test("is 0 for titles in different languages", () => {
    expect(likenessOf(title("Madrid"), title("Madrid", { language: "es" }))).toBe(0);
  });

  test("falls with the time between titles and is 0 after two days", () => {
    const purchase = title("Dunmore to buy Petra for 4.2 billion");
    const later = (ms: number) =>
      likenessOf(purchase, title("Dunmore to buy Petra for 4.2 bln", { publishedAt: at + ms }));
    expect(later(TOGETHER_MS + 1)).toBe(0);
    expect(later(TOGETHER_MS)).toBeGreaterThan(0);
    expect(later(TOGETHER_MS)).toBeLessThan(later(0));
  });

  test("is below 0.5 for titles without words", () => expect(likenessOf(title("…"), title("!"))).toBeLessThan(0.5));
});

describe("pair features cover", () => {
  test("names in each title that the other title lacks", () => {
    expect(featuresOf("A strike on Kharkiv", "A strike on Odesa").otherNames).toBeGreaterThan(0.9);
    expect(featuresOf("Strike on Kharkiv", "Strike on Kharkiv again").otherNames).toBe(0);
  });

  test("decimals that differ, such as the magnitudes of two earthquakes", () => {
    expect(featuresOf("Magnitude 7.1 quake", "Magnitude 6.4 quake").otherDecimals).toBe(1);
    expect(featuresOf("Magnitude 7.1 quake", "Magnitude 7.1 quake").otherDecimals).toBe(0);
  });

  test("an abbreviation and the words that it abbreviates", () => {
    expect(featuresOf("the ECB holds", "the European Central Bank waits").names).toBeGreaterThan(0);
    expect(featuresOf("the ECB holds", "the Swiss National Bank waits").names).toBe(0);
  });
});
