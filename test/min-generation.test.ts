import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { post } from "./support/accounts.js";
import { newestRecords, publishElsewhere, withoutFirstRows } from "./support/published.js";
import { json, type Stack, startStack } from "./support/stack.js";

const EARTHQUAKES = "/api/seismology/v1/list-earthquakes";
const MIN = "x-vigil-min-generation";

describe("X-Vigil-Min-Generation", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ filled: ["earthquakes"], datasets: ["earthquakes"] });
  });
  afterAll(() => stack.close());

  const headers = (min: string) => ({ "x-service-key": stack.service.access.ownerKey.key ?? "", [MIN]: min });
  const get = (min: string) => stack.get(EARTHQUAKES, headers(min));
  const served = async (): Promise<number> =>
    Number((await stack.get(EARTHQUAKES)).headers["X-Vigil-Generation"]?.split("=")[1]);

  /** Publishes a generation as another node would, so that this node has not loaded it. Returns its number. */
  async function publishedElsewhere(): Promise<number> {
    await publishElsewhere(stack, "earthquakes", withoutFirstRows(await newestRecords(stack, "earthquakes")));
    return (await served()) + 1;
  }

  test.each(["earthquakes=1", "earthquakes=1, co2=900", "co2=12"])(
    "if the node already satisfies %s, the answer does not change",
    async (min) => {
      const [plain, answer] = [await stack.get(EARTHQUAKES), await get(min)];
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual(plain.body);
      expect(answer.headers["ETag"]).toBe(plain.headers["ETag"]);
    },
  );

  test("a node that is behind loads the generation before it answers", async () => {
    const generation = await publishedElsewhere();
    expect(await served()).toBe(generation - 1);
    const answer = await get(`earthquakes=${generation}`);
    expect([answer.status, answer.headers["X-Vigil-Generation"]]).toEqual([200, `earthquakes=${generation}`]);
  });

  test("a generation that another node publishes during the wait is served", async () => {
    const next = (await served()) + 1;
    const waiting = get(`earthquakes=${next}`);
    await vi.waitUntil(() => stack.clock.sleeping > 0);
    await publishedElsewhere();
    await stack.service.registry.refresh();
    const answer = await waiting;
    expect([answer.status, answer.headers["X-Vigil-Generation"]]).toEqual([200, `earthquakes=${next}`]);
    expect(stack.clock.sleeping).toBe(0);
  });

  test("a node that stays behind answers 503 after two seconds", async () => {
    const missing = (await served()) + 5;
    const waiting = get(`earthquakes=${missing}`);
    await vi.waitUntil(() => stack.clock.sleeping > 0);
    stack.clock.advance(2_000);
    const answer = await waiting;
    expect([answer.status, answer.headers["Retry-After"]]).toEqual([503, "2"]);
    const message = `Generation ${missing} of earthquakes is not loaded here yet; repeat the request later`;
    expect(json(answer)).toMatchObject({ message });
  });

  test("the wait ends if the caller disconnects", async () => {
    const leaving = new AbortController();
    const missing = (await served()) + 5;
    const call = stack.answer({
      method: "GET",
      target: EARTHQUAKES,
      remoteAddress: "127.0.0.1",
      signal: leaving.signal,
      header: (name) => new Headers(headers(`earthquakes=${missing}`)).get(name) ?? undefined,
      hasHeader: () => false,
      body: async () => Buffer.alloc(0),
    });
    await vi.waitUntil(() => stack.clock.sleeping > 0);
    leaving.abort(new Error("left"));
    expect((await call).status).toBe(503);
    expect(stack.clock.sleeping).toBe(0);
  });

  test.each(["earthquakes", "earthquakes=-1", "earthquakes=1;earthquakes=2", "=1", "a=1, a=2", "x".repeat(9_000)])(
    "a malformed X-Vigil-Min-Generation is a 400 (case %#)",
    async (min) => {
      const answer = await get(min);
      expect(answer.status).toBe(400);
      expect(json(answer)).toMatchObject({ violations: [{ field: "X-Vigil-Min-Generation" }] });
    },
  );

  test("the items of a batch use the header of the batch", async () => {
    const generation = await publishedElsewhere();
    const body = { operations: [{ id: "quakes", path: EARTHQUAKES }] };
    const answer = await post(stack.answer, "/api/batch/v1/execute", body, headers(`earthquakes=${generation}`));
    expect(answer.status).toBe(200);
    expect(json(answer)).toMatchObject({ results: [{ status: 200, generation: `earthquakes=${generation}` }] });
  });
});
