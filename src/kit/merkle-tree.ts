import { createHash } from "node:crypto";

/**
 * Merkle trees as in RFC 6962 (section 2.1): roots, inclusion proofs and consistency proofs. Leaves are counted from 0.
 * The caller stores the hashes of the complete subtrees of its tree. Every other hash is computed from them.
 */

/** The leaves from `start` to `end`, excluding `end`. */
export interface LeafRange {
  readonly start: number;
  readonly end: number;
}

/** A complete subtree: 2^`level` leaves, beginning with the leaf `index` · 2^`level`. */
export interface Subtree {
  readonly level: number;
  readonly index: number;
}

const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);
const HASH_BYTES = 32;

const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};

export function leafHash(entry: Uint8Array): Buffer {
  return sha256(LEAF, entry);
}

function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  return sha256(NODE, left, right);
}

/** The complete subtrees that cover a range of a tree, from left to right. */
export function subtreesOf({ start, end }: LeafRange): readonly Subtree[] {
  const subtrees: Subtree[] = [];
  let at = start;
  while (at < end) {
    let level = 0;
    while (at % 2 ** (level + 1) === 0 && at + 2 ** (level + 1) <= end) level += 1;
    subtrees.push({ level, index: at / 2 ** level });
    at += 2 ** level;
  }
  return subtrees;
}

/**
 * Computes the hash of a range from the hashes of its complete subtrees. Without any subtrees, returns the root of the
 * empty tree.
 */
export function hashOfRange(subtreeHashes: readonly Uint8Array[]): Uint8Array {
  const [last, ...others] = subtreeHashes.toReversed();
  return others.reduce((right, left) => nodeHash(left, right), last ?? sha256());
}

/** The last leaf of a subtree, which completes that subtree. */
export function lastLeafOf({ level, index }: Subtree): number {
  return (index + 1) * 2 ** level - 1;
}

/** The left siblings of the subtrees that a leaf completes, smallest first. */
export function leftSiblings(leaf: number): readonly Subtree[] {
  const siblings: Subtree[] = [];
  let index = leaf;
  for (let level = 0; index % 2 === 1; level += 1) {
    siblings.push({ level, index: index - 1 });
    index = (index - 1) / 2;
  }
  return siblings;
}

/** The hashes of the subtrees that a leaf completes, smallest first. The first of them is the hash of the leaf. */
export function completedHashes(leaf: Uint8Array, leftSiblingHashes: readonly Uint8Array[]): readonly Uint8Array[] {
  const hashes = [leaf];
  let last = leaf;
  for (const left of leftSiblingHashes) {
    last = nodeHash(left, last);
    hashes.push(last);
  }
  return hashes;
}

/** The largest power of two below `size`. */
function splitOf(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}

/** The ranges whose hashes prove that a leaf is in the tree of this size, in the order of the proof. */
export function inclusionRanges(leaf: number, size: number): readonly LeafRange[] {
  const path: LeafRange[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + splitOf(end - start);
    if (leaf < middle) {
      path.push({ start: middle, end });
      end = middle;
    } else {
      path.push({ start, end: middle });
      start = middle;
    }
  }
  return path.reverse();
}

/**
 * The ranges whose hashes prove that a tree of `second` leaves starts with the tree of `first` leaves, in the order of
 * the proof.
 */
export function consistencyRanges(first: number, second: number): readonly LeafRange[] {
  if (first === 0 || first === second) return [];
  const path: LeafRange[] = [];
  let [start, end] = [0, second];
  while (first < end) {
    const middle = start + splitOf(end - start);
    if (first <= middle) {
      path.push({ start: middle, end });
      end = middle;
    } else {
      path.push({ start, end: middle });
      start = middle;
    }
  }
  // The whole first tree is left out, because the verifier knows its hash.
  if (start > 0) path.push({ start, end });
  return path.reverse();
}

/** True if the proof shows that the leaf is in the tree with this root (RFC 9162, section 2.1.3.2). */
export function isIncluded(
  { hash, index, size }: { readonly hash: Uint8Array; readonly index: number; readonly size: number },
  proof: readonly Uint8Array[],
  root: Uint8Array,
): boolean {
  if (index < 0 || index >= size || !areHashes(proof)) return false;
  let [at, last, result] = [index, size - 1, hash];
  for (const step of proof) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      result = nodeHash(step, result);
      while (at % 2 === 0 && at > 0) [at, last] = [half(at), half(last)];
    } else {
      result = nodeHash(result, step);
    }
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && isEqual(result, root);
}

interface TreeHead {
  readonly size: number;
  readonly root: Uint8Array;
}

/** True if the proof shows that the second tree starts with the first one (RFC 9162, section 2.1.4.2). */
export function isConsistent(first: TreeHead, second: TreeHead, proof: readonly Uint8Array[]): boolean {
  if (first.size > second.size || !areHashes(proof)) return false;
  if (first.size === second.size) return proof.length === 0 && isEqual(first.root, second.root);
  if (first.size === 0) return proof.length === 0 && isEqual(first.root, sha256());
  const isComplete = splitOf(first.size + 1) === first.size;
  const [start, ...steps] = isComplete ? [first.root, ...proof] : proof;
  if (start === undefined) return false;
  let [at, last] = [first.size - 1, second.size - 1];
  while (at % 2 === 1) [at, last] = [half(at), half(last)];
  let [firstRoot, secondRoot] = [start, start];
  for (const step of steps) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      firstRoot = nodeHash(step, firstRoot);
      secondRoot = nodeHash(step, secondRoot);
      while (at % 2 === 0 && at > 0) [at, last] = [half(at), half(last)];
    } else {
      secondRoot = nodeHash(secondRoot, step);
    }
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && isEqual(firstRoot, first.root) && isEqual(secondRoot, second.root);
}

/** Half of a number, rounded down. A shift would be wrong beyond 32 bits. */
const half = (value: number): number => Math.floor(value / 2);

const isEqual = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

const areHashes = (proof: readonly Uint8Array[]): boolean => proof.every((hash) => hash.byteLength === HASH_BYTES);
