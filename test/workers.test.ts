import { expect, test } from "vitest";
import { processRoomForEach } from "./support/process.js";
import { type CallResult, startWorkers } from "./support/worker-service.js";

const room = processRoomForEach("workers");
const VERSION = "/api/version";

test("two workers on one port share one limit, serve one set of metrics and end together", {
  timeout: 240_000,
}, async () => {
  const service = await startWorkers(room, 2, { VIGIL_LIMITS: "operator-minute=300" });
  const answers: CallResult[] = [];
  // Each call has a connection of its own, and connections are spread over the workers in turn.
  for (let round = 0; round < 20; round += 1) {
    answers.push(...(await Promise.all(Array.from({ length: 20 }, () => service.call(VERSION)))));
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
