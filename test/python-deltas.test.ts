import { resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type HttpServer, httpServer } from "../src/http/server.js";
import { HOUR_MS } from "../src/kit/clock.js";
import { type PythonProgram, pythonProgram, whyNoPython } from "./support/python-program.js";
import { json, type Stack, startStack } from "./support/stack.js";

/* The Python client's iteration over the changes of lists, against the service. */

const missing = whyNoPython("ssl");

let stack: Stack;
let server: HttpServer;
let url: string;
let program: PythonProgram | undefined;
beforeAll(async () => {
  stack = await startStack({ datasets: ["earthquakes"] });
  server = httpServer(stack.answer);
  url = await server.listen("127.0.0.1", 0);
  if (missing === "") program = pythonProgram(resolve(import.meta.dirname, "../clients/python/tests/live.py"));
}, 60_000);
afterAll(async () => {
  program?.close();
  await server.close();
  await stack.close();
});

interface Step {
  readonly type: string;
  readonly reason: string | null;
  readonly generation: string | null;
  readonly held: readonly (readonly [id: string, row: unknown])[];
}

/** Makes the next step of an iteration over the changes of strong earthquakes. Returns the step with its rows. */
async function next(held: Step["held"], since?: string | null): Promise<Step> {
  const query = { min_magnitude: "4.6", page_size: "20" };
  const question = JSON.stringify({ service: "seismology", call: "list-earthquakes", query, held, since });
  const [code, output] = (await program?.run([url, stack.service.access.ownerKey.key ?? "", question])) ?? [];
  expect([code, output]).toEqual([0, expect.stringContaining("{")]);
  return JSON.parse(output ?? "") as Step;
}

async function build(): Promise<readonly unknown[]> {
  stack.clock.advance(3 * HOUR_MS);
  await stack.run("earthquakes");
  const { earthquakes } = json(await stack.get("/api/seismology/v1/list-earthquakes?min_magnitude=4.6")) as {
    readonly earthquakes: readonly unknown[];
  };
  return earthquakes;
}

const rowsOf = ({ held }: Step): readonly unknown[] => held.map(([, row]) => row);

test.skipIf(missing !== "")(
  `applying each step in Python yields the whole list${missing && `, skipped: ${missing}`}`,
  async () => {
    expect(await next([])).toMatchObject({ type: "ListOutage", held: [] });
    const first = await build();
    const reset = await next([]);
    expect(reset).toMatchObject({ type: "ListReset", reason: "start", generation: "earthquakes=1" });
    expect(rowsOf(reset)).toEqual(first);
    expect(first.length).toBeGreaterThan(20);

    const second = await build();
    const changes = await next(reset.held, reset.generation);
    expect(changes).toMatchObject({ type: "ListChanges", generation: "earthquakes=2" });
    expect(rowsOf(changes)).toEqual(second);
    expect(second).not.toEqual(first);

    const anew = await next([], "earthquakes=99");
    expect(anew).toMatchObject({ type: "ListReset", reason: "unknown", generation: "earthquakes=2" });
    expect(rowsOf(anew)).toEqual(second);
  },
);
