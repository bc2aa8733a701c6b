import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Stack, startStack } from "../../../test/support/stack.js";
import { loadConfig } from "../../app/config.js";
import { greet } from "./greeting.js";

const ADDRESS = "http://127.0.0.1:8787";
const config = loadConfig({}, []);
let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ datasets: ["us-cpi"], keyless: true });
  await stack.run("us-cpi");
});
afterAll(() => stack.close());

async function greeting(simulated: boolean): Promise<string> {
  const { service, services, clock } = stack;
  const log = pino({ level: "silent" });
  const printed: string[] = [];
  const out = { write: (text: string) => void printed.push(text), isTerminal: false };
  const options = { config, service, services, clock, log, simulated };
  await greet(ADDRESS, options, out, new AbortController().signal);
  return printed.join("");
}

describe("the greeting", () => {
  test("the greeting of a demo says that its data is simulated, and does not mention unset keys", async () => {
    const printed = await greeting(true);
    expect(printed).toContain(`SIMULATED data (demo): ${ADDRESS}`);
    expect(printed).toMatch(/^us-cpi\s+ok/m);
    expect(printed).not.toMatch(/Not set:|_API_KEY/);
  });

  test("the greeting of a service with real upstreams lists the unset keys", async () => {
    const printed = await greeting(false);
    expect(printed).not.toContain("SIMULATED");
    expect(printed).toMatch(/^Not set: .*FRED_API_KEY/m);
  });
});
