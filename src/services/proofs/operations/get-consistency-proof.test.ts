import { describe, expect, test } from "vitest";
import { keyHolder } from "../../../../test/support/principals.js";
import { isConsistent } from "../../../kit/merkle-tree.js";
import { memoryLog } from "../testing/memory-log.js";
import { getConsistencyProof } from "./get-consistency-proof.js";

const bytes = (hex: string): Buffer => Buffer.from(hex, "hex");

const proofOf = (first: number, second = 0) =>
  getConsistencyProof.run({ first, second }, { principal: keyHolder, ports: { log: memoryLog(11) } });

describe("get-consistency-proof", () => {
  test("proves the consistency of every pair of sizes", async () => {
    for (let second = 1; second <= 11; second += 1) {
      for (let first = 1; first <= second; first += 1) {
        const { firstRootHash, secondRootHash, hashes } = await proofOf(first, second);
        const heads = [
          { size: first, root: bytes(firstRootHash) },
          { size: second, root: bytes(secondRootHash) },
        ] as const;
        expect(isConsistent(heads[0], heads[1], hashes.map(bytes))).toBe(true);
      }
    }
  });

  test("proves consistency with the latest size if the second size is omitted", async () => {
    expect(await proofOf(4)).toEqual(await proofOf(4, 11));
  });

  test.each([
    [12, 0, "first"],
    [3, 12, "second"],
    [5, 4, "second"],
  ])("refuses the first size %i and the second size %i with a 400 that names `%s`", async (first, second, field) => {
    await expect(proofOf(first, second)).rejects.toMatchObject({ status: 400, body: { violations: [{ field }] } });
  });
});
