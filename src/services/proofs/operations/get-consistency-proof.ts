import { Type } from "typebox";
import { accountRead } from "../../../contract/account-read.js";
import { failure, type Violation } from "../../../contract/failures.js";
import { consistencyRanges } from "../../../kit/merkle-tree.js";
import { proofReading } from "../ports.js";
import { positive, size } from "../query-fields.js";
import { hash } from "../records.js";

export const getConsistencyProof = accountRead({
  rpc: "get-consistency-proof",
  summary: "Proof that a head continues an earlier one",
  description:
    "The hashes that prove that the log of size `first` is the beginning of the log of size `second` (RFC 6962, section 2.1.2): nothing was changed, removed or inserted in between. Both roots can be computed from the hashes; compare them with the heads that you keep. A `first` above the size of the log means that the log was cut off, for example by restoring a backup.",
  access: { scope: "read" },
  needsPlan: true,
  failures: ["validation"],
  uses: { log: proofReading },
  query: { first: positive("Size of the earlier head"), second: size("Size of the later head") },
  response: Type.Object(
    {
      first: Type.Integer({ minimum: 1, description: "Size of the earlier tree" }),
      second: Type.Integer({ minimum: 1, description: "Size of the later tree" }),
      firstRootHash: hash("Root of the earlier tree"),
      secondRootHash: hash("Root of the later tree"),
      hashes: Type.Array(hash("Hash of a subtree"), { description: "In the order of RFC 6962" }),
    },
    { title: "GetConsistencyProofResponse" },
  ),
  examples: [{ first: "2", second: "3" }],
  async run({ first, second: requested }, { ports: { log } }) {
    const newest = await log.size();
    const second = requested || newest;
    const violations: Violation[] = [];
    if (first > newest) violations.push({ field: "first", description: `must be at most ${newest}, got ${first}` });
    if (second > newest) violations.push({ field: "second", description: `must be at most ${newest}, got ${second}` });
    if (violations.length === 0 && second < first) {
      violations.push({ field: "second", description: `must be at least ${first}, got ${second}` });
    }
    if (violations.length > 0) throw failure("validation", { violations });
    const roots = [first, second].map((end) => ({ start: 0, end }));
    const [firstRootHash = "", secondRootHash = "", ...hashes] = await log.hashesOf([
      ...roots,
      ...consistencyRanges(first, second),
    ]);
    return { first, second, firstRootHash, secondRootHash, hashes };
  },
});
