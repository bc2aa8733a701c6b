import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { expect, test } from "vitest";
import { describeEachStore } from "../../test/support/stores.js";
import { HOUR_MS, SECOND_MS } from "../kit/clock.js";
import { type ManualClock, manualClock } from "../kit/manual-clock.js";
import {
  ClaimLost,
  type ClaimToken,
  type IdempotencyStore,
  idempotencyStore,
  type StoredAnswer,
} from "./idempotency.js";
import { leases, newHolder } from "./leases.js";
import type { OpenDatabase } from "./open-database.js";

const START = Date.UTC(2026, 10, 18, 12);
const RUNNING_MS_MAX = 180 * SECOND_MS;
const ALIVE_MS = 15 * SECOND_MS;
const KEPT_MS = 24 * HOUR_MS;
const ROUNDS = 30;
const FREE = { kind: "free" };
const RUNNING = { kind: "running" };
const OTHER_BODY = { kind: "other-body" };
const ANSWER: StoredAnswer = { status: 201, contentType: "application/json; charset=utf-8", body: '{ "é": 1 }' };

function storeOf(database: OpenDatabase, holder: string, clock: ManualClock): IdempotencyStore {
  return idempotencyStore(database, leases(database, clock), holder, clock);
}

async function taken(store: IdempotencyStore, claim = "claim", bodyHash = "body"): Promise<ClaimToken> {
  const claimed = await store.take(claim, bodyHash, "owner");
  if (claimed.kind !== "taken") throw new Error(`the claim is ${claimed.kind}`);
  return claimed.token;
}

/** The name of a process of this machine that has already ended. */
async function deadHolder(): Promise<string> {
  const child = spawn(process.execPath, ["-e", "0"]);
  await once(child, "exit");
  return `${hostname()} ${child.pid} ${randomUUID()}`;
}

/** The name of another running process of this machine: the parent of this one. */
function livingHolder(): string {
  return `${hostname()} ${process.ppid} ${randomUUID()}`;
}

/** The name of a process with the machine name and number of this one that started later, or earlier if negative. */
function holderStarted(ticksLater: number): string {
  return newHolder().replace(/\/(\d+) /, (_text, ticks: string) => `/${Number(ticks) + ticksLater} `);
}

function holderElsewhere(): string {
  return `another-machine 1 ${randomUUID()}`;
}

await describeEachStore((open) => {
  /** This process's claims, and a function for claims of another process on the same store. */
  async function claims() {
    const { database, openAgain } = await open();
    const clock = manualClock(START);
    const of = async (holder: string): Promise<IdempotencyStore> => storeOf(await openAgain(), holder, clock);
    return { clock, database, mine: storeOf(database, newHolder(), clock), of };
  }

  async function countedClaims({ db }: OpenDatabase): Promise<number> {
    return (await db.selectFrom("idempotency_claim").select("claim").execute()).length;
  }

  test("a claim is free, then taken, then running, then done with its answer", async () => {
    const { mine, database } = await claims();
    expect(await mine.look("claim", "body")).toEqual(FREE);
    const token = await taken(mine);
    expect(await mine.look("claim", "body")).toEqual(RUNNING);
    expect(await mine.take("claim", "body", "owner")).toEqual(RUNNING);
    await mine.finish(database.db, token, ANSWER);
    expect(await mine.look("claim", "body")).toEqual({ kind: "done", answer: ANSWER });
    expect(await mine.take("claim", "body", "owner")).toEqual({ kind: "done", answer: ANSWER });
  });

  test("looking up a claim does not take it", async () => {
    const { mine, database } = await claims();
    await mine.look("claim", "body");
    expect(await countedClaims(database)).toBe(0);
  });

  test("a different body is detected while the first call runs and after it is done", async () => {
    const { mine, database } = await claims();
    const token = await taken(mine);
    expect(await mine.look("claim", "other")).toEqual(OTHER_BODY);
    expect(await mine.take("claim", "other", "owner")).toEqual(OTHER_BODY);
    await mine.finish(database.db, token, ANSWER);
    expect(await mine.look("claim", "other")).toEqual(OTHER_BODY);
    expect(await mine.take("claim", "other", "owner")).toEqual(OTHER_BODY);
    expect(await mine.look("claim", "body")).toEqual({ kind: "done", answer: ANSWER });
  });

  test("claims with different names are independent", async () => {
    const { mine } = await claims();
    await taken(mine, "one");
    expect(await mine.look("other", "body")).toEqual(FREE);
    await taken(mine, "other");
  });

  test("another running process sees running and finished claims", async () => {
    const { mine, of, database } = await claims();
    const theirs = await of(livingHolder());
    await mine.heartbeat();
    const token = await taken(mine);
    expect(await theirs.take("claim", "body", "owner")).toEqual(RUNNING);
    await mine.finish(database.db, token, ANSWER);
    expect(await theirs.take("claim", "body", "owner")).toEqual({ kind: "done", answer: ANSWER });
  });

  test("a claim of a process that died on this machine is taken over immediately, even for another body", async () => {
    const { mine, of } = await claims();
    const dead = await of(await deadHolder());
    await dead.heartbeat();
    await taken(dead, "one");
    await taken(dead, "two");
    expect(await mine.look("one", "body")).toEqual(FREE);
    await taken(mine, "one");
    await taken(mine, "two", "other");
  });

  test.skipIf(!existsSync("/proc/self/stat"))(
    "a claim of an earlier process with the same machine name and process number is taken over immediately",
    async () => {
      const { mine, of } = await claims();
      const earlier = await of(holderStarted(-1));
      await earlier.heartbeat();
      await taken(earlier);
      expect(await mine.look("claim", "body")).toEqual(FREE);
      await taken(mine);
    },
  );

  test.each([
    ["another machine", holderElsewhere],
    ["a live process of this machine", livingHolder],
    ["a process with the same machine name and process number that started later", () => holderStarted(1)],
  ])("a claim of %s is respected while its holder sends heartbeats, and is free afterwards", async (_name, holder) => {
    const { mine, of, clock } = await claims();
    const theirs = await of(holder());
    await theirs.heartbeat();
    await taken(theirs);
    clock.advance(ALIVE_MS - 1);
    expect(await mine.take("claim", "body", "owner")).toEqual(RUNNING);
    await theirs.heartbeat();
    clock.advance(ALIVE_MS - 1);
    expect(await mine.take("claim", "body", "owner")).toEqual(RUNNING);
    clock.advance(1);
    expect(await mine.look("claim", "body")).toEqual(FREE);
    await taken(mine);
  });

  test("a claim of another machine that never sent a heartbeat is taken over immediately", async () => {
    const { mine, of } = await claims();
    await taken(await of(holderElsewhere()));
    await taken(mine);
  });

  test("a claim expires after 180 s, even if its process is running", async () => {
    const { mine, of, clock } = await claims();
    const theirs = await of(holderElsewhere());
    await taken(theirs);
    clock.advance(RUNNING_MS_MAX - 1);
    await theirs.heartbeat();
    expect(await mine.take("claim", "body", "owner")).toEqual(RUNNING);
    clock.advance(1);
    expect(await mine.look("claim", "body")).toEqual(FREE);
    await taken(mine);
  });

  test("a process can take its own claim again after 180 s", async () => {
    const { mine, clock } = await claims();
    await taken(mine);
    clock.advance(RUNNING_MS_MAX - 1);
    expect(await mine.take("claim", "body", "owner")).toEqual(RUNNING);
    clock.advance(1);
    await taken(mine);
  });

  test(`exactly one of two connections gets a free claim that both request concurrently, ${ROUNDS} times`, async () => {
    const { mine, of } = await claims();
    const theirs = await of(livingHolder());
    await Promise.all([mine.heartbeat(), theirs.heartbeat()]);
    for (let round = 0; round < ROUNDS; round += 1) {
      const claimed = await Promise.all([mine, theirs].map((store) => store.take(`claim ${round}`, "body", "owner")));
      expect(claimed.map(({ kind }) => kind).sort()).toEqual(["running", "taken"]);
    }
  });

  test(`exactly one of two connections takes over a dead process's claim, ${ROUNDS} times`, async () => {
    const { mine, of } = await claims();
    const theirs = await of(livingHolder());
    const dead = await of(await deadHolder());
    await Promise.all([mine.heartbeat(), theirs.heartbeat()]);
    for (let round = 0; round < ROUNDS; round += 1) {
      await taken(dead, `claim ${round}`);
      const claimed = await Promise.all([mine, theirs].map((store) => store.take(`claim ${round}`, "body", "owner")));
      expect(claimed.map(({ kind }) => kind).sort()).toEqual(["running", "taken"]);
    }
  });

  test(`exactly one of many concurrent calls of one process gets a claim, ${ROUNDS} times`, async () => {
    const { mine } = await claims();
    for (let round = 0; round < ROUNDS; round += 1) {
      const claimed = await Promise.all(Array.from({ length: 5 }, () => mine.take(`claim ${round}`, "body", "owner")));
      expect(claimed.filter(({ kind }) => kind === "taken")).toHaveLength(1);
      expect(claimed.filter(({ kind }) => kind === "running")).toHaveLength(4);
    }
  });

  /** A store in which another process has taken over this process's expired claim. */
  async function overtaken() {
    const context = await claims();
    const token = await taken(context.mine);
    context.clock.advance(RUNNING_MS_MAX);
    const theirs = await context.of(livingHolder());
    await theirs.heartbeat();
    return { ...context, token, theirs, theirToken: await taken(theirs) };
  }

  /** Writes a row and its answer in one transaction. */
  function writeAndFinish({ db }: OpenDatabase, store: IdempotencyStore, token: ClaimToken): Promise<void> {
    return db.transaction().execute(async (transaction) => {
      await transaction.insertInto("lease").values({ name: "written", holder: "test", expires_at: 0 }).execute();
      await store.finish(transaction, token, ANSWER);
    });
  }

  async function isWritten({ db }: OpenDatabase): Promise<boolean> {
    const row = await db.selectFrom("lease").select("name").where("name", "=", "written").executeTakeFirst();
    return row !== undefined;
  }

  test("a write is committed together with its answer", async () => {
    const { mine, database } = await claims();
    await writeAndFinish(database, mine, await taken(mine));
    expect(await isWritten(database)).toBe(true);
    expect(await mine.look("claim", "body")).toEqual({ kind: "done", answer: ANSWER });
  });

  test("if a claim was taken over, finishing it fails, and the transaction writes nothing", async () => {
    const { mine, theirs, token, theirToken, database } = await overtaken();
    await expect(writeAndFinish(database, mine, token)).rejects.toThrow(ClaimLost);
    expect(await isWritten(database)).toBe(false);
    expect(await theirs.look("claim", "body")).toEqual(RUNNING);
    await theirs.finish(database.db, theirToken, ANSWER);
    await expect(writeAndFinish(database, mine, token)).rejects.toThrow(ClaimLost);
    expect(await isWritten(database)).toBe(false);
  });

  test("if a process takes its own expired claim again, only the second call can finish the claim", async () => {
    const { mine, database, clock } = await claims();
    const first = await taken(mine);
    clock.advance(RUNNING_MS_MAX);
    const second = await taken(mine);
    await expect(mine.finish(database.db, first, ANSWER)).rejects.toThrow(ClaimLost);
    await mine.finish(database.db, second, ANSWER);
    expect(await mine.look("claim", "body")).toEqual({ kind: "done", answer: ANSWER });
  });

  test("finishing twice fails and keeps the first answer", async () => {
    const { mine, database } = await claims();
    const token = await taken(mine);
    await mine.finish(database.db, token, ANSWER);
    await expect(mine.finish(database.db, token, { ...ANSWER, body: "{}" })).rejects.toThrow(ClaimLost);
    expect(await mine.look("claim", "body")).toEqual({ kind: "done", answer: ANSWER });
  });

  test("an answer is not stored if its transaction is rolled back", async () => {
    const { mine, database } = await claims();
    const token = await taken(mine);
    const rolledBack = database.db.transaction().execute(async (transaction) => {
      await mine.finish(transaction, token, ANSWER);
      throw new Error("rolled back");
    });
    await expect(rolledBack).rejects.toThrow("rolled back");
    expect(await mine.look("claim", "body")).toEqual(RUNNING);
  });

  test("a released claim is free again, even for another body", async () => {
    const { mine, database } = await claims();
    await mine.release(database.db, await taken(mine));
    expect(await mine.look("claim", "body")).toEqual(FREE);
    await taken(mine, "claim", "other");
  });

  test("releasing affects neither the claims of other processes nor finished claims", async () => {
    const { mine, theirs, token, theirToken, database } = await overtaken();
    await mine.release(database.db, token);
    expect(await mine.look("claim", "body")).toEqual(RUNNING);
    await theirs.finish(database.db, theirToken, ANSWER);
    await theirs.release(database.db, theirToken);
    expect(await mine.look("claim", "body")).toEqual({ kind: "done", answer: ANSWER });
  });

  test("an answer is kept for 24 hours after it was stored, even if its process has ended", async () => {
    const { mine, of, database, clock } = await claims();
    const dead = await of(await deadHolder());
    const token = await taken(dead);
    clock.advance(RUNNING_MS_MAX / 2);
    await dead.finish(database.db, token, ANSWER);
    clock.advance(KEPT_MS - 1);
    expect(await mine.take("claim", "body", "owner")).toEqual({ kind: "done", answer: ANSWER });
    clock.advance(1);
    expect(await mine.look("claim", "other")).toEqual(FREE);
    await taken(mine, "claim", "other");
  });

  test("a heartbeat removes only expired answers", async () => {
    const { mine, database, clock } = await claims();
    await mine.finish(database.db, await taken(mine, "old"), ANSWER);
    clock.advance(KEPT_MS - 1);
    await taken(mine, "new");
    await mine.heartbeat();
    expect(await countedClaims(database)).toBe(2);
    clock.advance(1);
    await mine.heartbeat();
    expect(await countedClaims(database)).toBe(1);
    expect(await mine.look("new", "body")).toEqual(RUNNING);
  });

  test("if an owner's answers exceed the cap, a heartbeat removes the oldest ones of this owner only", async () => {
    const { database } = await open();
    const clock = manualClock(START);
    const holder = newHolder();
    const answer: StoredAnswer = { ...ANSWER, body: "x".repeat(1_000) };
    // Room for three answers of 1,000 bytes with the overhead of their claims.
    const settings = { keptBytesMax: 3 * 1_512 };
    const store = idempotencyStore(database, leases(database, clock), holder, clock, settings);
    const keep = async (claim: string, owner: string): Promise<void> => {
      const claimed = await store.take(claim, "body", owner);
      if (claimed.kind !== "taken") throw new Error(`the claim is ${claimed.kind}`);
      await store.finish(database.db, claimed.token, answer);
      clock.advance(1);
    };
    await keep("of another", "another");
    for (const claim of ["first", "second", "third", "fourth", "fifth"]) await keep(claim, "owner");
    await store.take("running", "body", "owner");
    await store.heartbeat();
    const kinds = async (...claims: string[]): Promise<string[]> =>
      Promise.all(claims.map(async (claim) => (await store.look(claim, "body")).kind));
    expect(await kinds("first", "second", "third", "fourth", "fifth")).toEqual([
      "free",
      "free",
      "done",
      "done",
      "done",
    ]);
    expect(await kinds("of another", "running")).toEqual(["done", "running"]);
  });
});
