import { InvalidExpression } from "./errors.js";
import { type CallSite, checkArity, type FunctionRow, wrongType } from "./functions/signature.js";
import { functionTable } from "./functions/table.js";
import * as instructions from "./instructions.js";
import { collect, enterArgument, enterLoop, filter } from "./loop-instructions.js";
import type { Instruction, Label, LoopShape, Program } from "./machine.js";
import { parse } from "./parse.js";
import type { Argument, CallNode, HashEntry, Node, ProjectionNode } from "./syntax-tree.js";

type Code = Instruction[];
type Binary = Extract<Node, { kind: "and" | "or" | "compare" }>;

/**
 * Compiles an expression. Throws `InvalidExpression`, also for unknown functions and wrong numbers of arguments. The
 * specification does not say at which point these two errors are raised. Reporting them here makes them independent of
 * the data.
 */
export function compile(expression: string): Program {
  const code: Code = [];
  emit(code, parse(expression));
  return { code };
}

/**
 * Adds instructions that replace the machine's value with the result of `node` and leave the rest of the machine's
 * state unchanged.
 */
function emit(code: Code, node: Node): void {
  switch (node.kind) {
    case "current":
      break;
    case "chain":
      emit(code, node.first);
      emit(code, node.then);
      break;
    case "projection":
      emitProjection(code, node);
      break;
    case "and":
    case "or":
    case "compare":
      emitBinary(code, node);
      break;
    case "not":
      emit(code, node.of);
      code.push(instructions.not);
      break;
    case "list":
      emitUnlessNull(code, () => emitList(code, node.items));
      break;
    case "hash":
      emitUnlessNull(code, () => emitHash(code, node.entries));
      break;
    case "call":
      emitCall(code, node);
      break;
    default:
      code.push(leaf(node));
  }
}

type Leaf = Extract<Node, { kind: "literal" | "field" | "index" | "slice" | "flatten" | "values" }>;

function leaf(node: Leaf): Instruction {
  switch (node.kind) {
    case "literal":
      return instructions.literal(node.value);
    case "field":
      return instructions.field(node.name);
    case "index":
      return instructions.element(node.index);
    case "slice":
      return instructions.slice(node);
    case "flatten":
      return instructions.flatten;
    case "values":
      return instructions.memberValues;
  }
}

function emitProjection(code: Code, { source, condition, body }: ProjectionNode): void {
  emit(code, source);
  const shape: LoopShape = { body: { at: 0 }, end: { at: 0 }, keepsNulls: false };
  code.push(enterLoop(shape));
  emitLoop(code, shape, () => {
    if (condition !== null) {
      emit(code, condition);
      code.push(filter);
    }
    emit(code, body);
  });
}

function emitLoop(code: Code, shape: LoopShape, emitBody: () => void): void {
  shape.body.at = code.length;
  emitBody();
  code.push(collect);
  shape.end.at = code.length;
}

function emitBinary(code: Code, node: Binary): void {
  const end: Label = { at: 0 };
  code.push(instructions.keep);
  emit(code, node.left);
  code.push(node.kind === "compare" ? instructions.swap : instructions.settleIf(node.kind === "or", end));
  emit(code, node.right);
  if (node.kind === "compare") code.push(instructions.compare(node.comparator));
  end.at = code.length;
}

/**
 * Adds the instructions of `emitRest`, and before them one that skips them if the value is null, because a multi-select
 * list or hash of null is null.
 */
function emitUnlessNull(code: Code, emitRest: () => void): void {
  const end: Label = { at: 0 };
  code.push(instructions.skipNull(end));
  emitRest();
  end.at = code.length;
}

function emitList(code: Code, items: readonly Node[]): void {
  code.push(instructions.openList(items.length));
  items.forEach((item, position) => {
    emit(code, item);
    code.push(instructions.setItem(position));
  });
  code.push(instructions.close);
}

function emitHash(code: Code, entries: readonly HashEntry[]): void {
  code.push(instructions.openHash);
  for (const { key, value } of entries) {
    emit(code, value);
    code.push(instructions.setEntry(key));
  }
  code.push(instructions.close);
}

function emitCall(code: Code, node: CallNode): void {
  const site: CallSite = { name: node.name, at: node.at };
  const row = resolve(site, node.args);
  code.push(instructions.openList(node.args.length));
  // A by-element argument (`&…`) is compiled last, because it runs over the list in the other argument.
  const order = [...node.args.keys()].sort((a, b) => Number(isByElement(node, a)) - Number(isByElement(node, b)));
  for (const position of order) emitArgument(code, { node, row, site, position });
  code.push(instructions.close, instructions.call(row, site));
}

function isByElement(node: CallNode, position: number): boolean {
  return node.args[position]?.byElement ?? false;
}

interface ArgumentPlace {
  readonly node: CallNode;
  readonly row: FunctionRow;
  readonly site: CallSite;
  readonly position: number;
}

function emitArgument(code: Code, { node, row, site, position }: ArgumentPlace): void {
  // The cast is safe, because `position` is the position of an argument.
  const argument = node.args[position] as Argument;
  if (argument.byElement) {
    const shape: LoopShape = { body: { at: 0 }, end: { at: 0 }, keepsNulls: true };
    code.push(enterArgument(shape, row.parameters.indexOf("array"), site));
    emitLoop(code, shape, () => emit(code, argument.node));
  } else {
    emit(code, argument.node);
  }
  code.push(instructions.setItem(position));
}

/** Finds the called function. Checks the number of arguments and the positions of `&`. */
function resolve(site: CallSite, args: readonly Argument[]): FunctionRow {
  const row = functionTable.get(site.name);
  if (row === undefined) throw new InvalidExpression("unknown-function", `unknown function ${site.name}()`, site.at);
  checkArity(row, site, args.length);
  args.forEach(({ byElement }, position) => {
    const takesExpression = row.parameters[position] === "expression";
    if (byElement && !takesExpression) throw wrongType(site, position, "a value", "an expression (&…)");
    if (!byElement && takesExpression) throw wrongType(site, position, "an expression (&…)", "a value");
  });
  return row;
}
