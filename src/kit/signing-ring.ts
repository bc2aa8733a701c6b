import type { TokenSigner } from "./signed-token.js";

/** A key of a ring, by the id that its tokens name. */
export interface RingSigner extends Pick<TokenSigner, "sign" | "open"> {
  readonly id: string;
}

/** The live keys of tokens that expire. A token names the key that signed it. */
export interface SigningRing {
  /** The key that signs now. */
  signing(): RingSigner;
  /** The live key with this id; undefined for one that was retired or never existed. */
  find(id: string): RingSigner | undefined;
}
