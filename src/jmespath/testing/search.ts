import type { Steps } from "../../kit/loop-turns.js";
import { compile } from "../compile.js";
import { Fuel } from "../fuel.js";
import { Machine } from "../machine.js";

/** The result of an expression, computed in one slice. The default fuel is more than any test needs. */
export function search(expression: string, root: unknown, units = 50_000_000): unknown {
  const fuel = new Fuel(units, () => 0);
  return finish(new Machine(root, fuel).run(compile(expression)));
}

/** The final result of `steps`, ignoring all yields. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const next = steps.next();
    if (next.done) return next.value;
  }
}
