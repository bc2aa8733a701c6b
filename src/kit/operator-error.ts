/** A failure that its operator can mend. The message is one sentence that says how, and is printed without a stack. */
export class OperatorError extends Error {
  override readonly name: string = "OperatorError";
}
