// docs/sources.md: every upstream feed.
import { withoutFamilies } from "./datasets-page.mjs";
import { anchor, lasting, table } from "./markdown.mjs";

export function sourcesPage({ sources, allDatasets }) {
  const datasets = withoutFamilies(allDatasets).filter(({ kind }) => kind !== "product");
  const rows = sources.map((source) => {
    const users = datasets.filter(({ parts }) => Object.values(parts).some((part) => part.sources.includes(source)));
    const { id, title, home, seen, unseen, licence, credentials, budgets = [] } = source;
    return [
      `[${title}](${home}), \`${id}\``,
      users.map(datasetLink).join(", ") || "read on demand",
      [...new Set(users.map(({ cadenceMs }) => lasting(cadenceMs)))].join(", ") || "when requested",
      keysOf(credentials, budgets),
      `${licence.url ? `[${licence.name}](${licence.url})` : licence.name}${licence.open ? "" : " (not with `VIGIL_LICENCE_MODE=open`)"}`,
      licence.attribution ?? "",
      unseen ? `${seen}, except ${unseen}` : seen,
    ];
  });
  return `# Sources

Every upstream feed in one table: the dataset that it is part of, how often it is read, the key that it needs, and its
licence. A source without its key is \`unconfigured\` and stays off, unless its upstream also answers without a key. The
column \`seen\` is explained in [datasets](datasets.md). Show the attribution wherever you show the data.

${table(["source", "dataset", "read every", "key", "licence", "attribution", "seen"], rows)}
`;
}

function datasetLink({ name, title, family }) {
  const shown = family ?? { name, title };
  return `[\`${shown.name}\`](datasets.md#${anchor(shown.title)})`;
}

function keysOf(credentials, budgets) {
  const keys = credentials.map(({ variable }) => `\`${variable}\``).join(", ") || "none";
  return budgets.length > 0
    ? `${keys}; each call counts towards the budget${budgets.length > 1 ? "s" : ""} ${budgets.map((name) => `\`${name}\``).join(" and ")}`
    : keys;
}
