import { describe, expect, test } from "vitest";
import { addHealth, checkedHealth, localOrigin } from "./health.js";
import { parsed } from "./testing/parsed.js";
import { serving } from "./testing/serving.js";

test.each([
  { words: [], options: { timeout: 3 } },
  { words: ["--live", "--timeout", "0.5"], options: { live: true, timeout: 0.5 } },
])("vigil health accepts the arguments $words", async ({ words, options }) => {
  expect(await parsed((root, called) => addHealth(root, called("health")), ["health", ...words])).toEqual([
    ["health", options],
  ]);
});

test.each([
  ["127.0.0.1", "http://127.0.0.1:8787"],
  ["0.0.0.0", "http://127.0.0.1:8787"],
  ["::", "http://[::1]:8787"],
  ["10.0.0.7", "http://10.0.0.7:8787"],
  ["fd00::7", "http://[fd00::7]:8787"],
])("a service that listens on %s is checked at %s", (host, origin) => {
  expect(localOrigin({ host, port: 8787 })).toBe(origin);
});

describe("the check", () => {
  const answering = (status: number, body: string): Promise<string> =>
    serving((_request, response) => void response.writeHead(status).end(body));

  test("the check returns the `status` of a ready service", async () => {
    const url = await answering(200, '{"status":"ready"}');
    expect(await checkedHealth(`${url}/readyz`, 5_000)).toBe("ready");
  });

  test("the check fails with the reason of a service that is not ready", async () => {
    const url = await answering(503, '{"status":"not ready","reason":"the disk is full"}');
    await expect(checkedHealth(`${url}/readyz`, 5_000)).rejects.toThrow(/^not ready: the disk is full$/);
  });

  test("the check fails when another program answers", async () => {
    const url = await answering(200, "<html>");
    await expect(checkedHealth(`${url}/readyz`, 5_000)).rejects.toThrow("no healthy answer");
  });

  test("the check fails if nothing listens or no answer comes in time", async () => {
    await expect(checkedHealth("http://127.0.0.1:1/readyz", 5_000)).rejects.toThrow("no healthy answer");
    const silent = await serving(() => undefined);
    await expect(checkedHealth(`${silent}/readyz`, 20)).rejects.toThrow("within 0.02 s");
  });
});
