import { createHash } from "node:crypto";
import { escaped } from "../../kit/escaped-html.js";
import type { Answer } from "../exchange.js";

const STYLE = `
:root { color-scheme: light dark; --line: #8883; --soft: #8881; --link: light-dark(#0b57d0, #8ab4f8); }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif; }
header { border-bottom: 1px solid var(--line); }
nav { max-width: 60rem; margin: 0 auto; padding: 0.75rem 1rem; display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; }
nav a:first-child { font-weight: 700; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem 1rem 4rem; }
a { color: var(--link); }
nav a { text-decoration: none; }
nav a[aria-current] { text-decoration: underline; }
h1 { line-height: 1.2; margin: 1rem 0; }
h2 { line-height: 1.3; margin: 2.25rem 0 0.75rem; padding-top: 0.5rem; border-top: 1px solid var(--line); }
code { font: 0.88em ui-monospace, monospace; background: var(--soft); padding: 0.1em 0.3em; border-radius: 4px; overflow-wrap: anywhere; }
pre { background: var(--soft); padding: 0.9rem 1rem; border-radius: 8px; overflow-x: auto; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
.table { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; min-width: 100%; font-size: 0.93em; }
th, td { text-align: left; vertical-align: top; padding: 0.45rem 0.75rem 0.45rem 0; border-bottom: 1px solid var(--line); }
td:first-child code { white-space: nowrap; overflow-wrap: normal; }
.banner { background: #b26a00; color: #fff; text-align: center; padding: 0.35rem 1rem; }
`;

const styleHash = createHash("sha256").update(STYLE).digest("base64");

const links: readonly (readonly [path: string, name: string])[] = [
  ["/", "Vigil"],
  ["/docs", "API reference"],
  ["/docs/access", "Access"],
  ["/docs/datasets", "Datasets"],
  ["/docs/settings", "Settings"],
  ["/docs/versioning", "Versioning"],
  ["/sign-in", "Sign in"],
];

/** Headers that forbid a page to load external resources or to be framed. */
export const pageHeaders: Readonly<Record<string, string>> = {
  "Content-Type": "text/html; charset=utf-8",
  "Cache-Control": "no-cache",
  "Content-Security-Policy": `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

export interface PageContent {
  readonly path: string;
  readonly title: string;
  /** HTML of the main part. */
  readonly main: string;
  /** True if the data comes from the built-in simulator. */
  readonly simulated: boolean;
}

/** Renders a page in the service's layout, without scripts. */
export function page({ path, title, main, simulated }: PageContent): Answer {
  const nav = links.map(([to, name]) => `<a href="${to}"${to === path ? ' aria-current="page"' : ""}>${name}</a>`);
  const banner = simulated ? '<div class="banner">Demo: all data on this instance is simulated.</div>\n' : "";
  return {
    status: 200,
    headers: pageHeaders,
    body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${banner}<header><nav>${nav.join("")}</nav></header>
<main>
${main}
</main>
</body>
</html>
`,
  };
}
