import { describe, expect, test } from "vitest";
import { type Commands, program } from "./program.js";

/** What a command line calls, or the sentence it is refused with. */
async function run(...words: string[]): Promise<unknown> {
  const called: unknown[] = [];
  const note =
    (name: string) =>
    async (given?: unknown): Promise<void> => {
      called.push([name, given]);
    };
  const commands: Commands = {
    serve: async () => void called.push(["serve"]),
    demo: note("demo"),
    ingest: note("ingest"),
    datasets: note("datasets"),
    simulate: note("simulate"),
    jmespath: async (expression, file) => void called.push(["jmespath", [expression, file]]),
    ownerKey: note("ownerKey"),
  };
  const written: string[] = [];
  const root = program(commands, "1.2.3");
  for (const command of [root, ...root.commands]) {
    command.exitOverride().configureOutput({
      writeErr: (text) => written.push(text),
      writeOut: (text) => written.push(text),
    });
  }
  try {
    await root.parseAsync(["node", "vigil", ...words]);
  } catch {
    return written.join("").trim();
  }
  return called;
}

describe("calls", () => {
  test.each([
    { words: [], calls: ["serve"] },
    { words: ["serve"], calls: ["serve"] },
    { words: ["demo"], calls: ["demo", {}] },
    { words: ["demo", "--recorded", "dir"], calls: ["demo", { recorded: "dir" }] },
    { words: ["ingest", "all"], calls: ["ingest", ["all"]] },
    { words: ["ingest", "us-cpi", "us-treasury-yields"], calls: ["ingest", ["us-cpi", "us-treasury-yields"]] },
    { words: ["datasets"], calls: ["datasets", {}] },
    { words: ["datasets", "--json"], calls: ["datasets", { json: true }] },
    { words: ["simulate"], calls: ["simulate", { port: 8790 }] },
    { words: ["simulate", "--port", "0"], calls: ["simulate", { port: 0 }] },
    { words: ["jmespath", "a[0]", "answer.json"], calls: ["jmespath", ["a[0]", "answer.json"]] },
    { words: ["owner-key"], calls: ["ownerKey", {}] },
    { words: ["owner-key", "--new", "--demo"], calls: ["ownerKey", { new: true, demo: true }] },
  ])("vigil $words", async ({ words, calls }) => {
    expect(await run(...words)).toEqual([calls]);
  });
});

describe("refuses", () => {
  const notAPort = "a port is a whole number from 0 to 65535";
  test.each([
    { words: ["ingest"], sentence: "error: missing required argument 'dataset'" },
    { words: ["datasets", "--jsno"], sentence: "error: unknown option '--jsno'" },
    { words: ["simulate", "--port", "65536"], sentence: notAPort },
    { words: ["simulate", "--port", "-1"], sentence: notAPort },
    { words: ["simulate", "--port", "80.5"], sentence: notAPort },
    { words: ["simulate", "--port", "http"], sentence: notAPort },
  ])("vigil $words", async ({ words, sentence }) => {
    expect(await run(...words)).toContain(sentence);
  });

  // Number("") is 0, and 0 is a port.
  test("vigil simulate --port ''", async () => {
    expect(await run("simulate", "--port", "")).toContain(notAPort);
  });
});

test("says its version", async () => {
  expect(await run("--version")).toBe("1.2.3");
});
