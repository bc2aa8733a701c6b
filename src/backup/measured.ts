import { createHash } from "node:crypto";
import { Transform } from "node:stream";

/** A stream that counts and hashes the bytes passing through it. */
export function measured(): {
  readonly through: Transform;
  result(): { readonly bytes: number; readonly sha256: string };
} {
  const hash = createHash("sha256");
  let bytes = 0;
  const through = new Transform({
    transform(piece: Buffer, _encoding, done) {
      hash.update(piece);
      bytes += piece.byteLength;
      done(null, piece);
    },
  });
  return { through, result: () => ({ bytes, sha256: hash.digest("hex") }) };
}
