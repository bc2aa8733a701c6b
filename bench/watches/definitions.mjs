// The watches that watches.mjs creates and measures. They use every trigger, and most of their conditions differ.

/** Returns watch number `index` of a list. */
export function definitionOf(list, index) {
  const { rows, number, angle, queries } = list;
  const query = queries[index % queries.length];
  const make = kinds[Math.floor(index / queries.length) % kinds.length];
  const name = `${list.dataset} ${index}`;
  const call = query === "" ? list.path : `${list.path}?${query}`;
  // Selects the few rows whose `angle` lies in a narrow band; each watch uses another band.
  const from = ((index * 37) % 17_900) / 100 - 90;
  const band = `${rows}[?${angle} >= \`${from}\` && ${angle} < \`${(from + 0.1).toFixed(2)}\`]`;
  return { name, call, ...make({ rows, number, band, index }) };
}

const kinds = [
  ({ band }) => ({ on: "WATCH_ON_NEW_ROWS", condition: band }),
  () => ({ on: "WATCH_ON_NEW_ROWS" }),
  ({ band }) => ({ on: "WATCH_ON_CHANGED", condition: band, identity: "id" }),
  ({ rows, number, index }) => ({
    on: "WATCH_ON_BECOMES_TRUE",
    condition: `${rows}[?${number} > \`${1_000 + index}\`]`,
  }),
  ({ rows, number, index }) => ({
    on: "WATCH_ON_THRESHOLD_CROSSED",
    condition: `max(${rows}[].${number})`,
    threshold: { above: 20 + (index % 50) },
  }),
  () => ({ on: "WATCH_ON_CHANGED" }),
  ({ rows, number, index }) => ({
    on: "WATCH_ON_THRESHOLD_CROSSED",
    condition: `length(${rows}[?${number} > \`${index % 100}\`])`,
    threshold: { above: 1_000_000 },
  }),
  ({ band }) => ({ on: "WATCH_ON_NEW_ROWS", condition: `${band}.{id: id, name: name}`, identity: "id" }),
  ({ rows }) => ({ on: "WATCH_ON_CHANGED", condition: `${rows}[:20]` }),
  () => ({ on: "WATCH_ON_STATE_CHANGES" }),
];
