import type { Command } from "commander";
import { calls } from "../call/calls.js";

/** A command with the words that can follow it. */
export interface CommandNode {
  /** The words that lead to the command, without `vigil`; empty for the program itself. */
  readonly words: readonly string[];
  readonly subcommands: readonly NamedWord[];
  readonly options: readonly NamedWord[];
  /** The possible values of the command's first argument. Empty if there is no argument or every value is allowed. */
  readonly values: readonly string[];
}

interface NamedWord {
  readonly name: string;
  readonly description: string;
}

/** The possible values of arguments, by argument name. `commandTree` adds the names of calls. */
type ArgumentValues = Readonly<Record<string, readonly string[]>>;

/** Lists the commands of a program. Each command precedes its subcommands. */
export function commandTree(root: Command, values: ArgumentValues): readonly CommandNode[] {
  return nodesOf(root, [], { ...values, rpc: Object.keys(calls) });
}

function nodesOf(command: Command, words: readonly string[], values: ArgumentValues): readonly CommandNode[] {
  const [argument] = command.registeredArguments;
  const node: CommandNode = {
    words,
    subcommands: command.commands.map((child) => ({ name: child.name(), description: firstLine(child.description()) })),
    options: command
      .createHelp()
      .visibleOptions(command)
      .flatMap(({ long, description }) => (long ? [{ name: long, description: firstLine(description) }] : [])),
    values: argument?.argChoices ?? values[argument?.name() ?? ""] ?? [],
  };
  return [node, ...command.commands.flatMap((child) => nodesOf(child, [...words, child.name()], values))];
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}
