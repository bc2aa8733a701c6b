import { LRUCache } from "lru-cache";
import { compile } from "./compile.js";
import type { Program } from "./machine.js";

/** The program of an expression; throws `InvalidExpression`. */
export type Compiler = (expression: string) => Program;

/** A compiler that keeps the programs used last, up to `instructionsMax` instructions in all. */
export function cachingCompiler(instructionsMax: number): Compiler {
  const programs = new LRUCache<string, Program>({
    maxSize: instructionsMax,
    // A literal is one instruction whatever it holds, so the length of the text counts as well.
    sizeCalculation: ({ code }, expression) => 1 + code.length + expression.length,
  });
  return (expression) => {
    const known = programs.get(expression);
    if (known !== undefined) return known;
    const program = compile(expression);
    programs.set(expression, program);
    return program;
  };
}
