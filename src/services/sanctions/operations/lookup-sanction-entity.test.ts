import { describe, expect, test } from "vitest";
import { queryOf } from "../../../../test/support/operations.js";
import { absent, snapshotOf, storedAnswerOf } from "../../../../test/support/stored-answers.js";
import { viewOf } from "../../../../test/support/views.js";
import { sanctionsLists } from "../datasets/sanctions-lists.js";
import type { ListedEntity } from "../records.js";
import { lookupSanctionEntity } from "./lookup-sanction-entity.js";

const entity = (id: string, name: string, values: Partial<ListedEntity> = {}): ListedEntity => ({
  id,
  name,
  type: "entity",
  programs: ["SDGT"],
  ...values,
});
const sdn = [
  entity("sdn:1", "Example Shipping Bank", { countries: ["IR", "SY", "LB", "RU"], programs: ["A", "B", "C", "D"] }),
  entity("sdn:2", "Harbour Trading", { aliases: ["Example Harbour"] }),
  entity("sdn:3", "Unrelated"),
];
const stored = snapshotOf(viewOf(sanctionsLists, { sdn, consolidated: [], sema: [], un: [] }));

interface Answer {
  readonly results: readonly { readonly id: string }[];
  readonly total: number;
  readonly lists: readonly { readonly searched: boolean }[];
}
const answerTo = (search: string) => storedAnswerOf(lookupSanctionEntity, search, { stored }) as Answer;

describe("lookup-sanction-entity", () => {
  test("finds entries by name and by alias, with the name that matched", () => {
    const answer = answerTo("q=example");
    expect(answer.results).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: "sdn:1", matchedName: "Example Shipping Bank" }),
        expect.objectContaining({ id: "sdn:2", matchedName: "Example Harbour" }),
      ]),
    );
    expect(answer).toMatchObject({ total: 2, source: "local-lists", dataAvailable: true });
  });

  test("shows at most three countries and three programmes of an entry", () => {
    expect(answerTo("q=shipping").results).toMatchObject([
      { countryCodes: ["IR", "SY", "LB"], programs: ["A", "B", "C"] },
    ]);
  });

  test("serves at most `max_results` matches, and states the number of all matches as `total`", () => {
    const { results, total } = answerTo("q=example&max_results=1");
    expect([results.length, total]).toEqual([1, 2]);
  });

  test("includes every list; a list that is not stored has `searched: false`", () => {
    expect(answerTo("q=nobody")).toMatchObject({ results: [], total: 0 });
    expect(answerTo("q=nobody").lists.map(({ searched }) => searched)).toEqual([true, false, false, false]);
  });

  test("returns `dataAvailable: false` while no list is stored", () => {
    expect(storedAnswerOf(lookupSanctionEntity, "q=example", { stored: absent })).toEqual({
      results: [],
      total: 0,
      source: "local-lists",
      dataAvailable: false,
      lists: [],
    });
  });

  test.each([
    ["missing", ""],
    ["too short", "q=a"],
    ["too long", `q=${"a".repeat(201)}`],
  ])("refuses a name that is %s", (_, search) => {
    expect(() => queryOf(lookupSanctionEntity, search)).toThrow();
  });
});
