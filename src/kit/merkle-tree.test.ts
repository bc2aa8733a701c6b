import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { randomRuns } from "../../test/support/effort.js";
import {
  completedHashes,
  consistencyRanges,
  hashOfRange,
  inclusionRanges,
  isConsistent,
  isIncluded,
  type LeafRange,
  lastLeafOf,
  leafHash,
  leftSiblings,
  subtreesOf,
} from "./merkle-tree.js";
import { seededRandom } from "./random.js";

/** The hash of a range by the definition of RFC 6962, section 2.1. */
function naiveHash(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return createHash("sha256").digest();
  if (leaves.length === 1)
    return createHash("sha256")
      .update("\0")
      .update(leaves[0] as Buffer)
      .digest();
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)].map(naiveHash) as [Buffer, Buffer];
  return createHash("sha256").update("\u0001").update(left).update(right).digest();
}

/**
 * Computes the hash of each complete subtree of these leaves, leaf by leaf. Returns a function that computes the hash
 * of a range from the hashes of subtrees.
 */
function treeOf(leaves: readonly Buffer[]): (range: LeafRange) => Uint8Array {
  const completedBy: (readonly Uint8Array[])[] = [];
  const hashOf = (subtree: { level: number; index: number }): Uint8Array =>
    completedBy[lastLeafOf(subtree)]?.[subtree.level] as Uint8Array;
  for (const [at, leaf] of leaves.entries()) {
    completedBy.push(completedHashes(leafHash(leaf), leftSiblings(at).map(hashOf)));
  }
  return (range) => hashOfRange(subtreesOf(range).map(hashOf));
}

/** The leaves, roots and proofs in the tests of the reference implementation of Certificate Transparency. */
describe("the published vectors of RFC 6962", () => {
  const leaves = [
    "",
    "00",
    "10",
    "2021",
    "3031",
    "40414243",
    "5051525354555657",
    "606162636465666768696a6b6c6d6e6f",
  ].map((hex) => Buffer.from(hex, "hex"));
  const hash = treeOf(leaves);
  const hexOf = (ranges: readonly LeafRange[]): readonly string[] =>
    ranges.map((range) => Buffer.from(hash(range)).toString("hex"));

  test("the roots are those of the vectors", () => {
    expect(hexOf(Array.from({ length: 9 }, (_, end) => ({ start: 0, end })))).toEqual([
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
      "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
      "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
      "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
      "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
      "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
      "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
      "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ]);
  });

  test("the inclusion proofs are those of the vectors", () => {
    expect(hexOf(inclusionRanges(0, 1))).toEqual([]);
    expect(hexOf(inclusionRanges(0, 8))).toEqual([
      "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
      "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
      "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ]);
    expect(hexOf(inclusionRanges(5, 8))).toEqual([
      "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
      "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
      "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ]);
    expect(hexOf(inclusionRanges(2, 3))).toEqual(["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"]);
  });

  test("the consistency proofs are those of the vectors", () => {
    expect(hexOf(consistencyRanges(1, 1))).toEqual([]);
    expect(hexOf(consistencyRanges(1, 8))).toEqual([
      "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
      "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
      "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ]);
    expect(hexOf(consistencyRanges(6, 8))).toEqual([
      "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
      "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
      "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ]);
    expect(hexOf(consistencyRanges(2, 5))).toEqual([
      "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
      "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ]);
  });
});

describe("trees of random sizes", () => {
  const CASES = randomRuns(20_000);
  const LEAVES_MAX = 300;
  const leaves = Array.from({ length: LEAVES_MAX }, (_, at) => Buffer.from(`leaf ${at}`));
  const hash = treeOf(leaves);
  const rootOf = (size: number): Uint8Array => hash({ start: 0, end: size });

  /** Flips one bit of one of the hashes. */
  function flipped(hashes: readonly Uint8Array[], random: () => number): readonly Uint8Array[] {
    const at = Math.floor(random() * hashes.length);
    return hashes.map((original, index) => {
      if (index !== at) return original;
      const copy = Buffer.from(original);
      const byte = Math.floor(random() * copy.length);
      copy[byte] = (copy[byte] as number) ^ (1 << Math.floor(random() * 8));
      return copy;
    });
  }

  test("every root equals the root according to the definition", () => {
    for (let size = 0; size <= LEAVES_MAX; size += 1) {
      expect(Buffer.compare(rootOf(size), naiveHash(leaves.slice(0, size)))).toBe(0);
    }
  });

  test("an inclusion proof holds for its leaf, but not if a bit, the index, the root or the proof's length is changed", () => {
    const random = seededRandom(1);
    const wrong: string[] = [];
    for (let run = 0; run < CASES; run += 1) {
      const size = 1 + Math.floor(random() * LEAVES_MAX);
      const index = Math.floor(random() * size);
      const proof = inclusionRanges(index, size).map(hash);
      const leaf = { hash: leafHash(leaves[index] as Buffer), index, size };
      const root = rootOf(size);
      const [bad = root, ...badProof] = flipped([root, ...proof], random);
      const other = Math.floor(random() * size);
      const accepted = [
        isIncluded(leaf, proof, root) ? [] : ["the proof"],
        isIncluded(leaf, badProof, bad) ? ["a flipped bit"] : [],
        other !== index && isIncluded({ ...leaf, index: other }, proof, root) ? ["another index"] : [],
        isIncluded({ ...leaf, index: size }, proof, root) ? ["an index beyond the size"] : [],
        isIncluded(leaf, [...proof, root], root) ? ["a longer proof"] : [],
        proof.length > 0 && isIncluded(leaf, proof.slice(1), root) ? ["a shorter proof"] : [],
        isIncluded(leaf, proof, rootOf(size - 1)) ? ["another root"] : [],
      ].flat();
      if (accepted.length > 0) wrong.push(`leaf ${index} of ${size}: ${accepted.join(", ")}`);
    }
    expect(wrong).toEqual([]);
  });

  test("a consistency proof holds for its trees, but not if a bit, a size or the proof's length is changed", () => {
    const random = seededRandom(2);
    const wrong: string[] = [];
    for (let run = 0; run < CASES; run += 1) {
      const second = { size: 1 + Math.floor(random() * LEAVES_MAX) };
      const first = { size: 1 + Math.floor(random() * second.size) };
      const proof = consistencyRanges(first.size, second.size).map(hash);
      const heads = [first, second].map(({ size }) => ({ size, root: rootOf(size) }));
      const [older, newer] = heads as [(typeof heads)[0], (typeof heads)[0]];
      const [badOld = older.root, badNew = newer.root, ...badProof] = flipped(
        [older.root, newer.root, ...proof],
        random,
      );
      const accepted = [
        isConsistent(older, newer, proof) ? [] : ["the proof"],
        isConsistent({ ...older, root: badOld }, { ...newer, root: badNew }, badProof) ? ["a flipped bit"] : [],
        isConsistent({ ...older, size: older.size - 1 }, newer, proof) ? ["a smaller first size"] : [],
        isConsistent(older, newer, [...proof, newer.root]) ? ["a longer proof"] : [],
        proof.length > 0 && isConsistent(older, newer, proof.slice(1)) ? ["a shorter proof"] : [],
        older.size < newer.size && isConsistent(newer, older, proof) ? ["a shrunken tree"] : [],
      ].flat();
      if (accepted.length > 0) wrong.push(`${first.size} of ${second.size}: ${accepted.join(", ")}`);
    }
    expect(wrong).toEqual([]);
  });

  test("every tree is consistent with the empty tree", () => {
    expect(consistencyRanges(0, 5)).toEqual([]);
    expect(isConsistent({ size: 0, root: rootOf(0) }, { size: 5, root: rootOf(5) }, [])).toBe(true);
    expect(isConsistent({ size: 0, root: rootOf(1) }, { size: 5, root: rootOf(5) }, [])).toBe(false);
  });

  test("proofs in a tree of a billion leaves consist of few hashes, each from a bounded number of subtrees", () => {
    const ranges = inclusionRanges(999_999_998, 999_999_999);
    expect(ranges.length).toBeLessThanOrEqual(30);
    expect(ranges.flatMap(subtreesOf).length).toBeLessThanOrEqual(60);
    expect(consistencyRanges(2 ** 29 + 1, 999_999_999).length).toBeLessThanOrEqual(31);
    expect(leftSiblings(2 ** 40 - 1)).toHaveLength(40);
  });
});
