import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { program, unknownCommand } from "../src/commands/program.js";
import { loadServiceGroups, loadStreams } from "../src/services/registry.js";

/* The help of every command lists the command's exit codes, and has examples that the command line accepts. */

const groups = await loadServiceGroups();
const root = program({ groups, streams: await loadStreams(groups) }, "1.2.3");
const documented = readFileSync(resolve(import.meta.dirname, "../docs/command-line.md"), "utf8");

interface Named {
  readonly name: string;
  readonly command: Command;
}

function commandsIn(parent: Command, prefix: string): readonly Named[] {
  return parent.commands.flatMap((command) => {
    const name = `${prefix} ${command.name()}`;
    return [{ name, command }, ...commandsIn(command, name)];
  });
}

/** True for a command that only groups other commands and does nothing itself. */
const isGroup = ({ command }: Named): boolean =>
  command.commands.length > 0 && command.registeredArguments.length === 0;
const all = commandsIn(root, "vigil");
const working = all.filter((named) => !isGroup(named) || ["vigil accounts"].includes(named.name));

function helpOf(command: Command): string {
  let text = "";
  command.configureOutput({ writeOut: (written) => (text += written) });
  command.outputHelp();
  return text;
}

/** Finds the `vigil` command lines in a text, each split into words. Three spaces begin a remark. */
function callsIn(text: string): readonly (readonly string[])[] {
  return [
    ...text.matchAll(/(?<![\w/.-])vigil ((?:'[^']*'|"[^"]*"|[^\s|>'"`)])(?:'[^']*'|"[^"]*"|(?! {3})[^\n|>`)])*)/g),
  ].map(([, words = ""]) =>
    (words.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^['"]|['"]$/g, "")),
  );
}

/** Returns the command that the first words name, and the remaining words. */
function commandOf(words: readonly string[]): { readonly command: Command; readonly rest: readonly string[] } {
  let command = root;
  for (const [at, word] of words.entries()) {
    const next = command.commands.find((candidate) => candidate.name() === word);
    if (next === undefined) return { command, rest: words.slice(at) };
    command = next;
  }
  return { command, rest: [] };
}

describe.each(working)("the help of $name", ({ command }) => {
  const help = helpOf(command);

  test("has examples and exit codes", () => {
    expect(help).toMatch(/^Examples?\b/m);
    expect(help).toMatch(/^Exit codes: 0\b/m);
  });

  test("has only examples of commands that exist, with options that these commands accept", () => {
    const [, examples = ""] = /^Examples?\b[^\n]*\n([\s\S]*)$/m.exec(help) ?? [];
    for (const words of callsIn(examples)) {
      expect(unknownCommand(root, words)).toBeUndefined();
      const { command: called, rest } = commandOf(words);
      const options = rest.filter((word) => /^--?[a-z]/.test(word)).map((word) => word.split("=")[0]);
      const acceptedOptions = [called, called.parent].flatMap((each) => each?.options ?? []);
      const unknownOptions = options.filter(
        (option) => !acceptedOptions.some(({ short, long }) => option === short || option === long),
      );
      expect([words.join(" "), unknownOptions]).toEqual([words.join(" "), []]);
    }
  });
});

test("docs/command-line.md lists every exit code in the help of a command, except 0, 1 and 130", () => {
  const [, table = ""] = /^## Exit codes\n([\s\S]*?)^## /m.exec(documented) ?? [];
  for (const { name, command } of working) {
    const [, sentence = ""] = /^Exit codes: ([\s\S]*)$/m.exec(helpOf(command)) ?? [];
    const codes = [...sentence.matchAll(/(?:^|[;,]\s)(\d{1,3}) /g)].map(([, code]) => Number(code));
    for (const code of codes.filter((each) => each > 1 && each !== 130)) {
      const ofGroup = name.split(" ").slice(0, 2).join(" ");
      const row = new RegExp(`^\\| ${code} \\|.*\`${ofGroup}\\b`, "m");
      expect({ name, code, isDocumented: row.test(table) }).toEqual({ name, code, isDocumented: true });
    }
  }
});
