/** The rule that an expression violates, under its name in the JMESPath specification. */
export type ExpressionFault = "syntax" | "invalid-type" | "invalid-arity" | "invalid-value" | "unknown-function";

/** An expression that cannot be parsed, or that cannot be applied to the values. */
export class InvalidExpression extends Error {
  readonly fault: ExpressionFault;

  /** `at` is the offset of the offending character; the message counts from 1. */
  constructor(fault: ExpressionFault, detail: string, at: number) {
    super(`${detail} at character ${at + 1}`);
    this.name = "InvalidExpression";
    this.fault = fault;
  }
}

/** A kind of work that uses up the budget of a projection. If the budget runs out, the message names the kind. */
export type Resource =
  | "node visits"
  | "element copies"
  | "equality steps"
  | "sort comparisons"
  | "string bytes"
  | "output bytes";

/** A valid expression that costs more than the budget of one projection. */
export class BudgetExceeded extends Error {
  readonly resource: Resource;

  /** `limit` describes the exceeded limit in words. */
  constructor(resource: Resource, limit: string) {
    super(`budget exceeded (${limit})`);
    this.name = "BudgetExceeded";
    this.resource = resource;
  }
}

/** A result whose JSON text exceeds `bytesMax`; `bytes` is its size as far as it was counted. */
export class ProjectionTooLarge extends Error {
  readonly bytes: number;

  constructor(bytes: number, bytesMax: number) {
    super(`${bytes} > ${bytesMax}`);
    this.name = "ProjectionTooLarge";
    this.bytes = bytes;
  }
}
