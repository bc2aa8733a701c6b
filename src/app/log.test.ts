import { describe, expect, test } from "vitest";
import { createLog } from "./log.js";

/** The lines that are written in one format. */
function linesOf(logFormat: "json" | "text", write: (log: ReturnType<typeof createLog>) => void): string[] {
  const lines: string[] = [];
  write(createLog({ logLevel: "info", logFormat }, { write: (line) => void lines.push(line) }));
  return lines;
}

describe("JSON lines", () => {
  test("a JSON line has an ISO time and the name of the level", () => {
    const [line = ""] = linesOf("json", (log) => log.warn({ dataset: "us-cpi" }, "dataset run"));
    expect(JSON.parse(line)).toEqual({
      level: "warn",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      dataset: "us-cpi",
      msg: "dataset run",
    });
  });
});

describe("lines in a terminal", () => {
  test("a terminal line has time, level, message and fields", () => {
    const [line] = linesOf("text", (log) => log.info({ dataset: "us-cpi", generation: 3 }, "dataset run"));
    expect(line).toMatch(/^\d\d:\d\d:\d\d info {2}dataset run dataset=us-cpi generation=3\n$/);
  });

  test("a warning's cause is shown on one line", () => {
    const [line] = linesOf("text", (log) => log.warn({ err: new Error("refused") }, "Redis is lost"));
    expect(line).toMatch(/^\S+ warn {2}Redis is lost \(refused\)\n$/);
  });

  test("a fault is shown with its stack", () => {
    const [line] = linesOf("text", (log) => log.error({ err: new Error("a bug") }, "a request failed"));
    expect(line).toMatch(/a request failed\nError: a bug\n\s+at /);
  });
});
