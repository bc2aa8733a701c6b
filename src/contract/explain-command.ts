/** An option of a command that a service adds. */
export interface CommandOption {
  /** As commander reads it, for example `--lang <language>`. */
  readonly flags: string;
  readonly description: string;
  readonly default?: string;
}

/** One call of such a command. */
export interface ExplainCall {
  readonly argument: string;
  /** Values by the long name of the option; undefined where the option was not given. */
  readonly options: Readonly<Record<string, string | undefined>>;
  /** Fetches the JSON at a path of the running service. Throws `OperatorError`. */
  fetch(path: string): Promise<unknown>;
}

/** `vigil explain <subject> <argument>`: tells how a running service came to a result. */
export interface ExplainCommand {
  readonly subject: string;
  readonly description: string;
  readonly argument: { readonly name: string; readonly description: string };
  readonly options: readonly CommandOption[];
  /** Returns the text to print. Throws `OperatorError`. */
  run(call: ExplainCall): Promise<string>;
}
