/** An expression as a tree: every node maps one value to one value. */
export type Node =
  | { readonly kind: "current" }
  | { readonly kind: "literal"; readonly value: unknown }
  | { readonly kind: "field"; readonly name: string }
  | { readonly kind: "index"; readonly index: number }
  | SliceNode
  /** A list with its inner lists spliced in; null for anything else. */
  | { readonly kind: "flatten" }
  /** The values of an object's members; null for anything else. */
  | { readonly kind: "values" }
  /** `then` applied to the result of `first`. Covers sub-expressions and pipes, which differ only in how they bind. */
  | { readonly kind: "chain"; readonly first: Node; readonly then: Node }
  | ProjectionNode
  | { readonly kind: "not"; readonly of: Node }
  | { readonly kind: "and" | "or"; readonly left: Node; readonly right: Node }
  | { readonly kind: "compare"; readonly comparator: Comparator; readonly left: Node; readonly right: Node }
  | { readonly kind: "list"; readonly items: readonly Node[] }
  | { readonly kind: "hash"; readonly entries: readonly HashEntry[] }
  | CallNode;

export type Comparator = "==" | "!=" | "<" | "<=" | ">" | ">=";

export interface SliceNode {
  readonly kind: "slice";
  readonly start: number | null;
  readonly stop: number | null;
  /** Never 0. */
  readonly step: number;
}

/**
 * The results of `body` for each element of `source` that meets `condition`, without nulls; null if the source is not a
 * list.
 */
export interface ProjectionNode {
  readonly kind: "projection";
  readonly source: Node;
  readonly condition: Node | null;
  readonly body: Node;
}

export interface HashEntry {
  readonly key: string;
  readonly value: Node;
}

export interface CallNode {
  readonly kind: "call";
  readonly name: string;
  /** Offset of the name in the expression, for messages about the call. */
  readonly at: number;
  readonly args: readonly Argument[];
}

export interface Argument {
  /**
   * True for an argument that is written `&expression`. It is applied to each element instead of being evaluated once.
   */
  readonly byElement: boolean;
  readonly node: Node;
}

export const CURRENT: Node = { kind: "current" };
