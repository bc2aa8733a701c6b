import { type GetAccountResponse, UnauthorizedError } from "../src/sdk/index.js";
import { vigil } from "./client.js";
import { createStore } from "./store.js";

/** The browser's session. */
export type Session =
  | { readonly kind: "unknown" }
  /** `failure` tells why the browser is signed out: a one-time link was rejected, or the session has ended. */
  | { readonly kind: "out"; readonly failure?: unknown }
  | { readonly kind: "in"; readonly account: GetAccountResponse };

export const session = createStore<Session>({ kind: "unknown" });

/** The address of one-time links; their secret follows the `#`. */
const SIGN_IN_PATH = "/sign-in";

/** Returns the secret of the opened one-time link, if any, and removes it from the address. */
export function takeLink(): string | undefined {
  if (location.pathname !== SIGN_IN_PATH) return undefined;
  const link = location.hash.slice(1);
  history.replaceState(null, "", "/");
  return link === "" ? undefined : link;
}

/** Opens the session of a one-time link. Without a link, or if the link is rejected, checks who is signed in. */
export async function startSession(link: string | undefined): Promise<void> {
  if (link === undefined) return readSession();
  try {
    await signIn({ link });
  } catch (failure) {
    if (!(failure instanceof UnauthorizedError)) throw failure;
    await readSession(new Error("The link was already used or has expired. Sign in with a key."));
  }
}

/**
 * Asks the service who is signed in. If nobody is signed in, the page shows `refusal`. Throws any failure except a 401.
 */
async function readSession(refusal?: Error): Promise<void> {
  try {
    const { data } = await vigil.account.getAccount();
    session.set({ kind: "in", account: data });
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    session.set({ kind: "out", failure: refusal });
  }
}

/** Opens a session with a key, or with the secret of a one-time link. */
export async function signIn(secret: { readonly key: string } | { readonly link: string }): Promise<void> {
  await vigil.account.signIn(secret);
  await readSession();
}

let isChecking = false;

/**
 * Asks for a key again if the session is over. A 401 from another call does not prove that the session is over, because
 * some calls need more than a session.
 */
export async function checkSession(): Promise<void> {
  if (isChecking || session.get().kind !== "in") return;
  isChecking = true;
  try {
    await readSession(new Error("The session has ended. Sign in to continue where you were."));
  } catch {
    // Any other fault is shown by the call that was refused.
  } finally {
    isChecking = false;
  }
}

export async function signOut(): Promise<void> {
  await vigil.account.signOut();
  session.set({ kind: "out" });
}
