import { Agent } from "node:http";
import { expect, test } from "vitest";
import { processRoomForEach } from "./support/process.js";
import { type CallResult, calledAt, startWorkers, type WorkerService } from "./support/worker-service.js";

const room = processRoomForEach("workers");
const VERSION = "/api/version";

/** Creates an account on the starter plan, and returns its key. */
async function starterKey({ base, key }: WorkerService): Promise<string> {
  // The cast is safe, because the writes declare these answers.
  const post = async <T>(rpc: string, body: object): Promise<T> => {
    const headers = { "X-Service-Key": key, "Content-Type": "application/json" };
    const answer = await fetch(`${base}/api/account/v1/${rpc}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(201);
    return (await answer.json()) as T;
  };
  const { account } = await post<{ readonly account: { readonly id: string } }>("create-account", {
    name: "Counted",
    plan: "starter",
  });
  return (await post<{ readonly key: string }>("create-key", { name: "counted", accountId: account.id })).key;
}

test("two workers on one port share one limit, serve one set of metrics and end together", {
  timeout: 240_000,
}, async () => {
  // The limit is a daily one, because the calls may take longer than a minute.
  const service = await startWorkers(room, 2, { VIGIL_LIMITS: "starter-minute=100000,starter-day=300" });
  const key = await starterKey(service);
  const answers: CallResult[] = [];
  // Each call has a connection of its own, and connections are spread over the workers in turn.
  for (let round = 0; round < 20; round += 1) {
    const calls = Array.from({ length: 20 }, () => calledAt(service.base + VERSION, key, new Agent()));
    answers.push(...(await Promise.all(calls)));
  }
  const count = (status: number): number => answers.filter((answer) => answer.status === status).length;
  expect([count(200), count(429)]).toEqual([300, 100]);
  const remaining = answers
    .filter(({ status }) => status === 200)
    .map(({ headers }) => headers["x-ratelimit-remaining"]);
  expect(new Set(remaining).has("0")).toBe(true);

  const { body } = await service.call("/metrics");
  for (const worker of ["1", "2", "ingest", "primary"]) {
    expect(body).toMatch(new RegExp(`^process_resident_memory_bytes\\{worker="${worker}"\\} \\d+$`, "m"));
  }
  for (const worker of [1, 2]) {
    const counted = new RegExp(
      `^vigil_requests_total\\{worker="${worker}",operation="other",status="2xx"\\} (\\d+)$`,
      "m",
    );
    expect(Number(counted.exec(body)?.[1])).toBeGreaterThan(50);
  }

  service.process.child.kill("SIGTERM");
  expect(await service.process.ended).toBe(0);
});
