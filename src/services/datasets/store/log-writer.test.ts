import type { KyselyPlugin } from "kysely";
import { expect, test } from "vitest";
import { describeEachStore } from "../../../../test/support/stores.js";
import type { DatasetStanding } from "../../../contract/snapshot.js";
import type { OpenDatabase } from "../../../database/open-database.js";
import { manualClock } from "../../../kit/manual-clock.js";
import { type Random, seededRandom } from "../../../kit/random.js";
import type { DatasetState } from "../records.js";
import { changesAfter, statesNow } from "./change-log.js";
import { LEASE_MS, logWriter, RETRIED_AFTER_MS, SETTLED_AFTER_MS } from "./log-writer.js";
import { datasetsIn } from "./tables.js";
import { logParts, standingOf } from "./testing/log-node.js";

const NOW = Date.UTC(2026, 10, 23);
const everything = { dataset: [], state: [] } as const;

/** Returns the log, one line per change. */
async function linesOf({ db }: OpenDatabase): Promise<readonly string[]> {
  const { changes } = await changesAfter(datasetsIn(db), 0, everything, 1_000);
  return changes.map(
    ({ position, dataset, state, generation = "none", previousState = "new" }) =>
      `${position} ${dataset} ${generation}: ${previousState} to ${state}`,
  );
}

await describeEachStore((open) => {
  async function opened() {
    const store = await open();
    const clock = manualClock(NOW);
    const parts = await logParts(store.database, clock);
    return { store, clock, parts, write: logWriter(parts) };
  }

  test("the first run logs every dataset, and later runs log only new generations and states, without gaps in the positions", async () => {
    const { store, write } = await opened();
    await write([standingOf("a", 0, "absent"), standingOf("b", 4)]);
    await write([standingOf("a", 1, "partial"), standingOf("b", 4)]);
    await write([standingOf("a", 1), standingOf("b", 5)]);
    expect(await linesOf(store.database)).toEqual([
      "1 a none: new to absent",
      "2 b 4: new to ok",
      "3 a 1: absent to partial",
      "4 a 1: partial to ok",
      "5 b 5: ok to ok",
    ]);
  });

  test("a state that changes only as time passes is logged by the next run", async () => {
    const { store, clock, write } = await opened();
    const at = (now: number) => [standingOf("a", 1, now < NOW + 60_000 ? "ok" : "stale")];
    for (let second = 0; second <= 61; second += 1) {
      await write(at(clock.now()));
      clock.advance(1_000);
    }
    const { changes } = await changesAfter(datasetsIn(store.database.db), 1, everything, 10);
    expect(changes).toMatchObject([{ state: "stale", changedAt: new Date(NOW + 60_000).toISOString() }]);
  });

  test("repeated runs without changes send no statement, except that the writer renews its lease every ten seconds", async () => {
    const { store, clock } = await opened();
    const standings = [standingOf("a", 1), standingOf("b", 2)];
    const statements: string[] = [];
    const transformQuery: KyselyPlugin["transformQuery"] = ({ node }) => {
      statements.push(node.kind);
      return node;
    };
    const db = store.database.db.withPlugin({ transformQuery, transformResult: async ({ result }) => result });
    const [writer, other] = [
      logWriter({ database: { ...store.database, db }, clock }),
      logWriter({ database: { ...store.database, db }, clock }),
    ];
    await writer(standings);
    statements.length = 0;
    await other(standings);
    expect(statements).toEqual(["SelectQueryNode"]);
    for (let second = 0; second < 60; second += 1) {
      clock.advance(1_000);
      await writer(standings);
      await other(standings);
    }
    expect(statements.slice(1)).toEqual(Array.from({ length: 6 }, () => "InsertQueryNode"));
  });

  test("a restarted writer logs nothing for unchanged datasets, and logs changes only after its settling time", async () => {
    const { store, clock, parts, write } = await opened();
    await write([standingOf("a", 1), standingOf("b", 1)]);
    clock.advance(LEASE_MS);
    const restarted = logWriter(parts);
    await restarted([standingOf("a", 1), standingOf("b", 1)]);
    expect(await linesOf(store.database)).toHaveLength(2);
    await restarted([standingOf("a", 1), standingOf("b", 1, "stale")]);
    expect(await linesOf(store.database)).toHaveLength(2);
    clock.advance(SETTLED_AFTER_MS);
    await restarted([standingOf("a", 1), standingOf("b", 1, "stale")]);
    expect((await linesOf(store.database)).slice(2)).toEqual(["3 b 1: ok to stale"]);
  });

  test("two nodes that start at the same time log every dataset once", async () => {
    const { store, clock, write } = await opened();
    const other = logWriter(await logParts(await store.openAgain(), clock));
    const standings = [standingOf("a", 1), standingOf("b", 0, "absent")];
    await Promise.all([write(standings), other(standings)]);
    clock.advance(RETRIED_AFTER_MS);
    await Promise.all([write(standings), other(standings)]);
    expect(await linesOf(store.database)).toEqual(["1 a 1: new to ok", "2 b none: new to absent"]);
  });

  test("only one of two nodes writes, whatever the other node sees", async () => {
    const { store, clock, write } = await opened();
    const other = logWriter(await logParts(await store.openAgain(), clock));
    await write([standingOf("a", 1)]);
    for (let second = 0; second < 120; second += 1) {
      clock.advance(1_000);
      const generation = 2 + Math.floor(second / 30);
      await write([standingOf("a", generation)]);
      // The other node alternates: one second it is a generation behind, the next it sees a different state.
      await other([second % 2 === 0 ? standingOf("a", generation - 1) : standingOf("a", generation, "stale")]);
    }
    expect(await linesOf(store.database)).toEqual([
      "1 a 1: new to ok",
      "2 a 2: ok to ok",
      "3 a 3: ok to ok",
      "4 a 4: ok to ok",
      "5 a 5: ok to ok",
    ]);
  });

  test("after the writer dies, another node continues and logs no generation older than the logged one", async () => {
    const { store, clock, write } = await opened();
    const other = logWriter(await logParts(await store.openAgain(), clock));
    await write([standingOf("a", 1), standingOf("b", 1)]);
    await write([standingOf("a", 2), standingOf("b", 1)]);
    // The writer dies. The other node has not read generation 2 of `a` yet, and sees a new state of `b`.
    const view = (generation: number) => [standingOf("a", generation), standingOf("b", 1, "stale")];
    const seconds = (LEASE_MS + RETRIED_AFTER_MS + SETTLED_AFTER_MS) / 1_000;
    for (let second = 0; second <= seconds; second += 1) {
      clock.advance(1_000);
      await other(view(1));
    }
    expect((await linesOf(store.database)).slice(3)).toEqual(["4 b 1: ok to stale"]);
    await other(view(2));
    await other(view(3));
    expect((await linesOf(store.database)).slice(4)).toEqual(["5 a 3: ok to ok"]);
  });

  test("a writer that slept while another node took the lease appends nothing", async () => {
    const { store, clock, write } = await opened();
    const other = logWriter(await logParts(await store.openAgain(), clock));
    await write([standingOf("a", 1)]);
    clock.advance(LEASE_MS);
    await other([standingOf("a", 2)]);
    clock.advance(SETTLED_AFTER_MS);
    await other([standingOf("a", 2)]);
    await write([standingOf("a", 1, "stale")]);
    await write([standingOf("a", 1, "stale")]);
    expect(await linesOf(store.database)).toEqual(["1 a 1: new to ok", "2 a 2: ok to ok"]);
  });

  test("a failed append is retried after five seconds, not every second", async () => {
    const { store, clock, parts } = await opened();
    let failures = 0;
    const lost = new Error("the store is lost");
    const transaction = () => {
      failures += 1;
      throw lost;
    };
    const broken = Object.assign(Object.create(store.database.db), { transaction });
    const database = { ...store.database, db: store.database.db };
    const writing = logWriter({ database, clock });
    await writing([standingOf("a", 1)]);
    database.db = broken;
    for (let second = 0; second < 10; second += 1) {
      await writing([standingOf("a", 2)]).catch((error: unknown) => expect(error).toBe(lost));
      clock.advance(1_000);
    }
    expect(failures).toBe(2);
    database.db = parts.database.db;
    await writing([standingOf("a", 2)]);
    expect(await linesOf(store.database)).toEqual(["1 a 1: new to ok", "2 a 2: ok to ok"]);
  });

  test("a clock that is set back does not delay the writer", async () => {
    const { store, clock, write } = await opened();
    clock.advance(3_600_000);
    await write([standingOf("a", 1)]);
    clock.set(NOW);
    await write([standingOf("a", 2)]);
    expect(await linesOf(store.database)).toHaveLength(2);
  });

  test("folding the log gives the current states, whichever node wrote the entries", async () => {
    const { store, clock, write } = await opened();
    const nodes = [write, logWriter(await logParts(await store.openAgain(), clock))];
    const random = seededRandom(18);
    const truth = new Map(["a", "b-1", "ba", "c"].map((name) => [name, standingOf(name, 0, "absent")]));
    const reader = follower(store.database);
    for (let step = 0; step < 150; step += 1) {
      mutate(truth, random);
      // Each node is stopped for a third of the time, during which the other node takes over.
      for (const [at, node] of nodes.entries()) if (Math.floor(step / 50) !== at + 1) await node([...truth.values()]);
      clock.advance(1_000 * Math.ceil(random() * 3));
      await reader.poll();
    }
    for (let second = 0; second < 60; second += 1) {
      clock.advance(1_000);
      for (const node of nodes) await node([...truth.values()]);
    }
    while ((await reader.poll()) > 0);

    const { datasets, position } = await statesNow(datasetsIn(store.database.db));
    expect(reader.positions()).toEqual(Array.from({ length: position }, (_, at) => at + 1));
    expect(datasets).toEqual(reader.states());
    expect(datasets.map(({ dataset, state, generation = null }) => ({ dataset, state, generation }))).toEqual(
      [...truth.values()].map(({ dataset, state, generation }) => ({ dataset, state, generation })),
    );
  });
});

/** Creates a client that reads the log in pages and folds it. */
function follower({ db }: OpenDatabase) {
  const folded = new Map<string, DatasetState>();
  const positions: number[] = [];
  return {
    positions: () => positions,
    states: () => [...folded.keys()].sort().map((name) => folded.get(name)),
    async poll(): Promise<number> {
      const { changes } = await changesAfter(datasetsIn(db), positions.at(-1) ?? 0, everything, 3);
      for (const { position, previousState, ...state } of changes) {
        expect(previousState).toBe(folded.get(state.dataset)?.state);
        positions.push(position);
        folded.set(state.dataset, state);
      }
      return changes.length;
    },
  };
}

/** Gives one dataset a random state and often a new generation. */
function mutate(truth: Map<string, DatasetStanding>, random: Random): void {
  const names = [...truth.keys()];
  const name = names[Math.floor(random() * names.length)] ?? "a";
  const generation = truth.get(name)?.generation ?? 0;
  const states = ["ok", "partial", "stale"] as const;
  const state = states[Math.floor(random() * states.length)] ?? "ok";
  truth.set(name, standingOf(name, generation === 0 || random() < 0.5 ? generation + 1 : generation, state));
}
