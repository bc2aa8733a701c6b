import { describe, expect, test } from "vitest";
import { keyHolder } from "../../../../test/support/principals.js";
import { isIncluded, leafHash } from "../../../kit/merkle-tree.js";
import { memoryLog } from "../testing/memory-log.js";
import { getInclusionProof } from "./get-inclusion-proof.js";

const bytes = (hex: string): Buffer => Buffer.from(hex, "hex");

const proofOf = (generation: number, size = 0, dataset = "a") =>
  getInclusionProof.run({ dataset, generation, size }, { principal: keyHolder, ports: { log: memoryLog(11) } });

describe("get-inclusion-proof", () => {
  test("proves the inclusion of every generation in every tree that contains it", async () => {
    for (let size = 1; size <= 11; size += 1) {
      for (let generation = 1; generation <= size; generation += 1) {
        const { leaf, leafIndex, rootHash, hashes, ...proof } = await proofOf(generation, size);
        expect([leafIndex, proof.size]).toEqual([generation - 1, size]);
        const leafNode = { hash: leafHash(Buffer.from(leaf)), index: leafIndex, size };
        expect(isIncluded(leafNode, hashes.map(bytes), bytes(rootHash))).toBe(true);
      }
    }
  });

  test("proves inclusion in the latest tree if the size is omitted", async () => {
    expect(await proofOf(3)).toEqual(await proofOf(3, 11));
  });

  test("answers 404 for a generation that was never published", async () => {
    await expect(proofOf(12)).rejects.toMatchObject({ status: 404 });
    await expect(proofOf(1, 0, "b")).rejects.toMatchObject({ status: 404 });
  });

  test.each([2, 12])("refuses the size %i with a 400 that names the field and its allowed range", async (size) => {
    await expect(proofOf(3, size)).rejects.toMatchObject({
      status: 400,
      body: { violations: [{ field: "size", description: expect.stringContaining("3 to 11") }] },
    });
  });
});
