/** An option of a command that a service declares. */
export interface CommandOption {
  /** In commander's syntax, for example `--lang <language>`. */
  readonly flags: string;
  readonly description: string;
  readonly default?: string;
  /** The option may be repeated; its values are joined by commas. */
  readonly repeats?: true;
}

/** One call of a `vigil explain` command. */
export interface ExplainCall {
  readonly argument: string;
  /** Values by the long name of the option in camel case; undefined for an omitted option. */
  readonly options: Readonly<Record<string, string | undefined>>;
  /** Fetches the JSON at a path of the running service. Throws `OperatorError`. */
  fetch(path: string): Promise<unknown>;
}

/** `vigil explain <subject> <argument>`: explains how a running service computed a result. */
export interface ExplainCommand {
  readonly subject: string;
  readonly description: string;
  readonly argument: { readonly name: string; readonly description: string };
  readonly options: readonly CommandOption[];
  /** Calls shown below the help. */
  readonly examples: readonly string[];
  /** Returns the text to print. Throws `OperatorError`. */
  run(call: ExplainCall): Promise<string>;
}
