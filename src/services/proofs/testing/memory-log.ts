import {
  completedHashes,
  hashOfRange,
  lastLeafOf,
  leafHash,
  leftSiblings,
  type Subtree,
  subtreesOf,
} from "../../../kit/merkle-tree.js";
import type { ProofReading } from "../ports.js";

/** Creates an in-memory log. Its leaves are the generations 1, 2, 3, … of the dataset `a`. */
export function memoryLog(size: number): ProofReading {
  const textOf = (leaf: number): string => `{"generation":${leaf + 1}}`;
  const completedBy: (readonly Uint8Array[])[] = [];
  const hashOf = (subtree: Subtree): Uint8Array => completedBy[lastLeafOf(subtree)]?.[subtree.level] as Uint8Array;
  for (let leaf = 0; leaf < size; leaf += 1) {
    completedBy.push(completedHashes(leafHash(Buffer.from(textOf(leaf))), leftSiblings(leaf).map(hashOf)));
  }
  return {
    size: async () => size,
    leafOf: async (dataset, generation) =>
      dataset === "a" && generation <= size ? { leafIndex: generation - 1, leaf: textOf(generation - 1) } : undefined,
    hashesOf: async (ranges) =>
      ranges.map((range) => Buffer.from(hashOfRange(subtreesOf(range).map(hashOf))).toString("hex")),
    signed: async (head) => ({ ...head, timestamp: 1, keyId: "k", signature: "s" }),
  };
}
