import { expect, test } from "vitest";
import { describeEachStore } from "../../../../../test/support/stores.js";
import { add, inState, inTurn, prepared } from "../testing/turns.js";
import { companyFigures } from "./company-figures.js";

await describeEachStore((open) => {
  test("figures count accounts, companies and the changes in their logs", async () => {
    const store = await open();
    const { parts } = await prepared(store);
    expect(await companyFigures(parts)).toEqual({
      accounts: 0,
      companies: 0,
      changesInLog: 0,
      oldestPosition: 0,
      newestPosition: 0,
    });
    await inTurn(parts, "acc_a", (turn) => add(turn, "A"));
    const creation = await inTurn(parts, "acc_b", (turn) => add(turn, "B"));
    if (!("company" in creation)) throw new Error("not created");
    const { company } = creation;
    await inTurn(parts, "acc_b", (turn) => turn.replace(company, inState(company, "removed", turn.now)));
    expect(await companyFigures(parts)).toEqual({
      accounts: 2,
      companies: 1,
      changesInLog: 3,
      oldestPosition: 1,
      newestPosition: 2,
    });
  });
});
