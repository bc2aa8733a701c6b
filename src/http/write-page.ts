import type { Failure } from "../contract/failures.js";
import type { AnyWrite, WritePage } from "../contract/write.js";
import { escaped } from "../kit/escaped-html.js";
import type { Answer, Exchange } from "./exchange.js";
import { failureAnswer } from "./failure-answer.js";

/**
 * No site can show a page in a frame, and the form of a page can be sent only to this service. The address of a page
 * contains a token, so other sites must not receive the address as the referrer. `no-referrer` is too strict: it would
 * also hide the form's origin, and the service checks that origin.
 */
const headers: Readonly<Record<string, string>> = {
  "Content-Type": "text/html; charset=utf-8",
  "Cache-Control": "no-store",
  "Content-Security-Policy":
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
  "X-Robots-Tag": "noindex",
};

/**
 * The page with the button that sends the POST. It is the same for every token and does not read the store, because
 * email scanners open it too.
 */
export function questionPage(exchange: Exchange, page: WritePage): Answer {
  const form = `<form method="post"><button>${escaped(page.button)}</button></form>`;
  return pageAnswer(exchange, 200, page, `<p>${escaped(page.question)}</p>\n  ${form}`);
}

/** The answer to a successful POST. It is a page if a browser called a write that has a page. */
export function donePage(exchange: Exchange, { page }: AnyWrite, answer: Answer): Answer {
  return page && isBrowser(exchange) ? pageAnswer(exchange, 200, page, `<p>${escaped(page.done)}</p>`) : answer;
}

/** The answer to a failed call. It is a page if a browser called a write that has a page. */
export function failedPage(exchange: Exchange, failed: Failure): Answer {
  const answer = failureAnswer(failed, exchange);
  const page = exchange.route?.kind === "write" ? exchange.route.registered.write.page : undefined;
  if (!page || !isBrowser(exchange)) return answer;
  const sentence =
    failed.status === 404 || failed.status === 400 ? page.refused : "Something went wrong. Try again later.";
  const shown = pageAnswer(exchange, failed.status, page, `<p>${escaped(sentence)}</p>`);
  return { ...shown, headers: { ...failed.headers, ...shown.headers } };
}

function isBrowser({ call }: Exchange): boolean {
  return /\btext\/html\b/i.test(call.header("accept") ?? "");
}

function pageAnswer({ cors }: Exchange, status: number, { title }: WritePage, main: string): Answer {
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Vigil: ${escaped(title)}</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  main { max-width: 28rem; margin: 12vh auto; padding: 0 1rem; }
  button { font: inherit; padding: 0.5rem 0.75rem; }
</style>
<main>
  <h1>${escaped(title)}</h1>
  ${main}
</main>
</html>
`;
  return { status, headers: { ...cors, Vary: "Accept, Origin", ...headers }, body };
}
