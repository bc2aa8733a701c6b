import { port } from "../../contract/port.js";
import type { LeafRange } from "../../kit/merkle-tree.js";
import type { TreeHead } from "./records.js";

/** The leaf of a generation. */
export interface LoggedLeaf {
  readonly leafIndex: number;
  /** The text of the leaf, before it is hashed. */
  readonly leaf: string;
}

/** Reads the Merkle log of generations. Hashes are in hex. */
export interface ProofReading {
  /** Returns the number of leaves. */
  size(): Promise<number>;
  /** Finds the leaf of a generation; undefined if the generation was never published. */
  leafOf(dataset: string, generation: number): Promise<LoggedLeaf | undefined>;
  /** Returns the hash of each of these ranges of leaves, in the same order. */
  hashesOf(ranges: readonly LeafRange[]): Promise<readonly string[]>;
  /** Signs a tree head with this size and root. */
  signed(head: Pick<TreeHead, "size" | "rootHash">): Promise<TreeHead>;
}

export const proofReading = port<ProofReading>("proof reading");
