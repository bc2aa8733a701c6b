// Writes the parts of docs/ that follow from the declarations; with --check only says which of them are not current.
import { readFileSync, writeFileSync } from "node:fs";
import { settings } from "../dist/app/config.js";
import { openApiDocument } from "../dist/contract/openapi.js";
import { accountPaths } from "../dist/http/account/account-routes.js";
import { exampleBodies } from "../dist/http/platform/demo-answers.js";
import { CONTRACT_VERSION } from "../dist/http/platform/facts.js";
import { platformPaths } from "../dist/http/platform/routes.js";
import { wireName } from "../dist/http/query.js";
import { declaredActions } from "../dist/http/service-actions.js";
import { loadServices } from "../dist/services/registry.js";
import { demoAnswers } from "./demo-answers.mjs";

const services = await loadServices();
const { operations, allDatasets, sources, settings: ofServices } = services;
/** Of datasets that differ only in what they are asked for, the first. */
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
  return `# Settings

Every setting is a name in the environment, or in a \`vigil.config.json\` in the working folder (another file with
\`VIGIL_CONFIG\`). The environment wins. A value that cannot be used stops the start with a sentence that names it.

${table(["name", "default", "what it does"], rows)}

## Keys of upstreams

None is required. Without its key a source is \`unconfigured\`, and \`/api/health\` names the variable.

${table(["name", "source", "what it turns on"], keys)}

## On the command line

\`VIGIL_URL\` and \`VIGIL_KEY\` are the service and key that \`vigil datasets\` calls.
`;
}

/** The limits of a dataset's parts, equal ones together. */
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

function datasetsPage() {
  const sections = datasets.map((dataset) => {
    const readers = operations.filter(({ operation }) => Object.values(operation.reads).includes(dataset));
    const used = [...new Set(Object.values(dataset.parts).flatMap((part) => part.sources))];
    const { name, title, description } = dataset.family ?? dataset;
    return `## ${title}

\`${name}\`. ${description}

- Served by ${readers.map(({ path }) => `\`${path}\``).join(", ")}
- Built every ${dataset.cadenceMs / 3_600_000} h; stale after ${dataset.staleAfterMs / 3_600_000} h without confirmation${
      dataset.contentAgeMaxMs
        ? `, or when its newest observation is older than ${dataset.contentAgeMaxMs / 86_400_000} days`
        : ""
    }
- Limits to the age of the newest observation, by part: ${ageLimits(dataset)}
- Published only with ${dataset.gateRule}
${dataset.gaps.map((gap) => `- ${gap}`).join("\n")}

${sourceTable(used)}`;
  });
  const stored = new Set(datasets.flatMap(({ parts }) => Object.values(parts).flatMap((part) => part.sources)));
  const onDemand = sources.filter((source) => !stored.has(source));
  return `# Datasets

The column \`seen\` states the evidence behind each decoder. \`recorded\`: the decoder was run on a real payload of this
upstream. \`described\`: the decoder follows the publisher's documentation, and no real payload was available.
\`vigil doctor --sources\` asks every configured upstream once and tells what the decoders make of the answers.

A part whose newest observation is older than its limit makes the dataset \`partial\`, and \`stale\` where no part with a
limit is younger. Health and the card of the dataset name the part, its newest observation and its limit.

${sections.join("\n\n")}

## Asked on demand

These sources are asked when a request needs them. Their answers are cached and not stored.

${sourceTable(onDemand)}
`;
}

const platform = [...platformPaths, ...accountPaths];
const actions = declaredActions();
const answers = await demoAnswers(services);
const examples = exampleBodies(answers);
const openapi = openApiDocument({
  groups: services.groups,
  operations,
  actions,
  platform,
  version: CONTRACT_VERSION,
  wireName,
  examples,
});
const pages = {
  "settings.md": settingsPage(),
  "datasets.md": datasetsPage(),
  "examples.json": `${JSON.stringify(answers, null, 2)}\n`,
  "openapi.json": `${JSON.stringify(openapi, null, 2)}\n`,
};

const stale = [];
for (const [name, text] of Object.entries(pages)) {
  const file = new URL(`../docs/${name}`, import.meta.url);
  if (!process.argv.includes("--check")) writeFileSync(file, text);
  else if (readFileSync(file, "utf8") !== text) stale.push(name);
}
if (stale.length > 0) {
  process.stderr.write(`not current: docs/${stale.join(", docs/")}; run npm run docs\n`);
  process.exitCode = 1;
}
