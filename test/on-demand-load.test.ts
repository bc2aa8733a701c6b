import { Agent, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import { type HttpServer, httpServer } from "../src/http/server.js";
import { MINUTE_MS, SECOND_MS } from "../src/kit/clock.js";
import { type Stack, startStack } from "./support/stack.js";

interface ServedAnswer {
  readonly state: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The service on a real socket. Every caller has its own connection. */
interface SocketService {
  readonly stack: Stack;
  /** Number of requests that the service has received but not answered. */
  waiting(): number;
  get(target: string): Promise<ServedAnswer>;
  close(): Promise<void>;
}

async function startSocketService(): Promise<SocketService> {
  const stack = await startStack();
  let waiting = 0;
  const server: HttpServer = httpServer(async (call) => {
    waiting += 1;
    try {
      return await stack.answer(call);
    } finally {
      waiting -= 1;
    }
  });
  const base = await server.listen("127.0.0.1", 0);
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const headers = { "x-service-key": stack.service.access.ownerKey.key ?? "" };
  return {
    stack,
    waiting: () => waiting,
    async get(target) {
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        request(base + target, { agent, headers }, resolve)
          .on("error", reject)
          .end();
      });
      expect(answer.statusCode).toBe(200);
      return { state: String(answer.headers["x-vigil-state"]), body: JSON.parse(await text(answer)) };
    },
    async close() {
      agent.destroy();
      await server.close();
      await stack.close();
    },
  };
}

const aviation = (path: string): string => `/api/aviation/v1/${path}`;

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
};

let open: SocketService | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

describe("500 simultaneous callers with the same query", () => {
  test.each([
    ["adsb-lol", "track-aircraft?icao24=3c6444"],
    ["youtube-oembed", "get-video-live-stream-info?video_id=VigilDemo-1"],
    ["aviationstack", "list-airport-flights?airport=LHR&direction=FLIGHT_DIRECTION_ARRIVAL"],
    ["aviationstack", "get-flight-status?flight_number=VG1001&date=2026-11-18"],
    ["aviationstack", "get-carrier-ops?airports=LHR&min_flights=1"],
    ["travelpayouts", "search-flight-prices?origin=IST&destination=LHR&departure_date=2026-12-10"],
    ["duffel", "search-provider-flights?origin=IST&destination=LHR&departure_date=2026-12-10"],
    ["travelpayouts", "search-provider-dates?origin=IST&destination=LHR&start_date=2026-12-01&end_date=2026-12-20"],
  ])("500 simultaneous callers cause one request to %s for %s", async (upstream, path) => {
    open = await startSocketService();
    const { stack, get, waiting } = open;
    stack.simulator.faults.set({ upstream }, { kind: "delay", ms: SECOND_MS });
    const pendingAnswers = Array.from({ length: 500 }, () => get(aviation(path)));
    // The upstream has been called, and all callers wait for its answer.
    await until(() => waiting() === 500 && stack.simulator.requests.list().length > 0);
    stack.clock.advance(SECOND_MS);
    const answers = await Promise.all(pendingAnswers);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ state: "ok" });
    expect(stack.simulator.requests.list()).toHaveLength(1);
  });
});

describe("a hanging upstream under load", () => {
  const box = (index: number): string =>
    `sw_lat=${index % 60}&sw_lon=${index}&ne_lat=${(index % 60) + 1}&ne_lon=${index + 1}`;
  const others = [
    "list-airport-flights?airport=IST",
    "get-flight-status?flight_number=VG1001&date=2026-11-18",
    "get-carrier-ops?airports=LHR,FRA&min_flights=1",
    "get-video-live-stream-info?video_id=VigilDemo-1",
    "search-flight-prices?origin=IST&destination=LHR&departure_date=2026-12-10",
    "search-provider-flights?origin=IST&destination=LHR&departure_date=2026-12-10",
    "search-provider-dates?origin=IST&destination=LHR&start_date=2026-12-01&end_date=2026-12-20",
  ];

  test("a hanging upstream delays no other answer, and the 150 callers that need it get an answer within ten seconds", async () => {
    open = await startSocketService();
    const { stack, get, waiting } = open;
    await stack.run("airport-delays");
    for (const upstream of ["adsb-lol", "opensky"]) stack.simulator.faults.set({ upstream }, { kind: "hang" });
    const before = stack.clock.now();
    const hanging = Array.from({ length: 150 }, (_, index) => get(aviation(`track-aircraft?${box(index)}`)));
    // At most 100 on-demand reads of one kind run at a time, and further reads fail at once. So 100 of the 150 calls
    // wait.
    await until(() => waiting() === 100 && stack.simulator.requests.list().at(-1)?.fault === "hang");
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all([...others, "list-airport-delays"].map((path) => get(aviation(path))));
      expect(answers.map(({ state }) => state)).toEqual(answers.map(() => "ok"));
    }
    expect((await get("/api/health")).body).toMatchObject({ status: expect.any(String) });
    // The clock has not moved, which proves that no other answer waited for the hanging upstream.
    expect([stack.clock.now(), waiting()]).toEqual([before, 100]);
    while (waiting() > 0) {
      if (stack.clock.sleeping > 0) stack.clock.advance(SECOND_MS);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const lateAnswers = await Promise.all(hanging);
    expect(lateAnswers.map(({ body }) => body["source"])).toEqual(lateAnswers.map(() => "error"));
    expect(stack.clock.now() - before).toBeLessThanOrEqual(10 * SECOND_MS);
    stack.simulator.faults.clear();
    stack.clock.advance(2 * MINUTE_MS);
    expect(await get(aviation("track-aircraft?icao24=3c6444"))).toMatchObject({ state: "ok" });
  });
});
