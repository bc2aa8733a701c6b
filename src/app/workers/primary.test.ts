import type { Worker } from "node:cluster";
import { EventEmitter } from "node:events";
import { setImmediate } from "node:timers/promises";
import { pino } from "pino";
import { expect, test, vi } from "vitest";
import { manualClock } from "../../kit/manual-clock.js";
import type { FromWorker, ToWorker } from "./messages.js";
import { type Primary, primary } from "./primary.js";

/** The first delay before a lost process is replaced. */
const RESTART_AFTER_MS = 500;

interface FakeChild {
  readonly role: string;
  isAlive: boolean;
  /** False to make the process run on after it is asked to stop. */
  obeysStop: boolean;
  /** Reports that the process is ready. */
  ready(): void;
  exit(code: number): void;
}

/** A primary whose processes exist only in this test. */
function primaryOfFakes(options: { readonly workers: number; readonly ingests: boolean }) {
  const clock = manualClock(0);
  const children: FakeChild[] = [];
  const alive = (role: string): readonly FakeChild[] =>
    children.filter((child) => child.role === role && child.isAlive);

  function fork(words: readonly string[]): Worker {
    const worker = new EventEmitter();
    const child: FakeChild = {
      role: words.at(-1) ?? "",
      isAlive: true,
      obeysStop: true,
      ready() {
        const message: FromWorker =
          child.role === "api" ? { kind: "serving", address: "http://127.0.0.1:1" } : { kind: "opened" };
        worker.emit("message", message);
      },
      exit(code) {
        child.isAlive = false;
        worker.emit("exit", code);
      },
    };
    children.push(child);
    // The cast is safe, because the primary uses only these members of a worker.
    return Object.assign(worker, {
      id: children.length,
      process: { pid: children.length, kill: () => child.exit(1) },
      isConnected: () => child.isAlive,
      send: ({ kind }: ToWorker) => {
        if (kind === "stop" && child.obeysStop) child.exit(0);
      },
    }) as unknown as Worker;
  }

  /** The only living process of a role, once it is not one of `earlier`. */
  async function only(role: string, ...earlier: readonly FakeChild[]): Promise<FakeChild> {
    const fresh = () => alive(role).filter((child) => !earlier.includes(child));
    await vi.waitUntil(() => fresh().length > 0);
    const [child, ...others] = fresh();
    if (child === undefined || others.length > 0) throw new Error(`expected one new ${role} process`);
    return child;
  }

  const log = pino({ level: "silent" });
  const processes: Primary = primary({ ...options, words: ["serve"], clock, log, fork });
  return { processes, clock, alive, only };
}

test("starts one ingest process if the delay after a failed start ends while a replacement starts", async () => {
  const { processes, clock, alive, only } = primaryOfFakes({ workers: 1, ingests: true });
  const started = processes.start();
  const firstIngest = await only("ingest");
  firstIngest.ready();
  const worker = await only("api");
  worker.ready();
  await started;

  const failed = expect(processes.replaceAll()).rejects.toThrow("the old one keeps running");
  (await only("ingest", firstIngest)).exit(1);
  (await only("api", worker)).exit(1);
  await failed;
  expect(clock.sleeping).toBe(1);

  const replaced = processes.replaceAll();
  const secondIngest = await only("ingest");
  clock.advance(RESTART_AFTER_MS);
  await setImmediate();
  expect(alive("ingest")).toEqual([secondIngest]);
  secondIngest.ready();
  (await only("api", worker)).ready();
  await replaced;
  await setImmediate();
  expect(alive("ingest")).toEqual([secondIngest]);
  expect(alive("api")).toHaveLength(1);

  await processes.stop(0);
  expect([...alive("ingest"), ...alive("api")]).toEqual([]);
});

test.each([
  ["before", [RESTART_AFTER_MS, 0]],
  ["after", [0, RESTART_AFTER_MS]],
] as const)("replaces a worker that ended, if its delay ends %s its successor fails to start", async (_, delays) => {
  const { processes, clock, alive, only } = primaryOfFakes({ workers: 1, ingests: false });
  const started = processes.start();
  const worker = await only("api");
  worker.ready();
  await started;

  const failed = expect(processes.replaceAll()).rejects.toThrow("before it was ready");
  const successor = await only("api", worker);
  worker.exit(1);
  await vi.waitUntil(() => clock.sleeping === 1);
  clock.advance(delays[0]);
  await setImmediate();
  expect(alive("api")).toEqual([successor]);
  successor.exit(1);
  await failed;
  clock.advance(delays[1]);
  await only("api");
  await processes.stop(0);
  expect(alive("api")).toEqual([]);
});

test("keeps one worker if the old one ends and its successor is ready", async () => {
  const { processes, clock, alive, only } = primaryOfFakes({ workers: 1, ingests: false });
  const started = processes.start();
  const worker = await only("api");
  worker.ready();
  await started;

  const replaced = processes.replaceAll();
  const successor = await only("api", worker);
  worker.exit(1);
  await vi.waitUntil(() => clock.sleeping === 1);
  clock.advance(RESTART_AFTER_MS);
  await setImmediate();
  successor.ready();
  await replaced;
  await setImmediate();
  expect(alive("api")).toEqual([successor]);
  await processes.stop(0);
  expect(alive("api")).toEqual([]);
});

test("stop waits for a replaced worker that still finishes its calls", async () => {
  const { processes, only } = primaryOfFakes({ workers: 1, ingests: false });
  const started = processes.start();
  const worker = await only("api");
  worker.ready();
  await started;

  worker.obeysStop = false;
  void processes.replaceAll();
  (await only("api", worker)).ready();
  await setImmediate();
  let isStopped = false;
  const stopped = processes.stop(0).then(() => {
    isStopped = true;
  });
  await setImmediate();
  expect(isStopped).toBe(false);
  worker.exit(0);
  await stopped;
});
