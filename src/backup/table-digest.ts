import { createHash } from "node:crypto";
import { storedValue } from "./table-file.js";

const DIGEST_BYTES = 32;

/** The row count of a table, and a digest that does not depend on the row order. */
export interface TableDigest {
  readonly rows: number;
  readonly sha256: string;
}

/** Computes a digest by summing the hashes of all rows, so that their order does not matter. */
export class RowDigest {
  private rows = 0;
  private sum = 0n;

  add(values: readonly unknown[]): void {
    const line = JSON.stringify(values.map(storedValue));
    this.sum = BigInt.asUintN(
      8 * DIGEST_BYTES,
      this.sum + BigInt(`0x${createHash("sha256").update(line).digest("hex")}`),
    );
    this.rows += 1;
  }

  result(): TableDigest {
    return { rows: this.rows, sha256: this.sum.toString(16).padStart(2 * DIGEST_BYTES, "0") };
  }
}
