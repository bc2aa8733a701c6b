import { expect, test } from "vitest";
import { startSimulator } from "./simulator.js";
import { addressOf, started } from "./testing/harness.js";

const NOW = "2024-05-01T00:00:00Z";
const CSV = "https://fred.stlouisfed.org/graph/fredgraph.csv?id=CPIAUCSL";

test("every answer is marked as simulated, including 304s, errors and answers of the fault endpoint", async () => {
  const simulator = await started(NOW);
  const ask = (path: string, init?: RequestInit): Promise<Response> => fetch(simulator.baseUrl + path, init);
  const answers = [
    await simulator.get(CSV),
    await simulator.get(CSV, { "If-Modified-Since": "Wed, 01 May 2024 00:00:00 GMT" }),
    await simulator.get("https://fred.stlouisfed.org/nothing"),
    await simulator.get("https://unknown.example/"),
    await ask("/"),
    await fetch(addressOf(simulator, CSV), { method: "POST" }),
    await ask("/_faults"),
    await ask("/_faults", { method: "POST", body: "{" }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 304, 404, 404, 404, 405, 200, 400]);
  expect(answers.map(({ headers }) => headers.get("x-vigil-simulated"))).toEqual(answers.map(() => "1"));
});

test("answers are dated by the simulator's clock", async () => {
  expect((await (await started(NOW)).get(CSV)).headers.get("date")).toBe("Wed, 01 May 2024 00:00:00 GMT");
});

test("HEAD is answered with the headers of GET", async () => {
  const simulator = await started(NOW);
  const head = await fetch(addressOf(simulator, CSV), { method: "HEAD" });
  expect(head.headers.get("content-length")).toBe(String((await simulator.text(CSV)).length));
  expect(await head.text()).toBe("");
});

test("requests are logged with their time and status", async () => {
  const simulator = await started(NOW);
  await simulator.get(CSV);
  await simulator.get("https://unknown.example/x");
  const at = Date.parse(NOW);
  expect(simulator.requests.list()).toEqual([
    { at, method: "GET", url: CSV, status: 200, fault: null },
    { at, method: "GET", url: "https://unknown.example/x", status: 404, fault: null },
  ]);
});

test("the simulator does not start on a port that is in use", async () => {
  const simulator = await started(NOW);
  const port = Number(new URL(simulator.baseUrl).port);
  await expect(startSimulator({ clock: simulator.clock, seed: 1, port })).rejects.toThrow("EADDRINUSE");
});

test("a closed simulator does not answer", async () => {
  const simulator = await started(NOW);
  await simulator.close();
  await expect(simulator.get(CSV)).rejects.toThrow();
});
