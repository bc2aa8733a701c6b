import { Type } from "typebox";
import { accountRead } from "../../../contract/account-read.js";
import { failure } from "../../../contract/failures.js";
import { inclusionRanges } from "../../../kit/merkle-tree.js";
import { proofReading } from "../ports.js";
import { dataset, positive, size } from "../query-fields.js";
import { hash } from "../records.js";

export const getInclusionProof = accountRead({
  rpc: "get-inclusion-proof",
  summary: "Proof that a generation is in the log",
  description:
    "The leaf of a generation and the hashes that lead from it to the root of the tree (RFC 6962, section 2.1.1). `leaf` is the hashed text, in canonical JSON: `contentHash` and `provenanceHash` identify what was published, `builtAt` and `newestAt` are epoch ms. The leaf stays in the log after retention has removed the generation. A request for a generation that was never published is answered with 404.",
  access: { scope: "read" },
  needsPlan: true,
  failures: ["validation", "itemNotFound"],
  uses: { log: proofReading },
  query: {
    dataset,
    generation: positive("Generation of the dataset, as in `X-Vigil-Generation`"),
    size: size("Size of the tree in which to prove inclusion, such as the size of a head that you keep"),
  },
  response: Type.Object(
    {
      leafIndex: Type.Integer({ minimum: 0, description: "Position of the leaf in the log, from 0" }),
      leaf: Type.String({ description: "Text of the leaf; its hash is SHA-256 over a zero byte and this text" }),
      size: Type.Integer({ minimum: 1, description: "Size of the tree" }),
      rootHash: hash("Root of the tree of this size"),
      hashes: Type.Array(hash("Hash of a subtree"), { description: "From the leaf to the root" }),
    },
    { title: "GetInclusionProofResponse" },
  ),
  examples: [{ dataset: "us-cpi", generation: "1" }],
  async run({ dataset, generation, size }, { ports: { log } }) {
    const newest = await log.size();
    const logged = await log.leafOf(dataset, generation);
    if (logged === undefined) throw failure("itemNotFound", { what: "generation" });
    const { leafIndex, leaf } = logged;
    // The leaf may have been appended after the size was read.
    const max = Math.max(newest, leafIndex + 1);
    const end = size || max;
    if (end <= leafIndex || end > max) {
      const description = `must be from ${leafIndex + 1} to ${max}, the sizes of the trees that contain the generation, got ${end}`;
      throw failure("validation", { violations: [{ field: "size", description }] });
    }
    const [rootHash = "", ...hashes] = await log.hashesOf([{ start: 0, end }, ...inclusionRanges(leafIndex, end)]);
    return { leafIndex, leaf, size: end, rootHash, hashes };
  },
});
