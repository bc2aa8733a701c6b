import { type Static, type TString, Type } from "typebox";

/** The Merkle log as served. */

/** A SHA-256 hash. */
export const hash = (description: string): TString =>
  Type.String({ pattern: "^[0-9a-f]{64}$", description: `${description}, SHA-256 in hex` });

export const TreeHead = Type.Object(
  {
    size: Type.Integer({ minimum: 0, description: "Number of leaves" }),
    rootHash: hash("Root of the tree"),
    timestamp: Type.Integer({ description: "Time of the signature, epoch ms" }),
    keyId: Type.String({ description: "Key in `/.well-known/vigil-keys.json`" }),
    signature: Type.String({
      description:
        "Ed25519 signature, base64url, over the lines `vigil-tree-head-v1`, size, root hash, timestamp and key id, each with a line feed",
    }),
  },
  { title: "SignedTreeHead", description: "A signed head of the log of generations." },
);
export type TreeHead = Static<typeof TreeHead>;
