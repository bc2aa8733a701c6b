import { readFile } from "node:fs/promises";
import type { Answer } from "../exchange.js";

/** Where the versioning policy can be read; deprecated operations link to it. */
export const POLICY_PATH = "/docs/versioning";

const POLICY_FILE = new URL("../../../docs/versioning.md", import.meta.url);

/** The versioning policy, word for word as it stands in the documents. */
export async function policyPage(): Promise<Answer> {
  const text = await readFile(POLICY_FILE, "utf8");
  const [title = ""] = text.split("\n");
  return {
    status: 200,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "public, max-age=3600",
      "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    },
    body: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Vigil: ${escaped(title.replace(/^#\s*/, ""))}</title>
<style>
  :root { color-scheme: light dark; }
  pre { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; white-space: pre-wrap; font: 15px/1.55 ui-monospace, monospace; }
</style>
<pre>${escaped(text)}</pre>
</html>
`,
  };
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
