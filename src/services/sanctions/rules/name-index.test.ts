import { describe, expect, test } from "vitest";
import { restlessPace, resultOf } from "../../../../test/support/views.js";
import { ClockPace } from "../../../kit/loop-turns.js";
import type { ListedEntity } from "../records.js";
import { nameIndexSteps } from "./name-index.js";

const entity = (id: string, name: string, values: Partial<ListedEntity> = {}): ListedEntity => ({
  id,
  name,
  type: "entity",
  programs: [],
  ...values,
});
const entities = [
  entity("1", "BANCO SIMULADO S.A.", { aliases: ["Simulated Bank", "Банк Симула"] }),
  entity("2", "HANIYA, Simula Abdul", { type: "individual" }),
  entity("3", "Bank of Ficta"),
  entity("4", "Société Générale Ficta"),
];
const index = resultOf(nameIndexSteps(entities, new ClockPace()));
const namesMatching = (query: string, most = 10) =>
  index.search(query, most).matches.map(({ entity: { id }, score, matchedName }) => [id, score, matchedName]);

describe("a name search", () => {
  test.each([
    ["an abbreviation without its dots is not an exact match", "banco simulado sa", []],
    ["the whole name in upper case is an exact match", "BANK OF FICTA", [["3", 100, "Bank of Ficta"]]],
    ["a name without accents is an exact match", "societe generale ficta", [["4", 100, "Société Générale Ficta"]]],
    ["a person's name in spoken order is an exact match", "simula abdul haniya", [["2", 100, "HANIYA, Simula Abdul"]]],
    ["an alias in another script is an exact match", "банк симула", [["1", 100, "Банк Симула"]]],
  ])("%s", (_name, query, expected) => {
    expect(namesMatching(query).filter(([, score]) => score === 100)).toEqual(expected);
  });

  test("names that begin with the query come first, then names with all words of the query, then names with some of them", () => {
    expect(namesMatching("bank of")[0]).toEqual(["3", 80, "Bank of Ficta"]);
    expect(namesMatching("ficta bank")).toEqual([
      ["3", 60, "Bank of Ficta"],
      ["1", 10, "Simulated Bank"],
      ["4", 10, "Société Générale Ficta"],
    ]);
    expect(namesMatching("haniya")).toEqual([["2", 80, "HANIYA, Simula Abdul"]]);
  });

  test("a word of at least three characters matches longer words that start with it", () => {
    expect(namesMatching("fict").map(([id]) => id)).toEqual(["3", "4"]);
    expect(namesMatching("fi")).toEqual([]);
  });

  test("a word matches every longer word that starts with it, however many the lists have", () => {
    const many = Array.from({ length: 500 }, (_, number) => entity(String(number), `Mar${number} Ficta`));
    const { matches, total } = resultOf(nameIndexSteps(many, new ClockPace())).search("mar", 1_000);
    expect(total).toBe(500);
    expect(new Set(matches.map(({ score }) => score))).toEqual(new Set([80]));
  });

  test("the search counts all matches, returns the best ones and lists each entry once", () => {
    expect(index.search("bank", 1)).toMatchObject({ total: 2, matches: [{ entity: { id: "3" } }] });
    expect(index.search("zzz", 10)).toEqual({ matches: [], total: 0 });
  });

  test("a query without letters or digits returns no matches", () => {
    expect(namesMatching("--")).toEqual([]);
  });
});

test("the index is built in steps, so that other work can run in between", () => {
  const { pace, looks } = restlessPace();
  const many = Array.from({ length: 1_000 }, (_, number) => entity(String(number), `Name ${number}`));
  const steps = nameIndexSteps(many, pace);
  expect(steps.next().done).toBe(false);
  expect(looks()).toBeGreaterThan(0);
});
