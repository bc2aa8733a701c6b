import { randomBytes } from "node:crypto";

const ID_BYTES = 12;
const IDS_PER_READ = 256;

/**
 * Returns a generator of unpredictable ids of 24 hexadecimal digits. Random bytes are read for many ids at a time,
 * because one read costs as much as all other work for a small answer.
 */
export function requestIds(randomBytesOf: (length: number) => Buffer = randomBytes): () => string {
  let digits = "";
  let at = 0;
  return () => {
    if (at === digits.length) {
      digits = randomBytesOf(IDS_PER_READ * ID_BYTES).toString("hex");
      at = 0;
    }
    const from = at;
    at += ID_BYTES * 2;
    return digits.slice(from, at);
  };
}
