/** Which rule of the JMESPath specification an expression broke; the names are the specification's. */
export type ExpressionFault = "syntax" | "invalid-type" | "invalid-arity" | "invalid-value" | "unknown-function";

/** An expression that cannot be read, or that asks for something its values do not allow. */
export class InvalidExpression extends Error {
  readonly fault: ExpressionFault;

  /** `at` is the offset of the offending character; the message counts from 1, as people do. */
  constructor(fault: ExpressionFault, detail: string, at: number) {
    super(`${detail} at character ${at + 1}`);
    this.name = "InvalidExpression";
    this.fault = fault;
  }
}

/** What a unit of fuel was spent on; named in the message when the budget runs out. */
export type Resource =
  | "node visits"
  | "element copies"
  | "equality steps"
  | "sort comparisons"
  | "string bytes"
  | "output bytes";

/** An expression that is valid but costs more than one projection may. */
export class BudgetExceeded extends Error {
  readonly resource: Resource;

  /** `limit` says what was exceeded, in words. */
  constructor(resource: Resource, limit: string) {
    super(`budget exceeded (${limit})`);
    this.name = "BudgetExceeded";
    this.resource = resource;
  }
}

/** A result whose JSON text is larger than `bytesMax`; `bytes` is its size as far as it was counted. */
export class ProjectionTooLarge extends Error {
  readonly bytes: number;

  constructor(bytes: number, bytesMax: number) {
    super(`${bytes} > ${bytesMax}`);
    this.name = "ProjectionTooLarge";
    this.bytes = bytes;
  }
}
