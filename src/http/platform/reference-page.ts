import { existsSync, readFileSync } from "node:fs";
import { ownFile } from "../../kit/own-file.js";
import type { Answer } from "../exchange.js";

/** The reference page and its script, served by this process without external resources. */
export interface ReferencePage {
  page(): Answer;
  script(): Answer;
}

/** Address of the page's script. */
export const REFERENCE_SCRIPT_PATH = "/docs/js/scalar.js";

/** The script copied by the build. */
const SCRIPT_FILE = ownFile("../dist/reference/scalar.js");

const options = {
  url: "/openapi.json",
  pageTitle: "Vigil API reference",
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
};

/** The page. It has no inline script, so that a strict content security policy applies. */
const page = `<!doctype html>
<html lang="en">
  <head>
    <title>Vigil API reference</title>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
  </head>
  <body>
    <noscript>This page needs JavaScript. <a href="/openapi.json">/openapi.json</a> has the same content.</noscript>
    <script id="api-reference" type="application/json" data-configuration="${attribute(options)}"></script>
    <script src="${REFERENCE_SCRIPT_PATH}"></script>
  </body>
</html>
`;

const unbuilt = `<!doctype html>
<html lang="en">
  <head><title>Vigil API reference</title><meta charset="utf-8"></head>
  <body>
    <p>The reference was not built: run <code>npm ci</code> and <code>npm run build</code>.
    <a href="/openapi.json">/openapi.json</a> has the same content.</p>
  </body>
</html>
`;

/**
 * Headers of the page. They allow scripts, fonts, images and requests only from this service, allow inline styles, and
 * forbid forms and framing.
 */
const pageHeaders = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
};

/** Reads the script at first use, because only this page needs its megabytes. */
export function referencePage(): ReferencePage {
  let body: Buffer | undefined;
  const answer = (status: number, contentType: string, content: string | Buffer): Answer => ({
    status,
    headers: { "Content-Type": `${contentType}; charset=utf-8`, "Cache-Control": "no-cache" },
    body: content,
  });
  return {
    page() {
      const { headers, ...others } = answer(200, "text/html", existsSync(SCRIPT_FILE) ? page : unbuilt);
      return { ...others, headers: { ...headers, ...pageHeaders } };
    },
    script() {
      if (body === undefined && !existsSync(SCRIPT_FILE)) {
        return answer(404, "text/javascript", "// Not built: npm ci && npm run build\n");
      }
      body ??= readFileSync(SCRIPT_FILE);
      return answer(200, "text/javascript", body);
    },
  };
}

function attribute(value: object): string {
  return JSON.stringify(value).replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
