import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import type { ChangeLog, LogEntry, LogReader, OpenLog } from "../../contract/change-log.js";
import { SECOND_MS } from "../../kit/clock.js";
import { manualClock } from "../../kit/manual-clock.js";
import { seededRandom } from "../../kit/random.js";
import type { OutletEvents } from "../exchange.js";
import { openStreams, type StreamRequest } from "./streams.js";

const NOW = Date.UTC(2026, 10, 23);
const ACCOUNT = "acc_one";

const log: ChangeLog = {
  event: "thing.changed",
  description: "A thing changed.",
  scope: "read",
  isPerAccount: true,
  entry: Type.Object({ position: Type.Integer() }),
  subject: "thing",
  facets: { colour: ["red", "blue"] },
};

/**
 * A log in memory. Changes at odd positions are red, and those at even positions are blue. A position without an entry
 * represents a change of another kind, which the stream does not deliver.
 */
function memoryLog() {
  interface Account {
    entries: LogEntry[];
    newest: number;
    oldest: number;
    generation: number;
    changedAtPosition: number;
  }
  const accounts = new Map<string, Account>();
  const of = (accountId: string) => {
    const empty = { entries: [], newest: 0, oldest: 1, generation: 0, changedAtPosition: 0 };
    const account = accounts.get(accountId) ?? empty;
    accounts.set(accountId, account);
    return account;
  };
  const state = { isLost: false, reads: 0, beforeSigning: async (): Promise<void> => undefined };
  const reader: LogReader = {
    async newest(accountIds) {
      if (state.isLost) throw new Error("the store is lost");
      return new Map(accountIds.map((accountId) => [accountId, of(accountId).newest]));
    },
    async read(accountId, after, entriesMax) {
      if (state.isLost) throw new Error("the store is lost");
      state.reads += 1;
      const { entries, newest, oldest, generation, changedAtPosition } = of(accountId);
      const page = entries.filter(({ position }) => position > after).slice(0, entriesMax);
      const extent = { oldest, newest, snapshotGeneration: generation, snapshotPosition: changedAtPosition };
      return { log: extent, entries: page };
    },
    cursors: () => ({
      open: async (cursor) => ({ position: Number(cursor), snapshotGeneration: 0 }),
      async sign({ position, snapshotGeneration }) {
        await state.beforeSigning();
        return `${position}/${snapshotGeneration}`;
      },
    }),
  };
  return {
    state,
    of,
    open: { log, reader },
    /** Logs a change of the snapshot generation, which is a change of another kind. */
    changeSnapshot(): void {
      const account = of(ACCOUNT);
      account.newest += 1;
      account.generation += 1;
      account.changedAtPosition = account.newest;
    },
    append(count: number, accountId = ACCOUNT): void {
      const account = of(accountId);
      for (let added = 0; added < count; added += 1) {
        account.newest += 1;
        const position = account.newest;
        const colour = position % 2 === 1 ? "red" : "blue";
        account.entries.push({
          position,
          subject: "thing",
          facets: { colour },
          text: JSON.stringify({ position, colour }),
        });
      }
    },
  };
}

/** A caller that reads everything immediately or, if `isSlow`, only when `read` is called. */
function caller({ isSlow = false } = {}) {
  const state = { text: "", unread: 0, isEnded: false, events: undefined as OutletEvents | undefined, unreadMax: 0 };
  return {
    state,
    outlet: {
      send(text: string) {
        if (state.isEnded) throw new Error("written after the end");
        state.text += text;
        state.unread += text.length;
        state.unreadMax = Math.max(state.unreadMax, state.unread);
        if (!isSlow) state.unread = 0;
        return !isSlow;
      },
      end() {
        state.isEnded = true;
        state.events?.closed();
      },
    },
    read(): void {
      state.unread = 0;
      state.events?.drained();
    },
    /** The ids of the changes received, in order. */
    ids: () => eventsIn(state.text).flatMap(({ event, id }) => (event === log.event ? [Number(id)] : [])),
    named: (name: string) => eventsIn(state.text).filter(({ event }) => event === name),
  };
}
type Caller = ReturnType<typeof caller>;

function eventsIn(text: string) {
  return text
    .split("\n\n")
    .map((block) => Object.fromEntries(block.split("\n").map((line) => line.split(/: (.*)/s).slice(0, 2))))
    .filter((fields) => "event" in fields) as { event: string; id: string; data: string }[];
}

interface RoomOptions {
  readonly perAccountMax?: number;
  readonly seed?: number;
  /** Default: only the log that the returned `append` and `state` belong to. */
  readonly logs?: readonly OpenLog[];
}

function room({ perAccountMax = 10, seed = 1, logs }: RoomOptions = {}) {
  const memory = memoryLog();
  const clock = manualClock(NOW);
  const faults: unknown[] = [];
  const onFault = (error: unknown): void => void faults.push(error);
  const streams = openStreams({
    logs: logs ?? [memory.open],
    clock,
    random: seededRandom(seed),
    perAccountMax,
    onFault,
  });
  const turn = async (): Promise<void> => {
    for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    ...memory,
    clock,
    faults,
    streams,
    turn,
    async pass(ms: number): Promise<void> {
      for (let passed = 0; passed < ms; passed += SECOND_MS / 2) {
        clock.advance(SECOND_MS / 2);
        await turn();
      }
    },
    async connect(to: Caller, request: Partial<StreamRequest> = {}): Promise<void> {
      const follow = await streams.open({
        log,
        accountId: ACCOUNT,
        place: undefined,
        filters: {},
        isAllowed: async () => true,
        ...request,
      });
      to.state.events = follow(to.outlet);
      await turn();
    },
  };
}

describe("a stream", () => {
  test("a stream begins with its position and retry delay, and delivers each change once and in order", async () => {
    const { append, connect, pass } = room();
    append(3);
    const consumer = caller();
    await connect(consumer);
    expect(consumer.state.text).toMatch(/^retry: \d{4}\n\nid: 3\nevent: ready\n/);
    expect(JSON.parse(consumer.named("ready")[0]?.data ?? "")).toEqual({
      position: 3,
      pollState: "CURRENT",
      nextCursor: "3/0",
    });
    append(2);
    await pass(500);
    append(1);
    await pass(500);
    expect(consumer.ids()).toEqual([4, 5, 6]);
    expect(JSON.parse(consumer.named(log.event)[0]?.data ?? "")).toEqual({
      position: 4,
      colour: "blue",
      nextCursor: "4/0",
    });
  });

  test("a stream delivers nothing before `ready`, even if signing the cursor takes a long time", async () => {
    const { append, connect, pass, state } = room();
    await connect(caller());
    const consumer = caller();
    let sign = (): void => undefined;
    const signing = new Promise<void>((resolve) => {
      sign = resolve;
    });
    state.beforeSigning = () => signing;
    await connect(consumer);
    state.beforeSigning = async () => undefined;
    append(1);
    await pass(500);
    expect(consumer.state.text).toBe("");
    sign();
    await pass(500);
    expect(eventsIn(consumer.state.text).map(({ event, id }) => [event, id])).toEqual([
      ["ready", "0"],
      [log.event, "1"],
    ]);
  });

  test("a stream continues after its position, however far back that is", async () => {
    const { append, connect, pass } = room();
    append(1_000);
    const consumer = caller();
    await connect(consumer, { place: { position: 250 } });
    append(5);
    await pass(500);
    expect(consumer.ids()).toEqual(Array.from({ length: 755 }, (_, at) => 251 + at));
  });

  test("new changes are read once for all streams of the same log", async () => {
    const { append, connect, pass, state } = room();
    const callers = Array.from({ length: 10 }, () => caller());
    for (const consumer of callers) await connect(consumer);
    const before = state.reads;
    append(5);
    await pass(500);
    for (const consumer of callers) expect(consumer.ids()).toEqual([1, 2, 3, 4, 5]);
    expect(state.reads - before).toBe(1);
  });

  test("a stream delivers only changes that its filters admit, and its position moves past the others", async () => {
    const { append, connect, pass, of } = room();
    const [consumer, passing] = [caller(), caller()];
    await connect(consumer, { filters: { colour: ["red"] } });
    await connect(passing, { filters: { colour: ["green"] } });
    append(6);
    await pass(500);
    expect(consumer.ids()).toEqual([1, 3, 5]);
    append(500);
    await pass(500);
    // The changes before 507 are now removed. A stream whose position had not moved past them would end.
    of(ACCOUNT).oldest = 507;
    append(1);
    await pass(500);
    expect(consumer.ids().at(-1)).toBe(507);
    expect([passing.ids(), passing.state.isEnded]).toEqual([[], false]);
  });

  test("a stream announces a new snapshot generation once, with a cursor for it, and continues", async () => {
    const { append, changeSnapshot, connect, pass } = room();
    const consumer = caller();
    await connect(consumer);
    append(1);
    changeSnapshot();
    await pass(500);
    append(1);
    await pass(1_000);
    expect(consumer.ids()).toEqual([1, 3]);
    expect(consumer.named("snapshot_required").map(({ data }) => JSON.parse(data))).toEqual([
      { position: 2, pollState: "SNAPSHOT_REQUIRED", nextCursor: "2/1" },
    ]);
  });

  test("a stream announces at its beginning that the snapshot of its cursor is no longer current", async () => {
    const { append, connect, of } = room();
    append(1);
    of(ACCOUNT).generation = 4;
    const consumer = caller();
    await connect(consumer, { place: { position: 0, snapshotGeneration: 3 } });
    expect(JSON.parse(consumer.named("ready")[0]?.data ?? "")).toMatchObject({ pollState: "SNAPSHOT_REQUIRED" });
    expect(consumer.ids()).toEqual([1]);
  });

  test("a stream that resumes at the id of an event announces a snapshot generation that began after this event", async () => {
    const { append, changeSnapshot, connect, pass } = room();
    append(2);
    changeSnapshot();
    const [before, after, resumed] = [caller(), caller(), caller()];
    await connect(before, { place: { position: 2 } });
    await connect(after, { place: { position: 3 } });
    const states = [before, after].map(({ named }) => JSON.parse(named("ready")[0]?.data ?? ""));
    expect(states).toEqual([
      { position: 3, pollState: "SNAPSHOT_REQUIRED", nextCursor: "3/1" },
      { position: 3, pollState: "CURRENT", nextCursor: "3/1" },
    ]);
    const idOfReady = Number(before.named("ready")[0]?.id);
    await connect(resumed, { place: { position: idOfReady } });
    expect(JSON.parse(resumed.named("ready")[0]?.data ?? "")).toMatchObject({ pollState: "CURRENT" });
    await pass(500);
    expect(before.named("snapshot_required")).toEqual([]);
  });

  test("a filtered stream that resumes announces a new snapshot generation once, although no change passes its filters", async () => {
    const { append, changeSnapshot, connect } = room();
    append(300);
    changeSnapshot();
    const filters = { colour: ["green"] };
    const [first, second] = [caller(), caller()];
    await connect(first, { place: { position: 1 }, filters });
    const [ready] = first.named("ready");
    expect(JSON.parse(ready?.data ?? "")).toMatchObject({ position: 301, pollState: "SNAPSHOT_REQUIRED" });
    await connect(second, { place: { position: Number(ready?.id) }, filters });
    expect(JSON.parse(second.named("ready")[0]?.data ?? "")).toMatchObject({ pollState: "CURRENT" });
    const red = caller();
    await connect(red, { place: { position: 1 }, filters: { colour: ["red"] } });
    expect(red.ids()).toEqual(Array.from({ length: 149 }, (_, at) => 3 + 2 * at));
  });

  test("a stream announces a new snapshot generation between the changes before it and those after it", async () => {
    const { append, changeSnapshot, connect, pass } = room();
    const consumer = caller();
    await connect(consumer);
    append(1);
    changeSnapshot();
    append(1);
    await pass(500);
    const received = eventsIn(consumer.state.text).map(({ event, id, data }) => [
      event,
      Number(id),
      JSON.parse(data).nextCursor,
    ]);
    // The cursor of an event before the announcement must not claim that its reader has the new snapshot.
    expect(received).toEqual([
      ["ready", 0, "0/0"],
      [log.event, 1, "1/0"],
      ["snapshot_required", 2, "2/1"],
      [log.event, 3, "3/1"],
    ]);
  });

  test("a stream that is far behind announces a new snapshot generation once it reaches the position", async () => {
    const { append, changeSnapshot, connect, pass } = room();
    append(250);
    const consumer = caller({ isSlow: true });
    await connect(consumer, { place: { position: 0 } });
    changeSnapshot();
    append(1);
    await pass(500);
    for (let reads = 0; reads < 50 && consumer.ids().length < 251; reads += 1) {
      consumer.read();
      await pass(500);
    }
    const events = eventsIn(consumer.state.text).map(({ event }) => event);
    expect([events.indexOf("snapshot_required"), events.lastIndexOf("snapshot_required")]).toEqual([251, 251]);
    expect(consumer.ids().at(-1)).toBe(252);
  });

  test("a stream is refused with 410 if its position is before the beginning or after the end of the log", async () => {
    const { append, connect, of, streams } = room();
    append(10);
    of(ACCOUNT).oldest = 5;
    const gone = { status: 410, body: { code: "SNAPSHOT_REQUIRED" } };
    await expect(connect(caller(), { place: { position: 3 } })).rejects.toMatchObject(gone);
    await expect(connect(caller(), { place: { position: 11 } })).rejects.toMatchObject(gone);
    await connect(caller(), { place: { position: 4 } });
    expect(streams.count).toBe(1);
  });

  test("a stream sends fewer than 80,000 characters before a slow caller reads, and the rest when the caller reads", async () => {
    const { append, connect, pass, turn } = room();
    const slow = caller({ isSlow: true });
    await connect(slow);
    append(5_000);
    await pass(20_000);
    expect(slow.state.unreadMax).toBeLessThan(80_000);
    for (let reads = 0; reads < 200 && slow.ids().length < 5_000; reads += 1) {
      slow.read();
      await turn();
    }
    expect(slow.ids()).toEqual(Array.from({ length: 5_000 }, (_, at) => 1 + at));
    expect(slow.state.unreadMax).toBeLessThan(80_000);
  });

  test("a stream sends a heartbeat after ten quiet seconds, and none to a caller that does not read", async () => {
    const { connect, pass } = room();
    const [quick, slow] = [caller(), caller({ isSlow: true })];
    await connect(quick);
    await connect(slow);
    await pass(25_000);
    expect(quick.state.text.match(/: heartbeat/g)).toHaveLength(2);
    expect(slow.state.text).not.toContain("heartbeat");
  });

  test("a stream sends heartbeats while the check of a credential hangs", async () => {
    const { connect, pass } = room();
    const consumer = caller();
    await connect(consumer, { isAllowed: () => new Promise(() => undefined) });
    await pass(40_000);
    expect(consumer.state.text.match(/: heartbeat/g)?.length).toBeGreaterThanOrEqual(3);
  });

  test("a stream ends within 16 seconds after its credential was revoked", async () => {
    const { connect, pass, streams } = room();
    const access = { isAllowed: true };
    const consumer = caller();
    await connect(consumer, { isAllowed: async () => access.isAllowed });
    await pass(20_000);
    expect(consumer.state.isEnded).toBe(false);
    access.isAllowed = false;
    await pass(16_000);
    expect([consumer.state.isEnded, streams.count]).toEqual([true, 0]);
  });

  test("a stream ends when its log cannot be read, since silence would look like a log without changes", async () => {
    const { connect, pass, state, faults } = room();
    const consumer = caller();
    await connect(consumer);
    state.isLost = true;
    await pass(500);
    expect([consumer.state.isEnded, String(faults[0])]).toEqual([true, "Error: the store is lost"]);
  });

  test("a log that cannot be read does not silence the streams of other logs", async () => {
    const [lost, healthy] = [memoryLog(), memoryLog()];
    const otherLog: ChangeLog = { ...log, event: "other.changed" };
    const healthyLog = { log: otherLog, reader: healthy.open.reader };
    const { connect, pass } = room({ logs: [lost.open, healthyLog] });
    const [ended, consumer] = [caller(), caller()];
    await connect(ended);
    await connect(consumer, { log: otherLog });
    lost.state.isLost = true;
    healthy.append(1);
    await pass(500);
    expect([ended.state.isEnded, consumer.state.isEnded]).toEqual([true, false]);
    expect(consumer.named(otherLog.event)).toHaveLength(1);
  });

  test("a stream ends when its log has lost delivered positions, for example after a backup was restored", async () => {
    const { append, connect, pass, of } = room();
    append(3);
    const consumer = caller();
    await connect(consumer);
    of(ACCOUNT).newest = 2;
    await pass(500);
    expect(consumer.state.isEnded).toBe(true);
  });

  test("a stream delivers the changes of its own account only", async () => {
    const { append, connect, pass } = room();
    const consumer = caller();
    await connect(consumer);
    append(3, "acc_other");
    await pass(500);
    expect(consumer.ids()).toEqual([]);
  });
});

describe("the streams of a node", () => {
  test("the streams of a node are limited per account; closing a stream makes room for another", async () => {
    const { connect, streams } = room({ perAccountMax: 2 });
    const [first, second] = [caller(), caller()];
    await connect(first);
    await connect(second);
    await expect(connect(caller())).rejects.toMatchObject({ status: 429, headers: { "Retry-After": "30" } });
    await connect(caller(), { accountId: "acc_other" });
    first.state.events?.closed();
    await connect(caller());
    expect(streams.count).toBe(3);
  });

  test("the streams of a node are limited even if they are opened at the same time", async () => {
    const { connect } = room({ perAccountMax: 2 });
    const opened = await Promise.allSettled(Array.from({ length: 6 }, () => connect(caller())));
    expect(opened.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  });

  test("the streams of a node end when the node stops", async () => {
    const { connect, streams } = room();
    const callers = [caller(), caller(), caller()];
    for (const consumer of callers) await connect(consumer);
    streams.close();
    expect(callers.map(({ state }) => state.isEnded)).toEqual([true, true, true]);
    expect(streams.count).toBe(0);
  });
});

test("a stream that was being opened while the node stopped ends after `ready`", async () => {
  const { streams, turn } = room();
  const consumer = caller();
  const follow = await streams.open({
    log,
    accountId: ACCOUNT,
    place: undefined,
    filters: {},
    isAllowed: async () => true,
  });
  streams.close();
  consumer.state.events = follow(consumer.outlet);
  await turn();
  expect(consumer.named("ready")).toHaveLength(1);
  expect([consumer.state.isEnded, streams.count]).toEqual([true, 0]);
});

test("during 10,000 random writes, reads and disconnections, every change is delivered once and in order", async () => {
  const random = seededRandom(18);
  const { append, changeSnapshot, connect, of, turn, clock, streams } = room({ perAccountMax: 50, seed: 18 });
  const readers = Array.from({ length: 8 }, (_, at) => ({
    received: [] as number[],
    caller: undefined as Caller | undefined,
    isSlow: at % 2 === 0,
  }));
  for (let step = 0; step < 10_000; step += 1) {
    const reader = readers[Math.floor(random() * readers.length)];
    if (reader === undefined) continue;
    const { caller: connected, isSlow } = reader;
    const choice = random();
    if (choice < 0.4) append(1 + Math.floor(random() * 4));
    else if (choice < 0.45) changeSnapshot();
    else if (choice < 0.6) clock.advance(SECOND_MS / 2);
    else if (choice < 0.8) connected?.read();
    else if (connected === undefined || connected.state.isEnded) {
      const next = caller({ isSlow });
      reader.caller = next;
      await connect(next, { place: { position: reader.received.at(-1) ?? 0 } });
    } else {
      reader.received.push(...connected.ids());
      connected.state.events?.closed();
      reader.caller = undefined;
    }
    if (step % 50 === 0) await turn();
  }
  const positions = of(ACCOUNT).entries.map(({ position }) => position);
  for (const reader of readers) {
    const last = reader.caller ?? caller();
    if (reader.caller === undefined) await connect(last, { place: { position: reader.received.at(-1) ?? 0 } });
    for (let reads = 0; reads < 2_000 && (last.ids().at(-1) ?? 0) < (positions.at(-1) ?? 0); reads += 1) {
      clock.advance(SECOND_MS / 2);
      last.read();
      await turn();
    }
    expect([...reader.received, ...last.ids()]).toEqual(positions);
  }
  streams.close();
});
