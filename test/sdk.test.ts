import { Agent } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type HttpServer, httpServer } from "../src/http/server.js";
import { type Answer, ApiError, createVigil, type Vigil, type VigilOptions } from "../src/sdk/index.js";
import { logJob } from "../src/services/datasets/store/log-job.js";
import { LEASE_MS, SETTLED_AFTER_MS } from "../src/services/datasets/store/log-writer.js";
import { loadServices } from "../src/services/registry.js";
import { runJob } from "./support/run-job.js";
import { type Stack, startStack } from "./support/stack.js";
import { startTcpProxy, type TcpProxy } from "./support/tcp-proxy.js";

/* The client of src/sdk/ against the whole service over HTTP. */

const services = await loadServices();
const SILENCE_MS = 30_000;

/** The clients' connections. Closed before the server, which would wait for connections left by aborted calls. */
const connections = new Agent();

let stack: Stack;
let server: HttpServer;
let proxy: TcpProxy;
let url: string;
let key: string;
let vigil: Vigil;
beforeAll(async () => {
  stack = await startStack({ filled: "all" });
  // `stack.answer` is read at each call, because a restart replaces it.
  server = httpServer((call) => stack.answer(call));
  url = await server.listen("127.0.0.1", 0);
  key = stack.service.access.ownerKey.key ?? "";
  proxy = await startTcpProxy({ host: "127.0.0.1", port: Number(new URL(url).port) });
  vigil = clientOf();
}, 180_000);
afterAll(async () => {
  await connections.destroy();
  await proxy.close();
  await server.close();
  await stack.close();
});

function fetched(target: string | URL, init: RequestInit): Promise<Response> {
  // The dispatcher types of Node.js are from a different version, so the type is widened.
  const withConnections: object = { ...init, dispatcher: connections };
  return fetch(target, withConnections);
}

/** Creates a client whose pauses end at once and whose time limits never expire. */
function clientOf(options: Partial<VigilOptions> = {}): Vigil {
  return createVigil({
    url,
    key,
    ...options,
    platform: {
      fetch: fetched,
      sleep: (ms, signal) =>
        ms < SILENCE_MS
          ? new Promise((resolve) => setImmediate(resolve))
          : new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason), { once: true })),
      ...options.platform,
    },
  });
}

/** The parts of an answer that must be the same through the client and in a plain request. */
interface Outcome {
  readonly status: number;
  readonly data: unknown;
  readonly state: string | undefined;
  readonly generation: string;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

async function plainly(target: string): Promise<Outcome> {
  const answer = await fetched(url + target, { headers: { "X-Service-Key": key } });
  const { status, headers } = answer;
  const text = await answer.text();
  const isJson = headers.get("content-type")?.startsWith("application/json") === true;
  return {
    status,
    data: isJson ? JSON.parse(text) : text,
    state: headers.get("x-vigil-state") ?? undefined,
    generation: headers.get("x-vigil-generation") ?? "",
    etag: tagOf(headers.get("etag")),
    lastModified: headers.get("last-modified") ?? undefined,
  };
}

async function bySdk(call: Promise<Answer<unknown>>): Promise<Outcome> {
  const { status, data, state, generation, etag, lastModified, simulated } = await call;
  expect(simulated).toBe(true);
  const entries = Object.entries(generation).map(([name, number]) => `${name}=${number}`);
  return {
    status,
    data,
    state,
    generation: entries.join(", "),
    etag: tagOf(etag),
    lastModified: lastModified?.toUTCString(),
  };
}

/** An ETag without its encoding suffix. A first answer is uncompressed and has no suffix. */
function tagOf(etag: string | null | undefined): string | undefined {
  return etag?.replace(/-(?:gzip|br|zstd)"$/, '"');
}

/** The parameters of an example under the camelCase names that the client uses. */
function paramsOf(example: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const camel = (name: string): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(example).map(([name, value]) => [camel(name), value]));
}

const reads = [
  ...services.operations.map(({ path, operation }) => ({ path, ...operation })),
  ...services.accountReads.map(({ path, read }) => ({ path, ...read })),
].flatMap(({ path, rpc, examples }) =>
  examples.map((example) => ({ rpc, example, target: `${path}?${new URLSearchParams(example)}` })),
);

describe("the client and a plain request get the same answer", () => {
  test.each(reads)("$target", async ({ rpc, example, target }) => {
    // The first request fills the cache, because some answers state whether they come from the cache.
    await plainly(target);
    const plain = await plainly(target);
    if (plain.status === 200) {
      const first = await bySdk(vigil.callByName(rpc, paramsOf(example)));
      expect(first).toEqual(plain);
      expect(await bySdk(vigil.callByName(rpc, paramsOf(example)))).toEqual(plain);
      return;
    }
    const failed = vigil.callByName(rpc, paramsOf(example));
    await expect(failed).rejects.toBeInstanceOf(ApiError);
    await expect(failed).rejects.toMatchObject({ status: plain.status, body: expect.objectContaining(plain.data) });
  });

  test("the service confirms a repeated read without sending the data again", async () => {
    const client = clientOf();
    const answers = [await client.economic.getUsCpiMonthly(), await client.economic.getUsCpiMonthly()];
    expect(answers.map(({ isFromCache }) => isFromCache)).toEqual([false, true]);
    expect(answers[1]?.data).toEqual(answers[0]?.data);
  });

  test("CSV rows are the same as in a plain request", async () => {
    const plain = await plainly("/api/seismology/v1/list-earthquakes?page_size=5&format=csv");
    expect(await bySdk(vigil.seismology.listEarthquakes.text({ pageSize: 5, format: "csv" }))).toEqual(plain);
  });
});

test("every call of the service is a method of the client", () => {
  const camel = (name: string): string => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const declared = [
    ...services.operations.map(({ service, operation }) => [service, operation.rpc]),
    ...services.accountReads.map(({ service, read }) => [service, read.rpc]),
    ...services.writes.map(({ service, write }) => [service, write.rpc]),
    ...services.streams.map(({ service, stream }) => [service, stream.rpc]),
    ...services.linkedFeeds.map(({ service, feed }) => [service, feed.rpc]),
  ];
  const methods = vigil as unknown as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  const missing = declared.filter(
    ([service = "", rpc = ""]) => typeof methods[camel(service)]?.[camel(rpc)] !== "function",
  );
  expect(missing).toEqual([]);
});

test("iterating over all pages yields the rows of the list", async () => {
  const { data } = await vigil.seismology.listEarthquakes({ pageSize: 500 });
  expect(data.earthquakes.length).toBeGreaterThan(20);
  const rows: unknown[] = [];
  for await (const row of vigil.seismology.listEarthquakes.rows({ pageSize: 7 })) rows.push(row);
  expect(rows).toEqual(data.earthquakes);
});

test("platform paths are methods of the client, and can be called by name", async () => {
  const [health, version, datasets] = await Promise.all([
    vigil.platform.health(),
    vigil.platform.version(),
    vigil.platform.datasets({ name: "us-cpi" }),
  ]);
  expect((await vigil.callByName("health")).data).toEqual(health.data);
  expect((await vigil.callByName("version")).data).toEqual(version.data);
  expect((await vigil.callByName("datasets", { name: "us-cpi" })).data).toEqual(datasets.data);
  expect(health.data).toMatchObject({ simulated: true });
  expect(version.data).toMatchObject({ name: "vigil" });
  expect(datasets.data).toMatchObject({ datasets: [{ name: "us-cpi" }] });
  const history = await vigil.platform.datasetHistory({ name: "us-cpi", pageSize: 1 });
  expect(history.data).toMatchObject({ entries: [{ generation: 1 }] });
});

test("a write whose answer was lost is repeated, and takes effect once", async () => {
  let losses = 0;
  const client = clientOf({
    platform: {
      async fetch(target, init) {
        const answer = await fetched(target, init);
        if (init.method !== "POST" || losses > 0) return answer;
        losses += 1;
        await answer.arrayBuffer();
        throw new TypeError("terminated");
      },
    },
  });
  const name = "Example of a lost answer";
  const answer = await client.companyMonitoring.createMonitoredCompany({
    clientRequestId: "sdk-lost-answer",
    company: { name, domicileCountry: "DOMICILE_COUNTRY_US" },
  });
  expect([losses, answer.isReplay, answer.data.company.name]).toEqual([1, true, name]);
  const companies: string[] = [];
  for await (const company of vigil.companyMonitoring.listMonitoredCompanies.rows()) companies.push(company.name);
  expect(companies.filter((listed) => listed === name)).toHaveLength(1);
});

describe("changes of datasets", () => {
  const change = async (): Promise<void> => {
    await stack.run("earthquakes");
    await runJob(stack, logJob);
    // After a restart, the lease of the earlier writer must expire before a new writer takes over and settles.
    for (const pauseMs of [LEASE_MS, SETTLED_AFTER_MS]) {
      stack.clock.advance(pauseMs);
      await runJob(stack, logJob);
    }
    stack.clock.advance(6 * 3_600_000);
  };

  /** Position of the newest change. */
  const endOfLog = async (): Promise<number> => {
    for await (const event of vigil.datasets.streamDatasetChanges()) return event.position;
    throw new Error("the stream ended before it began");
  };

  test("are polled across a restart of the service, each once", async () => {
    const { data } = await vigil.datasets.listDatasetStates();
    const positions: number[] = [];
    await change();
    const polls = vigil.datasets.listDatasetChanges.changes({ cursor: data.pollCursor }, { everyMs: 1 });
    const readTo = async (end: number): Promise<void> => {
      while (positions.at(-1) !== end) {
        const { done, value } = await polls.next();
        if (done) throw new Error(`the polling ended before position ${end}`);
        positions.push(value.position);
        if (value.position > end) throw new Error(`the position ${end} was skipped`);
      }
    };
    const endBefore = await endOfLog();
    await readTo(endBefore);
    await stack.restart();
    await change();
    const end = await endOfLog();
    await readTo(end);
    await polls.return();
    expect(end).toBeGreaterThan(endBefore);
    expect(positions).toEqual(Array.from({ length: positions.length }, (_, at) => end - positions.length + 1 + at));
  });

  test("are streamed across lost connections and a restart, each once", async () => {
    await change();
    const client = clientOf({ url: `http://127.0.0.1:${proxy.port}` });
    let losses = 0;
    const onReconnect = (): void => {
      losses += 1;
    };
    const stream = client.datasets.streamDatasetChanges({}, { lastEventId: 0, onReconnect });
    const positions: number[] = [];
    let end = await endOfLog();
    for await (const event of stream) {
      if (event.type === "change") positions.push(event.position);
      if (positions.at(-1) !== end) continue;
      // The client has read everything that the connection has sent.
      if (losses === 2) break;
      if (losses === 1) await stack.restart();
      await change();
      end = await endOfLog();
      proxy.cut();
    }
    expect(positions).toEqual(Array.from({ length: end }, (_, index) => index + 1));
    await expect.poll(() => proxy.open).toBe(0);
  });
});

test("an abort ends a call with the reason of its signal", async () => {
  const aborter = new AbortController();
  proxy.freeze();
  const call = clientOf({ url: `http://127.0.0.1:${proxy.port}` }).platform.version({}, { signal: aborter.signal });
  aborter.abort(new Error("enough"));
  await expect(call).rejects.toThrow("enough");
  proxy.thaw();
});
