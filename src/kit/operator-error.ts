/** A failure that the operator can fix. The message is one sentence with the remedy, and is printed without a stack. */
export class OperatorError extends Error {
  override readonly name: string = "OperatorError";
}
