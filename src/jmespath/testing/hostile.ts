import { monotonicMs } from "../../kit/clock.js";
import { LoopTurns } from "../../kit/loop-turns.js";
import type { Random } from "../../kit/random.js";
import { createProjector, type Projection } from "../project.js";

const EXPRESSION_BYTES_MAX = 1_024;

/** Starting points of a hostile expression: the large parts of `hostileDocument`, and a literal. */
const SOURCES = ["@", "rows", "numbers", "names", "byKey", "text", "rows[*].tags", "rows[].at", "deep", "`[1, 2]`"];

/** Pipe stages that accept any input, and multiply, copy or compare it, or build text from it. */
const STAGES = [
  "[@, @]",
  "[@, @][]",
  "[@,@,@,@,@,@,@,@]",
  "{a: @, b: @}",
  "[[@, @], @][]",
  "[*].[@, @]",
  "[][]",
  "*[]",
  "*.*",
  "to_string(@)",
  "to_string([@, @])",
  "to_array(@)",
  "[::-1]",
  "[?@ == @]",
  "[to_string(@)]",
  "[*].to_string(@)",
  "[? contains(to_string(@), 'aab')]",
  "[?name]",
  "[?!tags]",
  "[*].{a: @, b: tags, c: name}",
  "[].tags[]",
  "text",
  "[@ == @, !@]",
  "contains([@, @], @)",
  "length(to_string(@))",
  "a || @",
  "b && [b, a]",
  "[?@ != `1`]",
  "not_null(a, @)",
  "starts_with(to_string(@), to_string(@))",
  "rows || @",
  "[@.rows, @][]",
  "[0:9:2]",
  "names || @",
  "map(&[@, @], to_array(@))",
  "map(&to_string(@), [@, @][])",
  "join('', [to_string(@), to_string(@)])",
  "sort_by(to_array(@), &to_string(@))",
  "max_by([@, @][], &to_string(@))",
  "sort(map(&to_string(@), to_array(@)))",
  "reverse(to_string(@))",
  "reverse(to_array(@))",
  "to_number(to_string(@)) || @",
  "merge({a: @}, {b: @})",
  "contains(to_string(@), to_string([@]))",
  "values({a: @, b: @})",
  "sort_by(rows || `[]`, &name)",
];

/** Stages that fail for most input types, so they are used less often. */
const TYPED_STAGES = [
  "sort(@)",
  "sort_by(@, &name)",
  "max_by(@, &id)",
  "min(@)",
  "sum(numbers)",
  "keys(byKey)",
  "values(byKey)",
  "merge(byKey, byKey, byKey)",
  "merge(@, @, @)",
  "join('x', names)",
  "contains(text, join('', [text, 'b']))",
  "reverse(text)",
  "length(text)",
  "keys(@)",
  "contains(names, @)",
  "[!byKey, byKey && byKey]",
  "byKey.*",
];

/** Ways to wrap one expression in another. `X` stands for the wrapped expression. */
const FRAMES = [
  "[X, X]",
  "X == X",
  "[X][]",
  "!X",
  "X || X",
  "{a: X}",
  "to_string(X)",
  "[X] == [X]",
  "rows[?X].id",
  "(X)[*]",
];

function pick(random: Random, from: readonly string[]): string {
  return from[Math.floor(random() * from.length)] ?? "@";
}

/** An expression of at most 1,024 bytes, built to cost as much as possible. */
export function hostileExpression(random: Random): string {
  return random() < 0.7 ? pipeline(random) : nest(random, pick(random, SOURCES));
}

/** A random number of piped stages: usually a few stages, repeated, because repetition multiplies their effect. */
function pipeline(random: Random): string {
  const stages = Array.from({ length: 1 + Math.floor(random() * 3) }, () => stage(random));
  const lengthMax = 20 + random() * (EXPRESSION_BYTES_MAX - 20);
  let expression = pick(random, SOURCES);
  for (;;) {
    const longer = `${expression}|${random() < 0.9 ? pick(random, stages) : stage(random)}`;
    if (longer.length > lengthMax) return expression;
    expression = longer;
  }
}

function stage(random: Random): string {
  return pick(random, random() < 0.9 ? STAGES : TYPED_STAGES);
}

/** Wraps an expression in frames, one around the other, as often as 1,024 bytes allow. */
function nest(random: Random, inner: string): string {
  const framed = pick(random, FRAMES).replaceAll("X", inner);
  const outer = random() < 0.2 ? `${framed}|${stage(random)}` : framed;
  return outer.length > EXPRESSION_BYTES_MAX ? inner : nest(random, outer);
}

/**
 * A document with everything that is expensive for an evaluator: many rows, a large map, long repetitive text, deep
 * nesting.
 */
export function hostileDocument(rowCount: number): unknown {
  const rows = Array.from({ length: rowCount }, (_, id) => ({
    id,
    name: `row ${(id * 7_919) % rowCount}${id % 100 === 0 ? " é😀" : ""}`,
    at: 1_700_000_000_000 + id,
    tags: [`tag${id % 7}`, "all"],
  }));
  const byKey = Object.fromEntries(rows.map(({ id, name }) => [name, id]));
  const deep = Array.from({ length: 60 }).reduce((inner) => ({ inner }), 1);
  const text = "a".repeat(rowCount * 10);
  // The document is converted to JSON and back, so that its objects have the layout of parsed objects.
  return JSON.parse(
    JSON.stringify({
      rows,
      numbers: rows.map(({ id }) => (id * 31) % 1_000),
      names: Object.keys(byKey),
      byKey,
      deep,
      text,
    }),
  );
}

export interface Run {
  readonly projection: Projection;
  /** The longest time for which the event loop was blocked. */
  readonly holdMs: number;
}

/**
 * Evaluates an expression over a document, and measures the longest time for which the evaluation blocks the event
 * loop.
 */
export async function measuredRun(expression: string, root: unknown, fuelUnitsMax?: number): Promise<Run> {
  let holdMs = 0;
  const measured = <Result>(work: () => Result): Result => {
    const startedAt = monotonicMs();
    const result = work();
    holdMs = Math.max(holdMs, monotonicMs() - startedAt);
    return result;
  };
  const defer = (callback: () => void): void => void setImmediate(() => measured(callback));
  const project = createProjector({
    turns: new LoopTurns({ defer }),
    ...(fuelUnitsMax === undefined ? {} : { limits: { fuelUnitsMax } }),
  });
  const projection = await measured(() => project(expression, root));
  return { projection, holdMs };
}

/** The sentences that the contract allows for a failed projection. */
export const CONTRACT_SENTENCE =
  /^(expression_too_long: \d+ > 1024|invalid_expression: .+|projection_too_large: \d+ > 262144)$/;
