import { describe, expect, test } from "vitest";
import { absent, BUILT_AT, snapshotOf, storedAnswerOf } from "../../../../test/support/stored-answers.js";
import { viewOf } from "../../../../test/support/views.js";
import { sanctionsLists } from "../datasets/sanctions-lists.js";
import type { ListedEntity } from "../records.js";
import { listSanctionsPressure } from "./list-sanctions-pressure.js";

const PUBLISHED_AT = Date.UTC(2026, 10, 17);
const entity = (id: string, values: Partial<ListedEntity> = {}): ListedEntity => ({
  id,
  name: id,
  type: "entity",
  programs: ["SDGT"],
  countries: ["IR"],
  ...values,
});
const view = viewOf(sanctionsLists, {
  sdn: [entity("sdn:old"), entity("sdn:new", { type: "vessel", isNew: true, countries: ["RU"] })],
  consolidated: [],
  sema: [entity("sema:1", { publishedAt: PUBLISHED_AT })],
  un: [],
});
const answerTo = (search: string, snapshot = snapshotOf(view)) =>
  storedAnswerOf(listSanctionsPressure, search, { stored: snapshot }) as Record<string, unknown>;

describe("list-sanctions-pressure", () => {
  test("serves new entries first, and counts the entries of all lists", () => {
    const answer = answerTo("");
    expect(answer).toMatchObject({
      fetchedAt: BUILT_AT,
      datasetDate: PUBLISHED_AT,
      totalCount: 3,
      newEntryCount: 1,
      vesselCount: 1,
      aircraftCount: 0,
      countries: [
        { countryCode: "IR", entryCount: 2 },
        { countryCode: "RU", entryCount: 1 },
      ],
    });
    expect(answer["entries"]).toMatchObject([{ id: "sdn:new", isNew: true }, {}, {}]);
  });

  test("serves at most `max_items` entries", () => {
    expect(answerTo("max_items=1")["entries"]).toMatchObject([{ id: "sdn:new" }]);
  });

  test("omits the count of a list that is not stored", () => {
    const answer = answerTo("");
    expect([answer["sdnCount"], answer["semaCount"]]).toEqual([2, 1]);
    for (const count of ["consolidatedCount", "unCount", "semaError"]) expect(answer).not.toHaveProperty(count);
  });

  test("gives the reason why Canada's list could not be read", () => {
    const sema = { state: "kept", confirmedAt: BUILT_AT, error: "the host answered 503" } as const;
    expect(answerTo("", snapshotOf(view, { state: "partial", parts: { sema } }))).toMatchObject({
      semaError: "the host answered 503",
    });
  });

  test("has no counts while no list is stored", () => {
    expect(storedAnswerOf(listSanctionsPressure, "", { stored: absent })).toEqual({
      entries: [],
      countries: [],
      programs: [],
    });
  });
});
