import type { CommandOption } from "./explain-command.js";
import type { ReadSetting } from "./setting.js";

/** An answer of the running service. */
export interface CommandAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** A POST that a command has received. */
export interface ReceivedPost {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Undefined for a body above the limit of 1 MB, which is not read. */
  readonly body: string | undefined;
  /** Epoch ms. */
  readonly receivedAt: number;
}

/** A receiver of POSTs on this machine. */
export interface PostReceiver {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** Called once, with the origin at which the receiver listens. */
  onListening(origin: string): void;
  /** Returns the status of the answer. */
  onPost(post: ReceivedPost): number;
}

/** One call of a command that a service adds. */
export interface CommandCall {
  /** Empty if the command has no argument or the argument was omitted. */
  readonly argument: string;
  /** Values by the long name of the option in camel case; undefined if the option is omitted. */
  readonly options: Readonly<Record<string, string | undefined>>;
  /**
   * Sends a GET, or a POST of `body`, to the running service. Throws `OperatorError` if the service cannot be reached
   * or refuses the key.
   */
  send(path: string, body?: unknown): Promise<CommandAnswer>;
  /** Receives POSTs until Ctrl-C. Throws `OperatorError` if the address cannot be used. */
  receive(receiver: PostReceiver): Promise<void>;
  /** Returns the value of a setting of the service. */
  readonly setting: ReadSetting;
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
  readonly argument?: { readonly name: string; readonly description: string; readonly isOptional?: true };
  /** For an option that takes no value, such as `--json`, `run` receives the text `true`. */
  readonly options: readonly CommandOption[];
  /** Calls shown below the help. */
  readonly examples: readonly string[];
  /** The exit codes, as the last sentence of the help. Default: 0 done; 1 refused, or no service. */
  readonly exitCodes?: string;
  /** True if the command does not call the running service. */
  readonly isLocal?: true;
  /** Throws `OperatorError`. */
  run(call: CommandCall): Promise<void>;
}

/** The commands that a service adds under one name. Other commands may already exist under that name. */
export interface ServiceCommands {
  readonly name: string;
  readonly description: string;
  readonly commands: readonly ServiceCommand[];
}
