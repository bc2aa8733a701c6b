import type { TokenSigner } from "./signed-token.js";

/** A key of a ring. */
export interface RingSigner extends Pick<TokenSigner, "sign" | "open"> {
  readonly id: string;
}

/** The live keys for tokens that expire. Each token contains the id of the key that signed it. */
export interface SigningRing {
  /** The current signing key. */
  signing(): RingSigner;
  /** The live key with this id; undefined for a key that was retired or never existed. */
  find(id: string): RingSigner | undefined;
}
