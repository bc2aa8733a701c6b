import type { Principal } from "../contract/access/principal.js";

/** A stored credential with the account it belongs to. */
export interface Credential {
  readonly keyId: string;
  readonly principal: Principal;
  /** End of validity, epoch ms. */
  readonly endsAt: number;
}
