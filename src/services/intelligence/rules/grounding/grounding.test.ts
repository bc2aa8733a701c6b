import { describe, expect, test } from "vitest";
import { headline, item } from "../../testing/evidence.js";
import { type Claim, grounded } from "./grounding.js";

const evidence = [
  item(
    "E1",
    "conflict",
    "ACLED lists 1,234 conflict events in Ukraine from 20 October to 18 November 2026, with 87 reported deaths.",
    { label: "Conflict events, ACLED", value: "1,234 events" },
  ),
  item(
    "E2",
    "conflict",
    "Conflict events that ACLED lists in Ukraine rose from 600 events (20 October to 3 November 2026) to 634 events (4 to 18 November 2026).",
    { label: "Trend: conflict events that ACLED lists", value: "600 to 634 events" },
  ),
  item(
    "E3",
    "displacement",
    "At the end of 2025, UNHCR counts 5,900,000 refugees and 3,700,000 internally displaced people originating from Ukraine.",
    { asOf: "2025-12-31T23:59:59.999Z" },
  ),
  item(
    "E4",
    "air-quality",
    "The worst air known in Ukraine is that of Kyiv with a US AQI of 162 (unhealthy) and PM2.5 at 76.5 µg/m³, measured on 18 November 2026 at 11:00 UTC (OpenAQ).",
  ),
  item("E5", "economic", "On 17 November 2026, the 10-year par yield of the US Treasury was 4.12 percent."),
  item(
    "E6",
    "aviation",
    "Boryspil (KBP) reports a closure, severity severe; 12 of 40 flights were cancelled (30 percent).",
  ),
  headline("E7", "Strike on Kharkiv kills 12, Odesa counts 3 wounded"),
];

const claim = (text: string, cites: readonly string[], section: Claim["section"] = "risks"): Claim => ({
  section,
  text,
  cites,
});
const survives = (tested: Claim, code = "UA", headlinesLead = false): boolean =>
  grounded([tested], { code, evidence, headlinesLead }).claims.length === 1;

describe("a claim is kept if its evidence supports it", () => {
  test.each<readonly [string, readonly string[]]>([
    ["ACLED lists 1,234 conflict events in Ukraine.", ["E1"]],
    ["Ukraine saw 1234 events with 87 deaths.", ["E1"]],
    ["Some 1.234 thousand events were listed by ACLED, and 87 people were killed.", ["E1"]],
    ["One thousand two hundred and thirty-four events were listed, with eighty-seven fatalities.", ["E1"]],
    ["Events rose from 600 events to 634 events.", ["E2"]],
    ["Ukrainian refugees number 5.9 million, and 3.7 million people are internally displaced.", ["E3"]],
    ["At the end of 2025 there were 5 900 000 refugees.", ["E3"]],
    ["Kyiv's air has an AQI of 162.", ["E4"]],
    ["Fine particles reach 76.5 µg/m3 in Kyiv, measured at 11:00 UTC on Nov 18, 2026.", ["E4"]],
    ["Air in KYIV was unhealthy on 2026-11-18.", ["E4"]],
    ["The 10-year yield was 4.12% on November 17.", ["E5"]],
    ["At Boryspil a dozen of 40 flights were cancelled, which is 30 per cent.", ["E6"]],
    ["A strike on Kharkiv killed 12.", ["E7"]],
    ["Odesa counts three wounded.", ["E7"]],
    ["Conflict events go on, while displacement of 5,900,000 refugees lasts.", ["E1", "E3"]],
  ])("%s", (text, cites) => {
    expect(survives(claim(text, cites, cites.includes("E7") ? "watch" : "risks"))).toBe(true);
  });
});

describe("a claim is withheld for", () => {
  test.each<readonly [what: string, text: string, cites: readonly string[]]>([
    ["a wrong number", "ACLED lists 1,235 conflict events.", ["E1"]],
    ["a wrong number in words", "ACLED lists thirteen hundred conflict events.", ["E1"]],
    ["a number a thousand times too small", "ACLED lists 1.234 conflict events.", ["E1"]],
    ["the right number for something else", "There were 1,234 deaths in conflict events.", ["E1"]],
    ["a percentage instead of a count", "Conflict events rose by 87%.", ["E1"]],
    ["a count instead of a percentage", "Of its flights 30 were cancelled at Boryspil.", ["E6"]],
    ["an invented word for what was counted", "ACLED lists 1,234 bombings.", ["E1"]],
    ["a percentage written as two words", "Deaths in conflict events rose eighty-seven per cent.", ["E1"]],
    ["thousands written as a letter", "There were 87 k deaths in conflict events.", ["E1"]],
    ["a multiplier of another language", "There were 87 lakh deaths in conflict events.", ["E1"]],
    ["a word that changes what is counted", "There were 87 child deaths in conflict events.", ["E1"]],
    ["a lower bound instead of the number", "ACLED lists more than 1,234 conflict events.", ["E1"]],
    ["an upper bound instead of the number", "There were fewer than eighty-seven deaths in conflict events.", ["E1"]],
    ["at least the number instead of the number", "ACLED lists at least 1,234 conflict events.", ["E1"]],
    ["an upper bound instead of the number of flights", "Up to 12 of 40 flights were cancelled at Boryspil.", ["E6"]],
    ["another level of the quality of air", "Kyiv's air is good with an AQI of 162.", ["E4"]],
    ["another level of severity", "Boryspil reports a closure of minor severity.", ["E6"]],
    ["a rate", "There are 87 deaths a day in conflict events.", ["E1"]],
    ["a rate given by an adverb", "Conflict events cause 87 deaths weekly.", ["E1"]],
    ["a multiple", "Conflict events saw a 12-fold rise.", ["E2"]],
    ["refugees instead of displaced people", "There are 3,700,000 refugees.", ["E3"]],
    ["an invented place", "Conflict events reached Mariupol.", ["E1"]],
    ["an invented place without a capital", "Conflict events reached london.", ["E1"]],
    ["an invented place at the beginning", "Mariupol saw conflict events.", ["E1"]],
    ["a part of the country that the evidence does not name", "Conflict events hit eastern Ukraine.", ["E1"]],
    ["another country", "Conflict events spread to Poland.", ["E1"]],
    ["another people", "Russian conflict events rose.", ["E2"]],
    ["an invented person", "Conflict events were discussed by President Smith.", ["E1"]],
    ["an invented organisation", "NATO lists 1,234 conflict events.", ["E1"]],
    ["an organisation without capitals", "The red cross counts 87 deaths in conflict events.", ["E1"]],
    ["another script", "Conflict events reached Маріуполь.", ["E1"]],
    ["the right number with the wrong place", "Odesa counts 162 on the AQI of air.", ["E4"]],
    ["a number moved from one place to another", "Strike: 12 wounded in Odesa.", ["E7"]],
    ["the number of a neighbouring place in the same headline", "In Odesa 12 were killed by the strike.", ["E7"]],
    ["evidence that does not exist", "ACLED lists 1,234 conflict events.", ["E1", "E99"]],
    ["no evidence", "ACLED lists 1,234 conflict events.", []],
    ["other evidence", "ACLED lists 1,234 conflict events.", ["E3"]],
    ["additional evidence that is irrelevant", "ACLED lists 1,234 conflict events.", ["E1", "E5"]],
    ["a wrong date", "Conflict events are listed up to 19 November 2026.", ["E1"]],
    ["a wrong year", "Conflict events of 2024 are listed.", ["E1"]],
    ["a wrong month", "Conflict events of September are listed.", ["E1"]],
    ["a wrong time of day", "Air in Kyiv was measured at 12:00 UTC.", ["E4"]],
    ["a weekday", "Conflict events were listed on Friday.", ["E1"]],
    ["an amount without a figure", "Conflict events killed dozens.", ["E1"]],
    ["a doubling", "Conflict events doubled.", ["E2"]],
    ["a fall instead of a rise", "Conflict events fell from 634 events to 600 events.", ["E2"]],
    ["a denial of what the evidence counts", "No deaths were reported in conflict events.", ["E1"]],
    ["digits in a name", "Conflict events hit sector-99 and block 7b.", ["E1"]],
    ["digits of another script", "ACLED lists ٩٩ conflict events.", ["E1"]],
    ["an address", "Conflict events: see https://evil.example/ for more.", ["E1"]],
    ["an address without a scheme", "Conflict events: see evil.com for more.", ["E1"]],
    ["markup", "Conflict <b>events</b> go on.", ["E1"]],
    ["several lines", "Conflict events go on.\nMore follows.", ["E1"]],
    ["control characters", "Conflict events\u0007 go on.", ["E1"]],
    ["reversed text", "Conflict events \u202ego on.", ["E1"]],
    ["too great a length", `Conflict events ${"go on and ".repeat(60)}on.`, ["E1"]],
    ["having no text", "  ", ["E1"]],
    ["a longer name that contains the name of the country", "South Ukraine Front lists conflict events.", ["E1"]],
  ])("%s: %s", (_, text, cites) => {
    expect(survives(claim(text, cites, cites.includes("E7") ? "watch" : "risks"))).toBe(false);
  });

  test("another country's name that contains the name of the requested country", () => {
    const sudan = [item("E1", "conflict", "ACLED lists 5 conflict events in Sudan.")];
    const of = (text: string) => grounded([claim(text, ["E1"])], { code: "SD", evidence: sudan, headlinesLead: false });
    expect(of("Sudan saw 5 conflict events.").claims).toHaveLength(1);
    expect(of("South Sudan saw 5 conflict events.")).toEqual({ claims: [], withheld: 1 });
  });
});

describe("sections", () => {
  const text = "ACLED lists conflict events.";
  test.each<readonly [Claim["section"], readonly string[], boolean, boolean]>([
    ["situation", ["E1"], true, false],
    ["situation", ["E1"], false, true],
    ["implications", ["E1"], true, false],
    ["implications", ["E1"], false, true],
    ["risks", ["E1"], true, true],
    ["outlook", ["E1"], true, false],
    ["watch", ["E1"], true, true],
  ])("a claim in %s that cites %s with headlinesLead %s is kept: %s", (section, cites, headlinesLead, expected) => {
    expect(survives(claim(text, cites, section), "UA", headlinesLead)).toBe(expected);
  });

  test("an outlook claim must cite only market evidence, and a risks claim must not cite only headlines", () => {
    expect(survives(claim("The yield was 4.12 percent.", ["E5"], "outlook"))).toBe(true);
    expect(survives(claim("A strike on Kharkiv killed 12.", ["E7"], "outlook"))).toBe(false);
    expect(survives(claim("A strike on Kharkiv killed 12.", ["E7"], "risks"))).toBe(false);
    expect(survives(claim("A strike on Kharkiv killed 12.", ["E7"], "situation"), "UA", true)).toBe(true);
  });

  test("hold up to 2 situation, 3 implication, 3 risk, 2 outlook and 2 watch claims, in order, without repeats", () => {
    const many = (["watch", "outlook", "risks", "implications", "situation"] as const).flatMap((section) =>
      ["go on", "go  on", "last", "persist", "stay", "remain"].map((end) =>
        section === "outlook"
          ? claim(`The yield values ${end}.`, ["E5"], section)
          : claim(`The ${section} events ${end}.`, ["E1"], section),
      ),
    );
    const { claims, withheld } = grounded(many, { code: "UA", evidence, headlinesLead: false });
    expect(withheld).toBe(0);
    expect(claims.map(({ section }) => section)).toEqual([
      "situation",
      "situation",
      "implications",
      "implications",
      "implications",
      "risks",
      "risks",
      "risks",
      "outlook",
      "outlook",
      "watch",
      "watch",
    ]);
    expect(new Set(claims.map(({ text: claimText }) => claimText.replace(/\s+/g, " "))).size).toBe(12);
  });
});
