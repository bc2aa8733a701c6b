import { type GetAccountResponse, UnauthorizedError } from "../src/sdk/index.js";
import { vigil } from "./client.js";
import { createStore } from "./store.js";

/** Who the browser is signed in as. */
export type Session =
  | { readonly kind: "unknown" }
  | { readonly kind: "out" }
  | { readonly kind: "in"; readonly account: GetAccountResponse };

export const session = createStore<Session>({ kind: "unknown" });

/** Asks the service who is signed in. Any failure but a missing credential is thrown. */
export async function readSession(): Promise<void> {
  try {
    const { data } = await vigil.account.getAccount();
    session.set({ kind: "in", account: data });
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    session.set({ kind: "out" });
  }
}

/** Opens a session with a key, or with the secret of a one-time link. */
export async function signIn(secret: { readonly key: string } | { readonly link: string }): Promise<void> {
  await vigil.account.signIn(secret);
  await readSession();
}

export async function signOut(): Promise<void> {
  await vigil.account.signOut();
  session.set({ kind: "out" });
}
