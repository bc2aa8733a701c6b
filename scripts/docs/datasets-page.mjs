// docs/datasets.md: every dataset with its sources.
import { isMadeOf } from "../../dist/contract/product.js";
import { lasting, table } from "./markdown.mjs";

/** Returns the datasets, with only the first of each family. */
export function withoutFamilies(allDatasets) {
  return allDatasets.filter(
    ({ family }, index) => !family || allDatasets.findIndex((other) => other.family?.name === family.name) === index,
  );
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

/** Returns the sources of a collection. Empty for a product, whose section names its ingredients instead. */
function sourcesOf({ kind, parts }) {
  return kind === "product" ? [] : [...new Set(Object.values(parts).flatMap((part) => part.sources))];
}

function madeOf({ kind, reads, optionalReads = {}, onChange }) {
  if (kind !== "product") return "";
  const names = [
    ...Object.values(reads).map(({ name }) => `\`${name}\``),
    ...Object.values(optionalReads).map(({ name }) => `\`${name}\` (if available)`),
  ];
  const minutes = (onChange?.spacingMs ?? 0) / 60_000;
  const pace = minutes === 1 ? "a minute" : `every ${minutes} minutes`;
  const trigger = `, built when ${names.length === 1 ? "it" : "one of them"} changes`;
  const built = onChange ? trigger + (minutes > 0 ? `, at most once ${pace}` : "") : "";
  return `- A product of ${names.join(", ")}${built}\n`;
}

export function datasetsPage({ allDatasets, operations, sources }) {
  const datasets = withoutFamilies(allDatasets);
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
- Gate: ${dataset.gateRule}
${dataset.gaps.map((gap) => `- ${gap}`).join("\n")}

${used.length > 0 ? sourceTable(used) : ""}`.trimEnd();
  });
  const stored = new Set(datasets.flatMap(sourcesOf));
  const onDemand = sources.filter((source) => !stored.has(source));
  return `# Datasets

Every dataset with its sources. The column \`seen\` states the evidence behind each decoder. \`recorded\`: the decoder was
run on a real payload of this upstream. \`described\`: the decoder follows the publisher's documentation, and no real
payload was available. \`vigil doctor --sources\` sends the requests of every configured source once and reports the results of the
decoders.

A dataset is \`partial\` when the newest observation of a part is older than the part's limit, and \`stale\` when that is
true of all parts with a limit. A dataset is also \`stale\` when its data has not been confirmed for the time that its
section states. A successful read confirms the data, even if the data has not changed. Health and the card of the
dataset name the part, its newest observation and its limit. The gate is the condition that a build must meet to be
published.

${sections.join("\n\n")}

## On-demand sources

These sources are read when a request needs them. Their answers are cached and not stored.

${sourceTable(onDemand)}
`;
}
