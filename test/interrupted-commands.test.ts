import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type HttpServer, httpServer } from "../src/http/server.js";
import { systemClock } from "../src/kit/clock.js";
import { signedHeaders, webhookSecret } from "../src/kit/standard-webhook.js";
import { keyOn } from "./support/callers.js";
import { processRoomForEach, type VigilProcess } from "./support/process.js";
import { type Stack, startStack } from "./support/stack.js";

const room = processRoomForEach("interrupted");

/** Waits until the output of a process matches the pattern, and returns the first group of the match. */
function shown({ child, output }: VigilProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const [, match] = pattern.exec(output()) ?? [];
      if (match !== undefined) resolve(match);
    };
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", look);
    child.once("close", () => reject(new Error(`ended without ${pattern}: ${output()}`)));
    look();
  });
}

test("a command whose output pipe has been closed ends with 0 and prints no error", { timeout: 60_000 }, async () => {
  const { child, ended, output } = room.start(["config"], { VIGIL_DATA_DIR: room.folder });
  child.stdout?.destroy();
  expect([await ended, output()]).toEqual([0, ""]);
});

describe("vigil watch", { timeout: 60_000 }, () => {
  let stack: Stack;
  let server: HttpServer;
  let url: string;
  beforeAll(async () => {
    stack = await startStack({ datasets: [] });
    server = httpServer(stack.answer);
    url = await server.listen("127.0.0.1", 0);
  });
  afterAll(async () => {
    await server.close();
    await stack.close();
  });

  test.each(["SIGINT", "SIGTERM"] as const)("ends with 0 after %s, and prints where to continue", async (signal) => {
    const env = { VIGIL_URL: url, VIGIL_KEY: await keyOn(stack, "business", ["read"]), VIGIL_DATA_DIR: room.folder };
    const watching = room.start(["watch", "dataset-changes"], env);
    const position = await shown(watching, /^Connected to .* after position (\d+)$/m);
    watching.child.kill(signal);
    expect(await watching.ended).toBe(0);
    expect(watching.output()).toContain(`Ended after position ${position}; --from ${position} continues\n`);
  });
});

describe("vigil call", { timeout: 60_000 }, () => {
  test("ends with 130 and prints a sentence if Ctrl-C comes before the answer of the service", async () => {
    let noteRequest = (): void => undefined;
    const firstRequest = new Promise<void>((resolve) => {
      noteRequest = resolve;
    });
    const silent = createServer(() => noteRequest());
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = silent.address() as AddressInfo;
      const env = { VIGIL_URL: `http://127.0.0.1:${port}`, VIGIL_KEY: "k".repeat(24), VIGIL_DATA_DIR: room.folder };
      const calling = room.start(["call", "list-earthquakes"], env);
      await firstRequest;
      calling.child.kill("SIGINT");
      expect([await calling.ended, calling.output()]).toEqual([
        130,
        "vigil: interrupted before the answer was complete\n",
      ]);
    } finally {
      silent.close().closeAllConnections();
    }
  });
});

describe("vigil webhook listen", { timeout: 60_000 }, () => {
  test("accepts verified messages, refuses others, and ends with 0 after Ctrl-C", async () => {
    const secret = webhookSecret(Buffer.from("s".repeat(32)));
    const env = { VIGIL_WEBHOOK_SECRET: secret, VIGIL_DATA_DIR: room.folder };
    const listening = room.start(["webhook", "listen", "--port", "0"], env);
    const url = await shown(listening, /^Listening at (\S+)/m);
    const body = '{"type":"webhook.test","data":{}}';
    const timestamp = Math.floor(systemClock.now() / 1_000);
    const headers = { ...signedHeaders({ id: "msg_1", timestamp, body }, [secret]) };
    const statusOf = async (sent: string) => (await fetch(url, { method: "POST", headers, body: sent })).status;
    expect([await statusOf(body), await statusOf(`${body} `)]).toEqual([204, 400]);
    await shown(listening, / {2}(400) {2}refused: no signature matches/);
    listening.child.kill("SIGINT");
    expect(await listening.ended).toBe(0);
    expect(listening.printed()).toMatch(/ {2}204 {2}verified {2}msg_1 {2}\{"type":"webhook.test"/);
    expect(listening.output()).not.toContain(secret);
  });
});

describe("vigil ingest", { timeout: 60_000 }, () => {
  test("ends with 130 after Ctrl-C, and the next build of the dataset can start at once", async () => {
    let noteRequest = (): void => undefined;
    const firstRequest = new Promise<void>((resolve) => {
      noteRequest = resolve;
    });
    let isSilent = true;
    const upstream = createServer((_request, answer) => {
      noteRequest();
      if (!isSilent) answer.writeHead(404).end();
    });
    await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = upstream.address() as AddressInfo;
      const env = { VIGIL_DATA_DIR: room.folder, VIGIL_UPSTREAM_BASE: `http://127.0.0.1:${port}` };
      const building = room.start(["ingest", "us-cpi", "--create"], env);
      await firstRequest;
      building.child.kill("SIGINT");
      expect(await building.ended).toBe(130);
      expect(building.output()).toContain("interrupted; datasets that were published before stay published");
      isSilent = false;
      const again = room.start(["ingest", "us-cpi", "--json"], env);
      expect(await again.ended).toBe(1);
      expect(JSON.parse(again.printed())).toMatchObject([{ dataset: "us-cpi", outcome: "failed", generation: null }]);
    } finally {
      upstream.close().closeAllConnections();
    }
  });
});
