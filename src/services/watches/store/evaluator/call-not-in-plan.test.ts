import { expect, test } from "vitest";
import { describeEachStore } from "../../../../../test/support/stores.js";
import { OPERATOR_ACCOUNT } from "../../../../contract/access/principal.js";
import { SECOND_MS } from "../../../../kit/clock.js";
import { manualClock } from "../../../../kit/manual-clock.js";
import { evaluatingNode, lineOf } from "../testing/evaluating-node.js";
import { callOf, scriptedWorld } from "../testing/scripted-world.js";
import { ACCOUNT, NOW } from "../testing/watch-node.js";
import { SETTLED_AFTER_MS } from "./settled.js";

/* Watches on Pro operations whose account changes to a plan without these operations. */

const REASON =
  "Paused: the plan of the account does not include this call. Change the plan or the call; then resume this watch.";

await describeEachStore((open) => {
  /** An account on a Pro plan, and a world in which calls that read dataset `a` are calls of a Pro operation. */
  async function prepared() {
    const { database } = await open();
    const clock = manualClock(NOW);
    const world = scriptedWorld(clock);
    const node = await evaluatingNode(database, world, { clock });
    world.makePro("a");
    for (const dataset of ["a", "b"]) world.publish(dataset, ["r1"]);
    const times = { created_at: NOW, updated_at: NOW };
    const account = { id: ACCOUNT, name: "A", plan: "business", plan_state: "active", ...times };
    await database.db.insertInto("account").values(account).execute();
    return {
      world,
      node,
      lines: async (accountId?: string) => (await node.fired(accountId)).map(lineOf),
      /** Publishes both datasets with these rows, and evaluates the watches. */
      async publish(...ids: readonly string[]) {
        clock.advance(SECOND_MS);
        for (const dataset of ["a", "b"]) world.publish(dataset, ids);
        clock.advance(SETTLED_AFTER_MS);
        await node.evaluate();
      },
      async changePlan(plan: string) {
        await database.db.updateTable("account").set({ plan }).where("id", "=", ACCOUNT).execute();
      },
    };
  }

  test("a watch on a Pro operation is paused at its next change after a downgrade, and reports the reason once", async () => {
    const { world, node, lines, publish, changePlan } = await prepared();
    const { watchId } = await node.create(world, { name: "Pro" });
    await node.create(world, { name: "Basic", call: callOf("b") });
    await publish("r1", "r2");
    expect((await lines()).toSorted()).toEqual(["FIRED Basic r2", "FIRED Pro r2"]);
    await changePlan("free");
    await publish("r1", "r3");
    await publish("r1", "r4");
    expect((await lines()).slice(2)).toEqual([`FAILED Pro ${REASON}`, "FIRED Basic r3", "FIRED Basic r4"]);
    expect(await node.find(watchId)).toMatchObject({ state: "WATCH_STATE_PAUSED", stateReason: REASON });
  });

  test("a watch that a downgrade has paused continues with the changes since the pause when it is resumed", async () => {
    const { world, node, lines, publish, changePlan } = await prepared();
    const { watchId } = await node.create(world);
    await publish("r1");
    await changePlan("free");
    await publish("r1", "r2");
    await publish("r1", "r2", "r3");
    await changePlan("pro");
    await node.inCall(({ watches }) => watches.setState(watchId, "WATCH_STATE_ACTIVE"));
    await publish("r1", "r2", "r3");
    expect(await lines()).toEqual([`FAILED Rows ${REASON}`, "FIRED Rows r2", "FIRED Rows r3"]);
  });

  test("a watch that was behind at the downgrade is paused, too, and so is one whose quiet period ends", async () => {
    const { world, node, lines, publish, changePlan } = await prepared();
    const behind = await node.create(world, { name: "Behind" });
    await node.create(world, { name: "Quiet", quietSeconds: 3 });
    await publish("r1");
    await node.inCall(({ watches }) => watches.setState(behind.watchId, "WATCH_STATE_PAUSED"));
    world.publish("a", ["r1", "r2"]);
    await node.evaluate();
    expect(await lines()).toEqual(["FIRED Quiet r2"]);
    await node.inCall(({ watches }) => watches.setState(behind.watchId, "WATCH_STATE_ACTIVE"));
    await changePlan("free");
    node.clock.advance(3 * SECOND_MS + SETTLED_AFTER_MS);
    await node.evaluate();
    expect((await lines()).slice(1).toSorted()).toEqual([`FAILED Behind ${REASON}`, `FAILED Quiet ${REASON}`]);
  });

  test("the operator's account and accounts whose plan is not stored keep their watches on Pro operations", async () => {
    const { world, node, lines, publish } = await prepared();
    for (const accountId of [OPERATOR_ACCOUNT, "acc_openid"]) await node.create(world, {}, accountId);
    await publish("r1");
    await publish("r1", "r2");
    for (const accountId of [OPERATOR_ACCOUNT, "acc_openid"]) expect(await lines(accountId)).toEqual(["FIRED Rows r2"]);
  });
});
