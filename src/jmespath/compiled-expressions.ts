import { LRUCache } from "lru-cache";
import { compile } from "./compile.js";
import type { Program } from "./machine.js";

/** Compiles an expression; throws `InvalidExpression`. */
export type Compiler = (expression: string) => Program;

/**
 * Creates a compiler with an LRU cache of programs. The instructions and the characters of all cached expressions
 * together number at most `instructionsMax`.
 */
export function cachingCompiler(instructionsMax: number): Compiler {
  const programs = new LRUCache<string, Program>({
    maxSize: instructionsMax,
    // A literal is a single instruction whatever its size, so the length of the expression counts as well.
    sizeCalculation: ({ code }, expression) => 1 + code.length + expression.length,
  });
  return (expression) => {
    const cached = programs.get(expression);
    if (cached !== undefined) return cached;
    const program = compile(expression);
    programs.set(expression, program);
    return program;
  };
}
