import { expect, test } from "vitest";
import { describeEachStore } from "../../../../../test/support/stores.js";
import type { StoreParts } from "../../../../database/service-store.js";
import { LoopTurns } from "../../../../kit/loop-turns.js";
import type { Company } from "../../portfolio/company.js";
import { add, inState, inTurn, prepared } from "../testing/turns.js";
import { portfolioIndexes } from "./portfolio-indexes.js";

const indexesOf = (parts: StoreParts, ...accountIds: readonly string[]) =>
  portfolioIndexes(parts, accountIds, new LoopTurns(), new AbortController().signal);

await describeEachStore((open) => {
  const created = async (parts: StoreParts, accountId: string, name: string): Promise<Company> => {
    const creation = await inTurn(parts, accountId, (turn) => add(turn, name));
    if (!("company" in creation)) throw new Error("not created");
    return creation.company;
  };

  test("an index holds the active companies of its account and is kept until the portfolio changes", async () => {
    const { parts, clock } = await prepared(await open());
    await created(parts, "acc_a", "A");
    const other = await created(parts, "acc_a", "B");
    await created(parts, "acc_b", "C");
    const first = await indexesOf(parts, "acc_a", "acc_b", "acc_c");
    expect(first.map(({ companyCount }) => companyCount)).toEqual([2, 1, 0]);
    const again = await indexesOf(parts, "acc_a", "acc_b", "acc_c");
    expect(again.every((index, at) => index === first[at])).toBe(true);
    await inTurn(parts, "acc_a", (turn) => turn.replace(other, inState(other, "paused", clock.now())));
    const changed = await indexesOf(parts, "acc_a", "acc_b");
    expect(changed.map(({ companyCount }) => companyCount)).toEqual([1, 1]);
    expect(changed[1]).toBe(first[1]);
  });
});
