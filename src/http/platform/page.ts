import { createHash } from "node:crypto";
import { escaped } from "../../kit/escaped-html.js";
import type { Answer } from "../exchange.js";
import { PAGE_STYLE } from "./page-style.js";

const styleHash = createHash("sha256").update(PAGE_STYLE).digest("base64");

const links: readonly (readonly [path: string, name: string])[] = [
  ["/", "Vigil"],
  ["/docs/guide", "Documents"],
  ["/docs", "API reference"],
  ["/docs/datasets", "Datasets"],
  ["/sign-in", "Sign in"],
];

/**
 * Headers that prevent a page from loading external resources and from being framed. Forms may be sent to this service.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  "Content-Type": "text/html; charset=utf-8",
  "Cache-Control": "no-cache",
  "Content-Security-Policy": `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

export interface PageContent {
  readonly path: string;
  readonly title: string;
  readonly description?: string;
  /** HTML of the main part. */
  readonly main: string;
  /**
   * HTML of the column before the main part, with an element whose id is `all-pages`; on narrow screens, the column
   * comes last.
   */
  readonly side?: string;
  /** HTML of the column after the main part, hidden on narrow screens. */
  readonly after?: string;
  /** True if the data comes from the built-in simulator. */
  readonly simulated: boolean;
}

/** Renders a page in the service's layout, without scripts. */
export function page({ path, title, description = "", main, side = "", after = "", simulated }: PageContent): Answer {
  const nav = links.map(([to, name]) => `<a href="${to}"${to === path ? ' aria-current="page"' : ""}>${name}</a>`);
  const menu = side && '<a class="menu" href="#all-pages">All pages</a>';
  const banner = simulated ? '<div class="banner">Demo: all data on this instance is simulated.</div>' : "";
  return {
    status: 200,
    headers: pageHeaders,
    body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${description && `<meta name="description" content="${escaped(description)}">\n`}<title>${escaped(title)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header>${banner}<nav aria-label="Site">${nav.join("")}${menu}</nav></header>
<div class="columns${side && " wide"}">
${side && `<div class="side">${side}</div>\n`}<main id="main">
${main}
</main>
${after}</div>
</body>
</html>
`,
  };
}
