import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { AnyCollection, AnyPart } from "../../../src/contract/dataset.js";
import type { FeedCase, PartCase, StoredDatasetCase } from "../../../src/contract/testing/service-cases.js";
import type { RunResult } from "../../../src/ingest/run.js";
import { MINUTE_MS } from "../../../src/kit/clock.js";
import type { Fault } from "../../../src/simulator/faults.js";
import { json, type Stack, startStack } from "../stack.js";
import { promptFaults, refusedConnection, timeout, type UpstreamFault } from "./faults.js";

/** After this time, neither a breaker nor a Retry-After of an earlier fault prevents a request. */
const RECOVERED_AFTER_MS = 30 * MINUTE_MS;
/** Longer than the time limit of any request. */
const TIMED_OUT_AFTER_MS = 2 * MINUTE_MS;

/** Datasets read by the operation that shows the tested dataset. */
type Beside = readonly string[];

/** Tests that no upstream fault changes the stored data, and that each fault is reported. */
export function walkDatasetFaults(dataset: AnyCollection, beside: Beside, datasetCase: StoredDatasetCase): void {
  for (const feed of datasetCase.feeds) walkFeed(dataset, beside, datasetCase, feed);
  const parts = Object.entries(dataset.parts);
  const tested = parts.filter(([name]) => parts.length > 1 && datasetCase.likeTested?.includes(name) !== true);
  if (tested.length > 0) walkParts(dataset, beside, datasetCase, Object.fromEntries(tested));
}

async function startBuilt(
  { name }: AnyCollection,
  beside: Beside,
  datasetCase: StoredDatasetCase,
  { keyless = false }: { readonly keyless?: boolean } = {},
): Promise<Stack> {
  const stack = await startStack({ keyless, datasets: beside });
  await stack.run(name);
  await catchUp(stack, name, datasetCase);
  for (const other of beside) if (other !== name) await stack.run(other);
  if (datasetCase.beginsWithSweep) stack.clock.advance(RECOVERED_AFTER_MS);
  return stack;
}

/** Stores for each part in `caughtUp` the memory that it would have after reading all earlier documents. */
async function catchUp({ service, clock }: Stack, name: string, { caughtUp }: StoredDatasetCase): Promise<void> {
  if (caughtUp === undefined) return;
  const status = (await service.store.statuses()).find(({ dataset }) => dataset === name);
  if (status === undefined) throw new Error(`${name} was not built`);
  const parts = Object.entries(status.parts).map(([part, before]) => {
    const memory = caughtUp[part]?.(clock.now());
    return [part, memory === undefined ? before : { ...before, memory }];
  });
  await service.store.recordRun({
    runId: randomUUID(),
    status: { ...status, parts: Object.fromEntries(parts) },
    reports: [],
  });
}

/** Runs the dataset and advances the clock whenever a request hangs. */
async function runHanging(stack: Stack, name: string): Promise<RunResult> {
  const progress = { isDone: false };
  const run = stack.run(name).finally(() => {
    progress.isDone = true;
  });
  while (!progress.isDone) {
    const isHanging = stack.clock.sleeping > 0 && stack.simulator.requests.list().at(-1)?.fault === "hang";
    // The clock advances once per hanging request, because the time limit of a queued request begins at its turn.
    if (isHanging) stack.clock.advance(TIMED_OUT_AFTER_MS);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return run;
}

function walkFeed(dataset: AnyCollection, beside: Beside, datasetCase: StoredDatasetCase, feed: FeedCase): void {
  const { upstream, badRow, keyless = false, except = [] } = feed;
  describe(`${dataset.name} fed by ${upstream}${keyless ? ", without keys" : ""}`, () => {
    let stack: Stack;
    let before: { generation: unknown; body: string; lastModified: string | undefined };

    beforeAll(async () => {
      stack = await startBuilt(dataset, beside, datasetCase, { keyless });
      const answer = await stack.get(datasetCase.shownBy);
      const generation = stack.service.registry.generation(stack.dataset(dataset.name));
      before = { generation, body: String(answer.body), lastModified: answer.headers["Last-Modified"] };
    });
    afterAll(() => stack.close());
    beforeEach(() => {
      stack.simulator.faults.clear();
      stack.clock.advance(RECOVERED_AFTER_MS);
    });

    const faults = [...promptFaults, timeout, refusedConnection].filter(({ name }) => !except.includes(name));
    test.each(faults)(
      "$name leaves the stored snapshot, its generation and its time untouched",
      async ({ fault, error }) => {
        stack.simulator.faults.set({ upstream }, fault);
        const result = await runHanging(stack, dataset.name);
        expect(result.outcome).toBe("failed");
        expect(stack.service.registry.generation(stack.dataset(dataset.name))).toEqual(before.generation);
        const answer = await stack.get(datasetCase.shownBy);
        expect(String(answer.body)).toBe(before.body);
        expect(answer.headers["Last-Modified"]).toBe(before.lastModified);
        const health = json(await stack.get("/api/health")) as { datasets: { name: string; error: string }[] };
        expect(health.datasets.find(({ name }) => name === dataset.name)?.error).toMatch(error);
      },
    );

    test("Retry-After postpones the next run by the stated time", async () => {
      stack.simulator.faults.set({ upstream }, { kind: "status", code: 429, retryAfter: 1_800 });
      const result = await stack.run(dataset.name);
      expect(result.status.nextAt).toBeGreaterThanOrEqual(stack.clock.now() + 1_790_000);
    });

    test("the next run reads an upstream that has recovered", async () => {
      stack.simulator.faults.set({ upstream }, { kind: "status", code: 500 });
      await stack.run(dataset.name);
      stack.simulator.faults.clear();
      stack.clock.advance(2 * MINUTE_MS);
      const result = await stack.run(dataset.name);
      // Some upstreams have newer data by now.
      expect(["unchanged", "published"]).toContain(result.outcome);
      expect(result.status).toMatchObject({ error: null, failuresInRow: 0 });
    });
  });

  test(`${dataset.name} fed by ${upstream}${keyless ? ", without keys" : ""} counts and skips a bad row and publishes the other rows`, async () => {
    const stack = await startStack({ keyless, datasets: beside });
    try {
      const { match = "", isCounted = true } = badRow;
      stack.simulator.faults.set({ upstream, match }, { kind: "bad-row" });
      const result = await stack.run(dataset.name);
      expect(result.outcome).toBe("published");
      const struck = result.reports.filter(({ url }) => url.includes(match));
      expect(struck.length).toBeGreaterThan(0);
      expect(struck.map(({ rowsBad }) => rowsBad)).toEqual(struck.map(() => (isCounted ? 1 : 0)));
    } finally {
      await stack.close();
    }
  });
}

function walkParts(
  dataset: AnyCollection,
  beside: Beside,
  datasetCase: StoredDatasetCase,
  parts: Readonly<Record<string, AnyPart>>,
): void {
  describe(`${dataset.name} with failing parts`, () => {
    let stack: Stack;
    /** The hosts that each part requests. */
    const hosts = new Map<string, ReadonlySet<string>>();
    beforeAll(async () => {
      stack = await startStack({ datasets: beside });
      const { reports } = await stack.run(dataset.name);
      await catchUp(stack, dataset.name, datasetCase);
      for (const { part, url } of reports) {
        hosts.set(part, new Set([...(hosts.get(part) ?? []), new URL(url).hostname]));
      }
      if (datasetCase.beginsWithSweep) stack.clock.advance(RECOVERED_AFTER_MS);
    });
    afterAll(() => stack.close());

    const recordsOf = async (part: string): Promise<readonly unknown[] | undefined> => {
      const generation = stack.service.registry.generation(stack.dataset(dataset.name));
      return generation && (await stack.service.store.records(generation))[part];
    };

    test.each(Object.keys(parts))(
      "%s shares no host with another part, or its test case has a `match` for its requests",
      (part) => {
        const own = [...(hosts.get(part) ?? [])];
        const sharing = [...hosts].filter(
          ([other, requestedHosts]) => other !== part && own.some((host) => requestedHosts.has(host)),
        );
        const isIdentified = datasetCase.parts?.[part]?.match !== undefined;
        const problem = `${part} shares its host with ${sharing.map(([other]) => other).join(", ")}; give it a \`match\``;
        expect(sharing.length > 0 && !isIdentified ? problem : "own requests").toBe("own requests");
        const silent = `the first build requests nothing for ${part}`;
        expect(own.length > 0 || isIdentified ? "requests" : silent).toBe("requests");
      },
    );

    /** Short enough that the kept records of a failing part do not make the dataset stale. */
    const waitMs = Math.min(RECOVERED_AFTER_MS, dataset.staleAfterMs / 2);
    /** The states of the parts after the newest run. */
    let states: RunResult["status"]["parts"] = {};

    /** Advances time, and renews the parts unless the newest run renewed them. */
    async function renew(names: readonly string[]): Promise<void> {
      stack.simulator.faults.clear();
      if (names.some((name) => states[name]?.state !== "fresh")) {
        stack.clock.advance(RECOVERED_AFTER_MS);
        await stack.run(dataset.name);
        expect(stack.service.registry.get(stack.dataset(dataset.name)).state).toBe("ok");
      }
      stack.clock.advance(waitMs);
    }

    const rows = partFailures(Object.keys(parts), datasetCase).map((failing) => ({
      failing,
      title: failing.map(({ part, name }) => `${part} (${name})`).join(", "),
    }));
    test.each(rows)(
      "parts that fail keep their records and the other parts are renewed: $title",
      async ({ failing }) => {
        const struck = failing.map(({ part }) => part);
        await renew(struck);
        const before = new Map(await Promise.all(struck.map(async (part) => [part, await recordsOf(part)] as const)));
        for (const { part, fault } of failing) {
          strike(stack, hosts.get(part) ?? new Set(), datasetCase.parts?.[part] ?? {}, fault);
        }
        const result = await stack.run(dataset.name);
        states = result.status.parts;
        for (const { part, error } of failing) {
          expect(states[part]).toMatchObject({ state: "kept", error: expect.stringMatching(/./) });
          expect(failuresOf(result, part)).toMatch(error);
          expect(await recordsOf(part)).toEqual(before.get(part));
        }
        // Retry-After applies to a host and therefore to all parts that share it.
        const isRefused = failing.some(({ fault }) => fault.kind === "status" && fault.code === 429);
        const renewed = Object.entries(states).filter(
          ([part, other]) =>
            !struck.includes(part) && !(isRefused && other.error?.includes("requested a pause") === true),
        );
        expect(renewed.map(([, { state }]) => state)).toEqual(renewed.map(() => "fresh"));
        expect(stack.service.registry.get(stack.dataset(dataset.name)).state).toBe("partial");
      },
    );
  });
}

interface PartFailure extends UpstreamFault {
  readonly part: string;
}

/**
 * Returns the parts that fail in each run, with their faults. The two halves of the parts fail alternately, so that
 * each run renews the parts that failed in the run before it. Every part gets the faults that its decoder or its
 * source must notice. The client notices the other faults in the same way for every part, so each of these is tested
 * on some parts.
 */
function partFailures(
  parts: readonly string[],
  { parts: cases = {} }: StoredDatasetCase,
): readonly (readonly PartFailure[])[] {
  const noticedByPart = promptFaults.filter((fault) => !isNoticedByClient(fault));
  const noticedByClient = promptFaults.filter(isNoticedByClient);
  const excepts = (part: string, { name }: UpstreamFault): boolean => cases[part]?.except?.includes(name) === true;
  /** For each fault that the client notices, the parts that get it; empty if every part excludes the fault. */
  const sharing = noticedByClient.map((fault, at) => {
    const accepting = parts.filter((part) => !excepts(part, fault));
    return accepting.filter((_, place) => at % accepting.length === place || place % noticedByClient.length === at);
  });
  const failures = parts.map((part, index) => {
    const shared = noticedByClient.filter((_, at) => sharing[at]?.includes(part) === true);
    // The parts of a half begin with different faults.
    const begin = Math.floor(index / 2) % noticedByPart.length;
    return [...noticedByPart.slice(begin), ...noticedByPart.slice(0, begin), ...shared]
      .filter((fault) => !excepts(part, fault))
      .map((fault) => ({ ...fault, part }));
  });
  const roundCount = Math.max(...failures.map(({ length }) => length));
  return Array.from({ length: roundCount }, (_, round) => round)
    .flatMap((round) =>
      [0, 1].map((half) => failures.flatMap((own, index) => (index % 2 === half ? (own[round] ?? []) : []))),
    )
    .filter((failing) => failing.length > 0);
}

function isNoticedByClient({ fault }: UpstreamFault): boolean {
  return fault.kind === "cut" || (fault.kind === "status" && fault.code !== 404);
}

/** Returns the failures of a part from the error text of a run. */
function failuresOf({ status }: RunResult, part: string): string {
  const failures = (status.error ?? "").split(/; (?=[\w-]+(?:, [\w-]+)*: )/);
  return failures.filter((failure) => failure.split(": ")[0]?.split(", ").includes(part)).join("; ");
}

function strike(stack: Stack, hosts: ReadonlySet<string>, { match }: PartCase, fault: Fault): void {
  if (match) for (const text of match) stack.simulator.faults.set({ upstream: "*", match: text }, fault);
  else for (const upstream of hosts) stack.simulator.faults.set({ upstream }, fault);
}
