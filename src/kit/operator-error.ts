/**
 * A failure that the operator can fix. The message is one sentence that includes the remedy, and is printed without a
 * stack.
 */
export class OperatorError extends Error {
  override readonly name: string = "OperatorError";
  /** Exit code of the command that fails with this error. */
  readonly exitCode: number;

  constructor(message: string, { exitCode = 1, ...options }: ErrorOptions & { readonly exitCode?: number } = {}) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
