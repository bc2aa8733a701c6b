import { Command } from "commander";

/** Adds the command under test. Its work is replaced with `called(name)`, which records the name and the arguments. */
type AddCommand = (root: Command, called: (name: string) => (...values: readonly unknown[]) => Promise<void>) => void;

/** Parses the words of a command line, and returns the recorded calls or the error text. */
export async function parsed(add: AddCommand, words: readonly string[]): Promise<unknown> {
  const calls: unknown[] = [];
  const written: string[] = [];
  const root = new Command("vigil").enablePositionalOptions();
  add(
    root,
    (name) =>
      async (...values) =>
        void calls.push([name, ...values]),
  );
  const pending = [root];
  for (let command = pending.pop(); command !== undefined; command = pending.pop()) {
    const write = (text: string): void => void written.push(text);
    command.exitOverride().configureOutput({ writeErr: write, writeOut: write });
    pending.push(...command.commands);
  }
  try {
    await root.parseAsync(["node", "vigil", ...words]);
  } catch {
    return written.join("").trim();
  }
  return calls;
}
