import { accountRead } from "../../../contract/account-read.js";
import { proofReading } from "../ports.js";
import { TreeHead } from "../records.js";

export const getSignedHead = accountRead({
  rpc: "get-signed-head",
  summary: "The signed head of the log of generations",
  description:
    "Size and root of the Merkle log (RFC 6962) of all generations that this service has published, signed at the time of the call. Keep heads: `get-consistency-proof` proves that a later head continues an earlier one.",
  access: { scope: "read" },
  needsPlan: true,
  uses: { log: proofReading },
  query: {},
  response: TreeHead,
  examples: [{}],
  async run(_query, { ports: { log } }) {
    const size = await log.size();
    const [rootHash = ""] = await log.hashesOf([{ start: 0, end: size }]);
    return await log.signed({ size, rootHash });
  },
});
