import type { CommandOption } from "./explain-command.js";

/** An answer of the running service. */
export interface CommandAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** One call of a command that a service adds. */
export interface CommandCall {
  /** Empty for a command without an argument. */
  readonly argument: string;
  /** Values by the long name of the option; undefined if the option is omitted. */
  readonly options: Readonly<Record<string, string | undefined>>;
  /** Sends a GET, or a POST of `body`, to the running service. Throws `OperatorError` if it cannot be reached. */
  send(path: string, body?: unknown): Promise<CommandAnswer>;
  /** Reads a text file. Throws `OperatorError`. */
  readText(path: string): Promise<string>;
  /** Prints a line of the result on the standard output. */
  say(text: string): void;
  /** Prints progress on the standard error. */
  note(text: string): void;
}

/** `vigil <group> <name> [argument]`. */
export interface ServiceCommand {
  readonly name: string;
  readonly description: string;
  readonly argument?: { readonly name: string; readonly description: string };
  readonly options: readonly CommandOption[];
  /** Throws `OperatorError`. */
  run(call: CommandCall): Promise<void>;
}

/** The commands that a service adds under one name. */
export interface ServiceCommands {
  readonly name: string;
  readonly description: string;
  readonly commands: readonly ServiceCommand[];
}
