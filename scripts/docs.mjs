// Generates the parts of docs/ and of src/sdk/ that follow from the declarations. With --check, only reports the outdated ones.
import { readFileSync, writeFileSync } from "node:fs";
import { settings } from "../dist/app/config.js";
import { mcpPath } from "../dist/app/mcp.js";
import { openApiDocument } from "../dist/contract/openapi.js";
import { isMadeOf } from "../dist/contract/product.js";
import { accountPaths } from "../dist/http/account/account-routes.js";
import { exampleBodies } from "../dist/http/platform/demo-answers.js";
import { CONTRACT_VERSION } from "../dist/http/platform/facts.js";
import { platformPaths } from "../dist/http/platform/routes.js";
import { wireName } from "../dist/http/query.js";
import { loadServices } from "../dist/services/registry.js";
import { demoAnswers } from "./demo-answers.mjs";
import { sdkFiles } from "./sdk.mjs";

const services = await loadServices();
const { operations, accountReads, writes, allDatasets, sources, settings: ofServices } = services;
/** The datasets, with only the first of each family. */
const datasets = allDatasets.filter(
  ({ family }, index) => !family || allDatasets.findIndex((other) => other.family?.name === family.name) === index,
);
const cell = (text) => String(text).replaceAll("|", "\\|");
const table = (header, rows) =>
  [header, header.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n");

function settingsPage() {
  const rows = [...Object.values(settings), ...ofServices].map(({ name, default: fallback, unit, description }) => [
    `\`${name}\``,
    fallback === "" ? "" : `\`${fallback}\`${unit ? ` ${unit}` : ""}`,
    description,
  ]);
  const keys = sources.flatMap(({ title, credentials }) =>
    credentials.map(({ variable, description }) => [`\`${variable}\``, title, description]),
  );
  const pathLimits = writes.flatMap(({ path, write: { limit } }) =>
    limit ? [[`\`${limit.name}\``, limit.callsMax, `\`${path}\``]] : [],
  );
  return `# Settings

Every setting is a variable in the environment, or a member of \`vigil.config.json\` in the working folder (\`VIGIL_CONFIG\`
selects another file). The environment takes precedence. An invalid value stops the start with an error that names the
setting.

${table(["name", "default", "description"], rows)}

## Keys of upstreams

None is required. Without its key, a source is \`unconfigured\`, and \`/api/health\` names the variable.

${table(["name", "source", "description"], keys)}

## Limits of single paths

Calls in 60 s for each account, or for each address without one. \`VIGIL_LIMITS\` changes them by name.

${table(["name", "default", "path"], pathLimits)}

## On the command line

\`vigil datasets\` and \`vigil history\` call the service at \`VIGIL_URL\` with the key \`VIGIL_KEY\`.
`;
}

/** The age limits of a dataset's parts, with parts of equal limits grouped. */
function ageLimits({ parts, partAges }) {
  const byLimit = new Map();
  for (const name of Object.keys(parts)) {
    const age = partAges[name];
    const days = age.maxMs / 86_400_000;
    const limit = age.agelessBecause
      ? `none (${age.agelessBecause})`
      : `${days < 1 ? `${days * 24} hours` : `${days} days`}${age.coversMs ? " from the end of the year" : ""}`;
    byLimit.set(limit, [...(byLimit.get(limit) ?? []), `\`${name}\``]);
  }
  return [...byLimit].map(([limit, names]) => `${names.join(", ")} ${limit}`).join("; ");
}

function sourceTable(used) {
  const rows = used.map(({ title, home, seen, unseen, licence, credentials }) => [
    `[${title}](${home})`,
    unseen ? `${seen}, except ${unseen}` : seen,
    licence.url ? `[${licence.name}](${licence.url})` : licence.name,
    licence.attribution ?? "",
    credentials.map(({ variable }) => `\`${variable}\``).join(", ") || "none",
  ]);
  return table(["source", "seen", "licence", "attribution", "key"], rows);
}

/** The sources of a collection; a product names its ingredients instead. */
function sourcesOf({ kind, parts }) {
  return kind === "product" ? [] : [...new Set(Object.values(parts).flatMap((part) => part.sources))];
}

function madeOf({ kind, reads, optionalReads = {}, onChange }) {
  if (kind !== "product") return "";
  const names = [
    ...Object.values(reads).map(({ name }) => `\`${name}\``),
    ...Object.values(optionalReads).map(({ name }) => `\`${name}\` (if available)`),
  ];
  const spacing = onChange?.spacingMs ? `, at most every ${onChange.spacingMs / 60_000} minutes` : "";
  return `- A product of ${names.join(", ")}${onChange ? `, built when one of them changes${spacing}` : ""}\n`;
}

/** Formats a duration in minutes below an hour, otherwise in hours. */
function lasting(ms) {
  return ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`;
}

function datasetsPage() {
  const sections = datasets.map((dataset) => {
    const readers = operations.filter(({ operation }) =>
      Object.values(operation.reads).some((read) => isMadeOf(read, dataset)),
    );
    const used = sourcesOf(dataset);
    const { name, title, description } = dataset.family ?? dataset;
    return `## ${title}

\`${name}\`. ${description}

- Served by ${readers.map(({ path }) => `\`${path}\``).join(", ")}
${madeOf(dataset)}- Built every ${lasting(dataset.cadenceMs)}; stale after ${lasting(dataset.staleAfterMs)} without confirmation${
      dataset.contentAgeMaxMs
        ? `, or when its newest observation is older than ${dataset.contentAgeMaxMs / 86_400_000} days`
        : ""
    }
- Limits to the age of the newest observation, by part: ${ageLimits(dataset)}
- Published only with ${dataset.gateRule}
${dataset.gaps.map((gap) => `- ${gap}`).join("\n")}

${used.length > 0 ? sourceTable(used) : ""}`.trimEnd();
  });
  const stored = new Set(datasets.flatMap(sourcesOf));
  const onDemand = sources.filter((source) => !stored.has(source));
  return `# Datasets

The column \`seen\` states the evidence behind each decoder. \`recorded\`: the decoder was run on a real payload of this
upstream. \`described\`: the decoder follows the publisher's documentation, and no real payload was available.
\`vigil doctor --sources\` requests every configured upstream once and reports the results of the decoders.

A dataset is \`partial\` when the newest observation of a part is older than the part's limit, and \`stale\` when that is true
of all parts with a limit. Health and the card of the dataset name the part, its newest observation and its limit.

${sections.join("\n\n")}

## On-demand sources

These sources are read when a request needs them. Their answers are cached and not stored.

${sourceTable(onDemand)}
`;
}

const platform = [...platformPaths, ...accountPaths, mcpPath];
const answers = await demoAnswers(services);
const examples = exampleBodies(answers);
const openapi = openApiDocument({
  groups: services.groups,
  operations,
  accountReads,
  streams: services.streams,
  linkedFeeds: services.linkedFeeds,
  writes,
  platform,
  version: CONTRACT_VERSION,
  wireName,
  examples,
});
const generated = Object.entries(sdkFiles(openapi)).map(([name, text]) => [`src/sdk/generated/${name}`, text]);
const files = {
  "docs/settings.md": settingsPage(),
  "docs/datasets.md": datasetsPage(),
  "docs/examples.json": `${JSON.stringify(answers, null, 2)}\n`,
  "docs/openapi.json": `${JSON.stringify(openapi, null, 2)}\n`,
  ...Object.fromEntries(generated),
};

const stale = [];
for (const [name, text] of Object.entries(files)) {
  const file = new URL(`../${name}`, import.meta.url);
  if (!process.argv.includes("--check")) writeFileSync(file, text);
  else if (readFileSync(file, "utf8") !== text) stale.push(name);
}
if (stale.length > 0) {
  process.stderr.write(`not current: ${stale.join(", ")}; run npm run docs\n`);
  process.exitCode = 1;
}
