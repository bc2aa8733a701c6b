import { describe, expect, test } from "vitest";
import type { ServiceCommand, ServiceCommands } from "../contract/service-command.js";
import { addServiceCommands } from "./service-commands.js";
import { parsed } from "./testing/parsed.js";

const add: ServiceCommand = {
  name: "add",
  description: "adds a number",
  argument: { name: "number", description: "the number" },
  options: [{ flags: "--unit <unit>", description: "a unit", default: "m" }],
  run: async () => undefined,
};
const list: ServiceCommand = { name: "list", description: "lists numbers", options: [], run: async () => undefined };
const numbers: ServiceCommands = { name: "numbers", description: "numbers", commands: [add, list] };

const parse = (words: readonly string[]): Promise<unknown> =>
  parsed((root, called) => addServiceCommands(root, [numbers], called("run")), ["numbers", ...words]);

describe("commands that a service adds", () => {
  test("are listed under the name of their group, with argument and options", async () => {
    expect(await parse(["add", "7", "--demo"])).toEqual([["run", add, "7", { unit: "m", demo: true }]]);
    expect(await parse(["list"])).toEqual([["run", list, "", {}]]);
  });

  test("are refused without their argument", async () => {
    expect(await parse(["add"])).toContain("missing required argument 'number'");
  });
});
