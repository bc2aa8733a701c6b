import type { PlatformPath } from "../../contract/openapi.js";
import type { RegisteredOperation } from "../../contract/operation.js";
import { firstCallOf, type RegisteredGroup } from "../../contract/service-group.js";
import { escaped } from "../../kit/escaped-html.js";
import { type Answer, type Exchange, jsonAnswer } from "../exchange.js";
import { page } from "./page.js";

interface StartPageParts {
  readonly groups: readonly RegisteredGroup[];
  readonly operations: readonly RegisteredOperation[];
  readonly version: string;
  readonly simulated: boolean;
  readonly paths: readonly Pick<PlatformPath, "path" | "summary" | "isOpen">[];
}

const introduction = (subjects: string, firstCall: string): string => `<h1>Vigil</h1>
<p>Public monitoring data over one read-mostly REST API: ${escaped(subjects)}. Every answer comes from versioned snapshots and states how complete and fresh its data is.</p>
<ul>
<li><a href="/docs">API reference</a>: every operation with its parameters, limits and a real answer</li>
<li><a href="/openapi.json">OpenAPI document</a>, and <a href="/llms.txt">one page for agents</a></li>
<li><a href="/docs/datasets">Datasets</a>: sources, licences, cadence and known gaps</li>
<li><a href="/sign-in">Sign in</a> with an API key, or with the one-time link that the first start prints</li>
</ul>
<h2 id="first-call">A first call</h2>
<p>Send a key as <code>X-Service-Key</code>. The first start writes the owner's key to <code>owner.key</code> in the data
folder. <a href="/docs/access">Access</a> tells how to make more.</p>
<pre><code>curl -H "X-Service-Key: $(cat data/owner.key)" \\
  "$VIGIL_URL${firstCall}"</code></pre>
<h2 id="paths">Paths beside the operations</h2>
`;

/** Answers `/`: a page for browsers, the addresses of the documents for programs. */
export function startPage({
  version,
  simulated,
  groups,
  operations,
  paths,
}: StartPageParts): (exchange: Exchange) => Answer {
  const rows = paths.map(
    ({ path, summary, isOpen }) =>
      `<tr><td><a href="${path}"><code>${path}</code></a></td><td>${escaped(summary)}</td><td>${isOpen ? "" : "key"}</td></tr>`,
  );
  const table = `<div class="table"><table><thead><tr><th>Path</th><th></th><th>Needs</th></tr></thead><tbody>${rows.join("\n")}</tbody></table></div>`;
  const html = page({
    path: "/",
    title: "Vigil",
    main: `${introduction(subjectsOf(groups, operations), firstCallOf(groups))}${table}`,
    simulated,
  });
  const documents = jsonAnswer(
    200,
    {
      name: "vigil",
      version,
      ...(simulated && { simulated }),
      forAgents: "/llms.txt",
      mcp: "/mcp",
      openapi: "/openapi.json",
      reference: "/docs",
      apiCatalog: "/.well-known/api-catalog",
      health: "/api/health?compact=1",
      signIn: "/sign-in",
    },
    { "Cache-Control": "no-cache", Vary: "Accept, Origin" },
  );
  const browser = { ...html, headers: { ...html.headers, Vary: "Accept, Origin" } };
  return ({ call }) => (call.header("accept")?.includes("text/html") ? browser : documents);
}

/** The names of the groups with operations, as the end of a sentence. */
function subjectsOf(groups: readonly RegisteredGroup[], operations: readonly RegisteredOperation[]): string {
  const served = new Set(operations.map(({ service }) => service));
  const names = groups.filter(({ service }) => served.has(service)).map(({ name }) => name.toLowerCase());
  return new Intl.ListFormat("en-GB").format(names);
}
