import { compile } from "./compile.js";
import { BudgetExceeded, InvalidExpression } from "./errors.js";
import { defaultLimits } from "./limits.js";

/** Returns the reason why an expression can never be evaluated; undefined for an expression that can be evaluated. */
export function expressionFault(expression: string): string | undefined {
  const bytes = Buffer.byteLength(expression);
  if (bytes > defaultLimits.expressionBytesMax) {
    return `must have at most ${defaultLimits.expressionBytesMax} bytes, got ${bytes}`;
  }
  try {
    compile(expression);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidExpression) return `must be a JMESPath expression: ${error.message}`;
    if (error instanceof BudgetExceeded) return `must be a simpler expression: ${error.message}`;
    throw error;
  }
}
