import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import type { ServiceCommand, ServiceCommands } from "../contract/service-command.js";
import { addServiceCommands } from "./service-commands.js";
import { parsed } from "./testing/parsed.js";

const add: ServiceCommand = {
  name: "add",
  description: "adds a number",
  argument: { name: "number", description: "the number" },
  options: [{ flags: "--unit <unit>", description: "a unit", default: "m" }],
  examples: ["vigil numbers add 7"],
  run: async () => undefined,
};
const list: ServiceCommand = {
  name: "list",
  description: "lists numbers",
  options: [],
  examples: ["vigil numbers list"],
  run: async () => undefined,
};
const guess: ServiceCommand = {
  name: "guess",
  description: "guesses numbers",
  isLocal: true,
  options: [{ flags: "--except <number>", description: "another number", repeats: true }],
  examples: ["vigil numbers guess --except 7"],
  run: async () => undefined,
};
const show: ServiceCommand = {
  name: "show",
  description: "shows a number",
  argument: { name: "number", description: "the number; default: all", isOptional: true },
  options: [{ flags: "--json", description: "as JSON" }],
  examples: ["vigil numbers show"],
  exitCodes: "0 shown; 1 there is none",
  run: async () => undefined,
};
const numbers: ServiceCommands = { name: "numbers", description: "numbers", commands: [add, list, guess, show] };

const parse = (words: readonly string[]): Promise<unknown> =>
  parsed((root, called) => addServiceCommands(root, [numbers], called("run")), ["numbers", ...words]);

describe("commands that a service adds", () => {
  test("a service's commands run under the name of their group, with their argument and options", async () => {
    expect(await parse(["add", "7", "--demo"])).toEqual([["run", add, "7", { unit: "m", demo: true }]]);
    expect(await parse(["list"])).toEqual([["run", list, "", {}]]);
  });

  test("a service's command may have a repeatable option, whose values are joined", async () => {
    expect(await parse(["guess", "--except", "1", "--except", "2,3"])).toEqual([
      ["run", guess, "", { except: "1,2,3" }],
    ]);
  });

  test("a service's command shows its examples in the help, and offers no `--demo` if it is local", async () => {
    const help = await parse(["guess", "--help"]);
    expect(help).toMatch(
      /Examples:\n {2}vigil numbers guess --except 7\n\nExit codes: 0 done; 1 refused, or no service\.$/,
    );
    expect(help).not.toContain("--demo");
  });

  test("a service's command may have an optional argument, and exit codes in its help", async () => {
    expect(await parse(["show", "--json"])).toEqual([["run", show, "", { json: true }]]);
    expect(await parse(["show", "7"])).toEqual([["run", show, "7", {}]]);
    expect(await parse(["show", "--help"])).toMatch(/Exit codes: 0 shown; 1 there is none\.$/);
  });

  test("a service's commands are added to an existing command that has the name of their group", async () => {
    const add = (root: Command, called: (name: string) => () => Promise<void>): void => {
      root.command("numbers").command("there").action(called("there"));
      addServiceCommands(root, [numbers], called("run"));
    };
    expect(await parsed(add, ["numbers", "there"])).toEqual([["there", {}, expect.anything()]]);
    expect(await parsed(add, ["numbers", "list"])).toEqual([["run", list, "", {}]]);
  });

  test("a service's command is refused without its argument", async () => {
    expect(await parse(["add"])).toContain("missing required argument 'number'");
  });
});
