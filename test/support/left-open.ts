import type { Page } from "playwright-core";
import { MINUTE_MS, SECOND_MS } from "../../src/kit/clock.js";
import { mapValues } from "../../src/kit/map-values.js";
import { logJob } from "../../src/services/datasets/store/log-job.js";
import { type ConsoleStack, type OpenPage, startConsole } from "./console.js";
import { newestRecords, publish } from "./published.js";
import { runJob } from "./run-job.js";
import type { StackOptions } from "./stack.js";
import { startTcpProxy, type TcpProxy } from "./tcp-proxy.js";

/** Longer than the 10 s between heartbeats of a stream; shorter than the 30 s of silence that a page tolerates. */
const STEP_MS = 12 * SECOND_MS;
const CHANGE_EVERY_MS = 5 * MINUTE_MS;
/**
 * Each change publishes the original rows of a dataset without the first ones. With every change, the number of omitted
 * rows grows by one. After this maximum, it starts at one again.
 */
const LEFT_OUT_MAX = 20;

/** The memory of an open page after garbage collection. */
export interface Held {
  readonly heapBytes: number;
  readonly nodes: number;
  readonly listeners: number;
}

/** A page with a simulated clock. The test can observe the stream of the page. */
interface LeftPage extends OpenPage {
  readonly path: string;
  /** Number of times that bytes arrived on a stream of the page. */
  readonly received: () => number;
  readonly held: () => Promise<Held>;
}

/** Pages that stay open. Meanwhile, the clocks of the pages and of the service advance, and the data changes. */
export interface LeftOpen {
  readonly served: ConsoleStack;
  readonly pages: readonly LeftPage[];
  /** The newest generation of a dataset. */
  readonly newest: (dataset: string) => Promise<number>;
  /** Advances time in small steps. */
  readonly pass: (ms: number) => Promise<void>;
  /** Breaks all connections; nothing answers until `restore`. */
  readonly lose: () => void;
  readonly restore: () => void;
  /** Advances time in small steps until the condition is true on every page. */
  readonly until: (what: string, isTrue: (page: Page) => Promise<boolean>) => Promise<void>;
  readonly close: () => Promise<void>;
}

interface LeftOpenParts {
  readonly paths: readonly string[];
  readonly filled: NonNullable<StackOptions["filled"]>;
  /** Datasets that are changed in turn, one at each change. */
  readonly changing: readonly string[];
  /** Datasets that are rebuilt from their simulated upstreams. They take turns with those in `changing`. */
  readonly rebuilt?: readonly string[];
}

/** Far more than any wait needs, even on a busy machine. */
const WAIT_MS_MAX = 60_000;

/**
 * Starts a service that has the simulated datasets in `filled`, and opens its pages at `paths`. The datasets in
 * `changing` and `rebuilt` change in turn.
 */
export async function leaveOpen({ paths, filled, changing, rebuilt = [] }: LeftOpenParts): Promise<LeftOpen> {
  const parts: { proxy?: TcpProxy } = {};
  const served = await startConsole({
    filled,
    ...(filled !== "all" && { datasets: filled }),
    async alsoAt(url) {
      parts.proxy = await startTcpProxy({ host: "127.0.0.1", port: Number(new URL(url).port) });
      return `http://127.0.0.1:${parts.proxy.port}`;
    },
  });
  const { proxy } = parts;
  if (!proxy) throw new Error("the service has no second address");
  const { stack } = served;
  await runJob(stack, logJob);
  const through = `http://127.0.0.1:${proxy.port}`;
  const pages: LeftPage[] = [];
  for (const path of paths) pages.push(await leftPage(served, path, through));
  let isLost = false;
  let sinceChangeMs = 0;
  let changes = 0;
  const whole = await Promise.all(changing.map(async (name) => [name, await newestRecords(stack, name)] as const));

  const turns = [
    ...whole.map(([name, records]) => () => {
      const leftOut = 1 + (changes % LEFT_OUT_MAX);
      return publish(
        stack,
        name,
        mapValues(records, (rows) => rows.slice(leftOut)),
      );
    }),
    ...rebuilt.map((name) => () => stack.run(name)),
  ];

  async function change(): Promise<void> {
    await turns[changes % turns.length]?.();
    changes += 1;
    await runJob(stack, logJob);
  }

  /** Advances time for the service and, once the pages have received data from the service, also for the pages. */
  async function step(ms: number): Promise<void> {
    const before = pages.map(({ received }) => received());
    stack.clock.advance(ms);
    // The service runs this job every second. The run in `change` may have missed the generation of a build, because a
    // build returns before its generation is served.
    await runJob(stack, logJob);
    if (!isLost && ms >= STEP_MS) {
      await Promise.all(
        pages.map((page, at) => turnsUntil(`${page.path} receives data`, () => page.received() > (before[at] ?? 0))),
      );
    }
    await Promise.all(pages.map(({ page }) => page.clock.runFor(ms)));
  }

  async function until(what: string, isTrue: (page: Page) => Promise<boolean>): Promise<void> {
    for (const { page, path } of pages) {
      await turnsUntil(`${path}: ${what}`, async () => {
        if (await isTrue(page)) return true;
        await step(SECOND_MS);
        return false;
      });
    }
  }

  await until("the connection is live", isLive);
  return {
    served,
    pages,
    newest: async (dataset) => (await stack.service.store.newest(dataset))?.generation ?? 0,
    async pass(ms) {
      for (let passedMs = 0; passedMs < ms; passedMs += STEP_MS) {
        await step(STEP_MS);
        sinceChangeMs += STEP_MS;
        if (sinceChangeMs < CHANGE_EVERY_MS) continue;
        sinceChangeMs = 0;
        await change();
      }
    },
    lose() {
      isLost = true;
      proxy.freeze();
      proxy.cut();
    },
    restore() {
      isLost = false;
      proxy.thaw();
    },
    until,
    async close() {
      for (const { close } of pages) await close();
      await served.close();
      await proxy.close();
    },
  };
}

/** True if the page's header says that it updates automatically. */
export const isLive = (page: Page): Promise<boolean> => page.getByText("Live", { exact: true }).isVisible();
export const isLost = (page: Page): Promise<boolean> => page.getByText(/^Connection lost/).isVisible();

async function leftPage(served: ConsoleStack, path: string, through: string): Promise<LeftPage> {
  const open = await served.open(path, { hasSimulatedTime: true, through });
  const { page } = open;
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.enable");
  const streams = new Set<string>();
  let received = 0;
  devtools.on("Network.responseReceived", ({ requestId, response }) => {
    if (response.mimeType === "text/event-stream") streams.add(requestId);
  });
  devtools.on("Network.dataReceived", ({ requestId }) => {
    if (streams.has(requestId)) received += 1;
  });
  // Loads the page again, so that its stream begins after the listeners above were added.
  await page.reload();
  await page.evaluate("globalThis.wasNeverReloaded = true");
  return {
    ...open,
    path,
    received: () => received,
    async held() {
      await devtools.send("HeapProfiler.collectGarbage");
      const { usedSize } = await devtools.send("Runtime.getHeapUsage");
      const { nodes, jsEventListeners } = await devtools.send("Memory.getDOMCounters");
      return { heapBytes: usedSize, nodes, listeners: jsEventListeners };
    },
  };
}

/** Repeats the check until it returns true. The process does its other work between the checks. */
async function turnsUntil(what: string, check: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + WAIT_MS_MAX;
  while (!(await check())) {
    if (performance.now() > end) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
