import { createHash } from "node:crypto";
import { stringify } from "yaml";

/* The part of Go's templates and Helm's functions that the chart uses. Anything else throws. */

type Node = { readonly text: string } | { readonly output: string } | Block;
interface Block {
  readonly keyword: "if" | "with" | "range" | "define";
  readonly argument: string;
  readonly body: readonly Node[];
  /** The part after `else`. */
  readonly otherwise: readonly Node[];
}
interface Scope {
  readonly dot: unknown;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Renders templates that share their definitions. Throws an error that names an unsupported construct. */
export class Templates {
  private readonly definitions = new Map<string, readonly Node[]>();

  /** Reads definitions, and returns the function that renders the rest of the text. */
  add(text: string): (dot: unknown) => string {
    const tokens = tokensOf(text);
    const nodes = parsed(tokens);
    if (tokens.length > 0) throw new Error("an end without a block");
    for (const node of nodes) {
      if ("keyword" in node && node.keyword === "define") this.definitions.set(literal(node.argument), node.body);
    }
    return (dot) => this.render(nodes, { dot, variables: {} });
  }

  private render(nodes: readonly Node[], scope: Scope): string {
    return nodes.map((node) => this.rendered(node, scope)).join("");
  }

  private rendered(node: Node, scope: Scope): string {
    if ("text" in node) return node.text;
    if ("output" in node) return shown(this.pipeline(node.output, scope));
    if (node.keyword === "define") return "";
    if (node.keyword === "range") return this.repeated(node, scope);
    const value = this.pipeline(node.argument, scope);
    if (!isTrue(value)) return this.render(node.otherwise, scope);
    return this.render(node.body, node.keyword === "with" ? { ...scope, dot: value } : scope);
  }

  private repeated({ argument, body }: Block, scope: Scope): string {
    const [, name, item, expression = argument] = /^\$(\w+), \$(\w+) := (.+)$/.exec(argument) ?? [];
    const value = this.pipeline(expression, scope);
    if (typeof value !== "object" || value === null) return "";
    return Object.entries(value)
      .map(([key, dot]) => {
        const own = name === undefined || item === undefined ? {} : { [name]: key, [item]: dot };
        return this.render(body, { dot, variables: { ...scope.variables, ...own } });
      })
      .join("");
  }

  private pipeline(text: string, scope: Scope): unknown {
    let piped: readonly unknown[] = [];
    for (const stage of text.split(" | ")) piped = [this.stage(stage.trim(), piped, scope)];
    return piped[0];
  }

  private stage(text: string, piped: readonly unknown[], scope: Scope): unknown {
    const [first = "", ...rest] = text.match(/"[^"]*"|\S+/g) ?? [];
    const args = [...rest.map((word) => valueAt(word, scope)), ...piped];
    if (first === "include") return this.included(args);
    const builtIn = Object.hasOwn(functions, first) ? functions[first] : undefined;
    if (builtIn !== undefined) return builtIn(...args);
    if (args.length > 0) throw new Error(`no function ${first}`);
    return valueAt(first, scope);
  }

  private included([name, dot]: readonly unknown[]): string {
    const body = this.definitions.get(String(name));
    if (body === undefined) throw new Error(`no definition ${String(name)}`);
    return this.render(body, { dot, variables: {} });
  }
}

const functions: Readonly<Record<string, (...args: readonly unknown[]) => unknown>> = {
  quote: (value) => JSON.stringify(shown(value)),
  default: (fallback, value) => (isTrue(value) ? value : fallback),
  not: (value) => !isTrue(value),
  kindIs: (kind, value) => kind === (typeof value === "number" ? "float64" : typeof value),
  toJson: (value) => JSON.stringify(value),
  toYaml: (value) => stringify(value).trimEnd(),
  sha256sum: (value) => createHash("sha256").update(shown(value)).digest("hex"),
  nindent: (spaces, value) => `\n${shown(value).replace(/^/gm, " ".repeat(Number(spaces)))}`,
};

function valueAt(word: string, { dot, variables }: Scope): unknown {
  if (word.startsWith('"')) return literal(word);
  if (/^\d+$/.test(word)) return Number(word);
  if (word === ".") return dot;
  const [start = "", ...path] = word.split(".");
  if (start !== "" && !start.startsWith("$")) throw new Error(`no value ${word}`);
  return path.reduce(memberOf, start === "" ? dot : memberOf(variables, start.slice(1)));
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) throw new Error(`no member ${name}`);
  return Reflect.get(value, name);
}

function literal(word: string): string {
  const value: unknown = JSON.parse(word);
  return String(value);
}

function isTrue(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

function shown(value: unknown): string {
  if (typeof value === "object") throw new Error("an object or null in the text");
  return typeof value === "number" ? floatText(value) : String(value);
}

/**
 * A number as Go writes a float64 by default. Helm reads every number of a values file as a float64, also an integer,
 * so 5000000 becomes 5e+06.
 */
function floatText(value: number): string {
  const [digits = "", exponent = ""] = value.toExponential().split("e");
  if (Number(exponent) >= -4 && Number(exponent) < 6) return String(value);
  return `${digits}e${exponent.replace(/^([+-])(\d)$/, "$10$2")}`;
}

type Token = { readonly text: string } | { readonly action: string };

function tokensOf(source: string): Token[] {
  const trimmed = source.replace(/\s*\{\{- /g, "{{ ").replace(/ -\}\}\s*/g, " }}");
  return trimmed.split(/(\{\{ .*? \}\})/).map((part) => {
    const action = /^\{\{ (.*) \}\}$/.exec(part)?.[1];
    return action === undefined ? { text: part } : { action };
  });
}

/** Parses and removes the tokens up to the end of the current block, or up to its `else`. */
function parsed(tokens: Token[], block?: { hasElse: boolean }): readonly Node[] {
  const nodes: Node[] = [];
  for (let token = tokens.shift(); token !== undefined; token = tokens.shift()) {
    if ("text" in token) {
      nodes.push(token);
      continue;
    }
    const { action } = token;
    if (block && (action === "end" || action === "else")) {
      block.hasElse = action === "else";
      return nodes;
    }
    const [, keyword, argument = ""] = /^(if|with|range|define) (.+)$/.exec(action) ?? [];
    if (keyword === "if" || keyword === "with" || keyword === "range" || keyword === "define") {
      const first = { hasElse: false };
      const body = parsed(tokens, first);
      nodes.push({ keyword, argument, body, otherwise: first.hasElse ? parsed(tokens, { hasElse: false }) : [] });
    } else nodes.push({ output: action });
  }
  if (block) throw new Error("a block without an end");
  return nodes;
}
