// Generates the files in docs/, src/sdk/ and clients/ that follow from the declarations. With --check, writes nothing
// and reports the outdated files.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mcpPath } from "../dist/app/mcp.js";
import { openApiDocument } from "../dist/contract/openapi.js";
import { accountPaths } from "../dist/http/account/account-routes.js";
import { documentTopics } from "../dist/http/documents/document-list.js";
import { exampleBodies } from "../dist/http/platform/demo-answers.js";
import { CONTRACT_VERSION } from "../dist/http/platform/facts.js";
import { platformPaths } from "../dist/http/platform/routes.js";
import { wireName } from "../dist/http/query.js";
import { loadServices } from "../dist/services/registry.js";
import { demoAnswers } from "./demo-answers.mjs";
import { datasetsPage } from "./docs/datasets-page.mjs";
import { errorsPage } from "./docs/errors-page.mjs";
import { guidePage } from "./docs/guide-page.mjs";
import { headersPage } from "./docs/headers-page.mjs";
import { licencesPage } from "./docs/licences-page.mjs";
import { operationPages } from "./docs/operation-pages.mjs";
import { settingsPage } from "./docs/settings-page.mjs";
import { sourcesPage } from "./docs/sources-page.mjs";
import { pythonFiles } from "./python-client.mjs";
import { sdkFiles } from "./sdk.mjs";

const root = new URL("../", import.meta.url);
const folder = new URL("docs/", root);
const isCheck = process.argv.includes("--check");
const services = await loadServices();
const platform = [...platformPaths, ...accountPaths, mcpPath];
const answers = await demoAnswers(services);
const openapi = openApiDocument({
  ...services,
  platform,
  version: CONTRACT_VERSION,
  wireName,
  examples: exampleBodies(answers),
});
const PYTHON = "clients/python/src/vigil/_generated";
// A copy without the members that TypeBox adds to schemas. The served JSON lacks them too.
const document = JSON.parse(JSON.stringify(openapi));

const pages = {
  "settings.md": settingsPage(services),
  "datasets.md": datasetsPage(services),
  "sources.md": sourcesPage(services),
  "errors.md": errorsPage(),
  "headers.md": headersPage(),
  "licences.md": licencesPage(JSON.parse(readFileSync(new URL("package-lock.json", root), "utf8"))),
  ...operationPages(services, document, platform, answers),
};
// The index shows the first sentence of every page, generated ones included.
const textOf = (name) => pages[`${name}.md`] ?? readFileSync(new URL(`${name}.md`, folder), "utf8");
const files = {
  ...inFolder("docs", { ...pages, "guide.md": guidePage(documentTopics(), textOf) }),
  ...inFolder("docs", {
    "examples.json": `${JSON.stringify(answers, null, 2)}\n`,
    "openapi.json": `${JSON.stringify(openapi, null, 2)}\n`,
  }),
  ...inFolder("src/sdk/generated", sdkFiles(openapi)),
  ...inFolder(PYTHON, pythonFiles(document)),
};
const obsolete = ["docs/operations", "src/sdk/generated", PYTHON]
  .flatMap((name) => readdirSync(new URL(name, root), { withFileTypes: true }).map((entry) => ({ name, entry })))
  .filter(({ entry }) => entry.isFile())
  .map(({ name, entry }) => `${name}/${entry.name}`)
  .filter((file) => !(file in files));

const stale = isCheck ? [...obsolete, ...Object.keys(files).filter(isStale)] : [];
if (!isCheck) {
  for (const file of obsolete) rmSync(new URL(file, root));
  for (const [file, text] of Object.entries(files)) writeFileSync(new URL(file, root), text);
}
if (stale.length > 0) {
  process.stderr.write(`not current: ${stale.join(", ")}; run npm run docs\n`);
  process.exitCode = 1;
}

function inFolder(name, texts) {
  return Object.fromEntries(Object.entries(texts).map(([file, text]) => [`${name}/${file}`, text]));
}

function isStale(file) {
  const address = new URL(file, root);
  return !existsSync(address) || readFileSync(address, "utf8") !== files[file];
}
