import { describe, expect, test } from "vitest";
import type { ServiceGroup } from "../contract/service-group.js";
import { program, unknownCommand } from "./program.js";

const group: ServiceGroup = {
  name: "Numbers",
  description: "Numbers.",
  explains: [
    {
      subject: "story",
      description: "how a story came about",
      argument: { name: "story", description: "its id" },
      options: [],
      examples: ["vigil explain story 1"],
      run: async () => "",
    },
  ],
};

const root = program({ groups: [group], streams: [] }, "1.2.3");

describe("an unknown command", () => {
  test.each([
    { words: ["srve"], sentence: "there is no command srve; did you mean serve?" },
    { words: ["srve", "--port", "1"], sentence: "there is no command srve; did you mean serve?" },
    { words: ["dataset"], sentence: "there is no command dataset; did you mean datasets?" },
    {
      words: ["accounts", "--demo", "crate", "Acme"],
      sentence: "there is no command accounts crate; did you mean create?",
    },
    {
      words: ["help", "nosuch"],
      sentence: expect.stringMatching(/^there is no command nosuch; the commands are serve, /),
    },
    { words: ["help", "accounts", "crate"], sentence: "there is no command accounts crate; did you mean create?" },
    { words: ["explain", "storry"], sentence: "there is no command explain storry; did you mean story?" },
  ])("the unknown command $words is refused with a suggestion", ({ words, sentence }) => {
    expect(unknownCommand(root, words)).toEqual(sentence);
  });

  test("a word without a similar command is refused with the list of commands", () => {
    expect(unknownCommand(root, ["compress"])).toMatch(
      /^there is no command compress; the commands are serve, demo, ingest, /,
    );
  });

  test.each([
    [[]],
    [["--version"]],
    [["serve"]],
    [["help"]],
    [["help", "serve"]],
    [["help", "accounts", "create"]],
    [["ingest", "srve"]],
    [["keys", "acme"]],
    [["keys", "create", "acme"]],
    [["accounts", "create", "srve"]],
  ])("the known words %j are not refused", (words) => {
    expect(unknownCommand(root, words)).toBeUndefined();
  });
});

test("vigil lists every command in its help", () => {
  const names = [
    "serve",
    "demo",
    "ingest",
    "datasets",
    "history",
    "diff",
    "export",
    "explain",
    "call",
    "watch",
    "mcp",
    "simulate",
    "doctor",
    "health",
    "backup",
    "restore",
    "copy",
    "migrate",
    "config",
    "verify",
    "verify-answer",
    "jmespath",
    "owner-key",
    "accounts",
    "keys",
    "plans",
    "audit",
    "completion",
  ];
  expect(root.commands.map((command) => command.name())).toEqual(names);
  expect(root.helpInformation().match(/^ {2}[a-z][a-z-]*/gm)).toEqual([...names, "help"].map((name) => `  ${name}`));
});

test("vigil --version prints the version", async () => {
  const printed: string[] = [];
  const vigil = program({ groups: [], streams: [] }, "1.2.3")
    .exitOverride()
    .configureOutput({ writeOut: (text) => printed.push(text) });
  await expect(vigil.parseAsync(["node", "vigil", "--version"])).rejects.toThrow("1.2.3");
  expect(printed).toEqual(["1.2.3\n"]);
});
