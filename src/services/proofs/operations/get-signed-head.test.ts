import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { keyHolder } from "../../../../test/support/principals.js";
import { memoryLog } from "../testing/memory-log.js";
import { getSignedHead } from "./get-signed-head.js";

const headOf = (size: number) => getSignedHead.run({}, { principal: keyHolder, ports: { log: memoryLog(size) } });

test("get-signed-head signs the size and the root of the log", async () => {
  const rootHash = createHash("sha256").update('\0{"generation":1}').digest("hex");
  expect(await headOf(1)).toEqual({ size: 1, rootHash, timestamp: 1, keyId: "k", signature: "s" });
});

test("get-signed-head signs the empty log", async () => {
  expect(await headOf(0)).toMatchObject({ size: 0, rootHash: createHash("sha256").digest("hex") });
});
