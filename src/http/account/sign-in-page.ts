import { createHash } from "node:crypto";
import type { Answer } from "../exchange.js";

/** The secret of a one-time link follows the `#`, which browsers do not send. */
const SCRIPT = `
const state = document.querySelector("output");
const post = (path, body) => fetch("/api/account/v1/" + path, {
  method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
});
async function show() {
  const answer = await fetch("/api/account/v1/get-account");
  const isIn = answer.ok;
  document.querySelector("#in").hidden = !isIn;
  document.querySelector("#out").hidden = isIn;
  if (isIn) {
    const { account, plan } = await answer.json();
    state.textContent = "Signed in as " + account.name + " (plan " + plan + ").";
  }
}
async function signIn(secret) {
  const answer = await post("sign-in", secret);
  if (!answer.ok) state.textContent = (await answer.json()).error ?? "That did not work.";
  await show();
}
document.querySelector("form").addEventListener("submit", (event) => {
  event.preventDefault();
  signIn({ key: new FormData(event.target).get("key").trim() });
});
document.querySelector("#leave").addEventListener("click", async () => {
  await post("sign-out", {});
  state.textContent = "Signed out.";
  await show();
});
const link = location.hash.slice(1);
history.replaceState(null, "", location.pathname);
if (link) signIn({ link });
else show();
`;

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  main { max-width: 28rem; margin: 12vh auto; padding: 0 1rem; }
  input, button { font: inherit; padding: 0.5rem 0.75rem; }
  input { width: 100%; box-sizing: border-box; margin: 0.25rem 0 0.75rem; }
  output { display: block; min-height: 3rem; }
`;

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Vigil: sign in</title>
<style>${STYLE}</style>
<main>
  <h1>Vigil</h1>
  <output aria-live="polite"></output>
  <form id="out" hidden>
    <label>API key <input name="key" type="password" autocomplete="off" required maxlength="256"></label>
    <button>Sign in</button>
  </form>
  <p id="in" hidden><a href="/">Open the console</a> · <a href="/docs">API reference</a> · <button id="leave" type="button">Sign out</button></p>
</main>
<script>${SCRIPT}</script>
</html>
`;

/** Names an inline text in a content policy. */
const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const policy = [
  "default-src 'none'",
  `script-src ${hashOf(SCRIPT)}`,
  `style-src ${hashOf(STYLE)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** A standalone page without external resources. */
export function signInPage(): Answer {
  return {
    status: 200,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      "Content-Security-Policy": policy,
      "X-Frame-Options": "DENY",
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
    },
    body: PAGE,
  };
}
