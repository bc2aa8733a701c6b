import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { type Commands, program, unknownCommand } from "./program.js";

/** What a command line calls, or the sentence it is refused with. */
async function run(...words: string[]): Promise<unknown> {
  const called: unknown[] = [];
  const note =
    (name: string) =>
    async (given?: unknown): Promise<void> => {
      called.push([name, given]);
    };
  /** Commander hands itself in behind the options. */
  const noteAll =
    (name: string) =>
    async (...given: readonly unknown[]): Promise<void> => {
      called.push([name, ...given.filter((each) => !(each instanceof Command))]);
    };
  const commands: Commands = {
    serve: async () => void called.push(["serve"]),
    demo: note("demo"),
    ingest: noteAll("ingest"),
    datasets: note("datasets"),
    explainStory: noteAll("explainStory"),
    simulate: note("simulate"),
    doctor: note("doctor"),
    jmespath: async (expression, file) => void called.push(["jmespath", [expression, file]]),
    ownerKey: note("ownerKey"),
    accounts: note("accounts"),
    createAccount: noteAll("createAccount"),
    setPlan: noteAll("setPlan"),
    keys: noteAll("keys"),
    createKey: noteAll("createKey"),
    revokeKey: noteAll("revokeKey"),
    plans: note("plans"),
    audit: note("audit"),
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
    { words: ["ingest", "all"], calls: ["ingest", ["all"], {}] },
    { words: ["ingest", "us-cpi", "--demo", "--create"], calls: ["ingest", ["us-cpi"], { demo: true, create: true }] },
    { words: ["ingest", "us-cpi", "us-treasury-yields"], calls: ["ingest", ["us-cpi", "us-treasury-yields"], {}] },
    { words: ["datasets"], calls: ["datasets", {}] },
    { words: ["datasets", "--json", "--demo"], calls: ["datasets", { json: true, demo: true }] },
    { words: ["doctor"], calls: ["doctor", {}] },
    { words: ["doctor", "--demo"], calls: ["doctor", { demo: true }] },
    {
      words: ["doctor", "--feeds", "--lang", "fr", "--variant", "full", "--json"],
      calls: ["doctor", { feeds: true, lang: "fr", variant: "full", json: true }],
    },
    { words: ["doctor", "--sources", "--save", "kept"], calls: ["doctor", { sources: true, save: "kept" }] },
    { words: ["doctor", "--feeds", "--overrides"], calls: ["doctor", { feeds: true, overrides: true }] },
    { words: ["explain", "story", "65f5"], calls: ["explainStory", "65f5", { lang: "en" }] },
    {
      words: ["explain", "story", "65f5", "--lang", "fr", "--variant", "tech"],
      calls: ["explainStory", "65f5", { lang: "fr", variant: "tech" }],
    },
    { words: ["simulate"], calls: ["simulate", { port: 8790 }] },
    { words: ["simulate", "--port", "0"], calls: ["simulate", { port: 0 }] },
    { words: ["jmespath", "a[0]", "answer.json"], calls: ["jmespath", ["a[0]", "answer.json"]] },
    { words: ["owner-key"], calls: ["ownerKey", {}] },
    { words: ["owner-key", "--new", "--demo"], calls: ["ownerKey", { new: true, demo: true }] },
    { words: ["owner-key", "--create"], calls: ["ownerKey", { create: true }] },
    {
      words: ["accounts", "create", "A", "--create"],
      calls: ["createAccount", "A", { plan: "starter", create: true }],
    },
    { words: ["plans", "--demo"], calls: ["plans", { demo: true }] },
    { words: ["accounts", "--demo"], calls: ["accounts", { demo: true }] },
    { words: ["accounts", "create", "Acme"], calls: ["createAccount", "Acme", { plan: "starter" }] },
    {
      words: ["accounts", "create", "Acme", "--plan", "pro", "--id", "acme", "--demo"],
      calls: ["createAccount", "Acme", { plan: "pro", id: "acme", demo: true }],
    },
    {
      words: ["accounts", "--demo", "create", "Acme"],
      calls: ["createAccount", "Acme", { plan: "starter", demo: true }],
    },
    { words: ["accounts", "plan", "acme", "pro"], calls: ["setPlan", "acme", "pro", { state: "active" }] },
    { words: ["keys"], calls: ["keys", undefined, {}] },
    { words: ["keys", "acme", "--demo"], calls: ["keys", "acme", { demo: true }] },
    {
      words: ["keys", "create", "acme", "--name", "ci", "--days", "30"],
      calls: ["createKey", "acme", { name: "ci", scopes: "read,account:write", days: "30" }],
    },
    { words: ["keys", "revoke", "acme", "key_1", "--demo"], calls: ["revokeKey", "acme", "key_1", { demo: true }] },
    {
      words: ["keys", "--demo", "revoke", "acme", "key_1"],
      calls: ["revokeKey", "acme", "key_1", { demo: true }],
    },
    { words: ["plans"], calls: ["plans", {}] },
    { words: ["audit", "--limit", "5"], calls: ["audit", { limit: "5" }] },
  ])("vigil $words", async ({ words, calls }) => {
    expect(await run(...words)).toEqual([calls]);
  });
});

describe("refuses", () => {
  const notAPort = "a port is a whole number from 0 to 65535";
  test.each([
    { words: ["ingest"], sentence: "error: missing required argument 'dataset'" },
    { words: ["datasets", "--jsno"], sentence: "error: unknown option '--jsno'\n(Did you mean --json?)" },
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

describe("a command that there is not", () => {
  const root = program({} as Commands, "1.2.3");

  test.each([
    { words: ["srve"], sentence: "there is no command srve; did you mean serve?" },
    { words: ["srve", "--port", "1"], sentence: "there is no command srve; did you mean serve?" },
    { words: ["dataset"], sentence: "there is no command dataset; did you mean datasets?" },
    {
      words: ["accounts", "--demo", "crate", "Acme"],
      sentence: "there is no command accounts crate; did you mean create?",
    },
    { words: ["explain", "storry"], sentence: "there is no command explain storry; did you mean story?" },
  ])("$words is named with the one that was meant", ({ words, sentence }) => {
    expect(unknownCommand(root, words)).toBe(sentence);
  });

  test("without a near one is answered with those there are", () => {
    expect(unknownCommand(root, ["restart"])).toMatch(/^there is no command restart; there are serve, demo, ingest, /);
  });

  test.each([
    [[]],
    [["--version"]],
    [["serve"]],
    [["help", "serve"]],
    [["ingest", "srve"]],
    [["keys", "acme"]],
    [["keys", "create", "acme"]],
    [["accounts", "create", "srve"]],
  ])("%j is none", (words) => {
    expect(unknownCommand(root, words)).toBeUndefined();
  });
});

test("says its version", async () => {
  expect(await run("--version")).toBe("1.2.3");
});
