import { type Command, InvalidArgumentError } from "commander";
import { bodyStore } from "../database/bodies.js";
import { systemClock } from "../kit/clock.js";
import { markedCut } from "../kit/cut-text.js";
import { LoopTurns } from "../kit/loop-turns.js";
import { table } from "../kit/text-table.js";
import { type GenerationDiff, generationDiff, type RowDiff } from "../snapshots/changes/generation-diff.js";
import { snapshotStore } from "../snapshots/store.js";
import { changesText } from "./shared/changes-text.js";
import { datasetNamed } from "./shared/dataset-named.js";
import { generationIn } from "./shared/generation-argument.js";
import { helpText } from "./shared/help-text.js";
import { keptGeneration, unreadableBody } from "./shared/kept-generation.js";
import { onStore } from "./shared/on-store.js";
import { say } from "./shared/output.js";
import { startUp } from "./shared/start-up.js";
import { DEMO, type StoreChoice } from "./shared/store-choice.js";

const ROWS_MAX = 1_000;
const ROWS_DEFAULT = 50;

const HELP = helpText({
  examples: [["vigil diff us-cpi 3 4"], ["vigil diff earthquakes 10 12 --rows 1000 --json"]],
  remarks: "A long key or content is cut and ends with …; --json prints whole rows.",
  exitCodes: "0 listed, whether or not rows differ; 1 refused, or a generation is no longer kept",
});

/** Adds `vigil diff`. */
export function addDiff(root: Command, run: typeof diff = diff): void {
  root
    .command("diff")
    .description("list the rows that differ between two kept generations of a dataset")
    .argument("<dataset>", "name as listed by `vigil datasets`")
    .argument("<from>", "number of a generation, as listed by `vigil history`", generationIn)
    .argument("<to>", "number of another generation", generationIn)
    .option("--rows <count>", `maximum number of rows to list, up to ${ROWS_MAX}`, rowsIn, ROWS_DEFAULT)
    .option("--json", "as JSON")
    .option(...DEMO)
    .addHelpText("after", HELP)
    .action((dataset: string, from: number, to: number, options: DiffOptions) => run(dataset, { from, to }, options));
}

interface DiffOptions extends StoreChoice {
  readonly rows: number;
  readonly json?: boolean;
}

function rowsIn(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text) && Number(text) <= ROWS_MAX) return Number(text);
  throw new InvalidArgumentError(`the number of rows must be a whole number from 1 to ${ROWS_MAX}`);
}

/** Compares two generations of a dataset in the store, whether or not a service runs on the store. */
async function diff(
  name: string,
  numbers: { readonly from: number; readonly to: number },
  { json, rows: rowsMax, ...choice }: DiffOptions,
): Promise<void> {
  const { config, services } = await startUp();
  const dataset = datasetNamed(services.allDatasets, name);
  const differences = await onStore(config, choice, async ({ database, dataDir }) => {
    const turns = new LoopTurns();
    const store = snapshotStore(database, bodyStore(database, dataDir, systemClock), turns);
    const from = await keptGeneration(store, name, numbers.from);
    const to = await keptGeneration(store, name, numbers.to);
    return generationDiff(store, dataset, { from, to }, { rowsMax, turns }).catch(unreadableBody);
  });
  const document = { dataset: name, ...numbers, ...differences };
  say(json ? JSON.stringify(document, null, 2) : diffText(name, numbers, differences));
}

/** Formats the counts of changed rows in one line, followed by a table of these rows up to the limit. */
export function diffText(
  dataset: string,
  { from, to }: { readonly from: number; readonly to: number },
  { counts, rows, hiddenRows }: GenerationDiff,
): string {
  const title = `${dataset}, generation ${from} to ${to}: ${changesText(counts) || "no rows differ"}`;
  if (rows.length === 0) return title;
  const listed = table(
    ["part", "change", "row", "content"],
    rows.map((row) => [row.part, row.kind, markedCut(row.key, KEY_CHARACTERS), contentText(row)]),
  );
  return [
    title,
    "",
    listed,
    ...(hiddenRows > 0 ? [`rows not listed: ${hiddenRows}; --rows lists up to ${ROWS_MAX}`] : []),
  ].join("\n");
}

const KEY_CHARACTERS = 60;
const CONTENT_CHARACTERS = 160;

/**
 * Formats the changed members of a row with their old and new values. An added or removed row is formatted as a whole.
 */
function contentText({ kind, before, after, members }: RowDiff): string {
  const text =
    members.length > 0
      ? members.map((member) => `${member.name} ${valueText(member.before)} -> ${valueText(member.after)}`).join(", ")
      : valueText(kind === "removed" ? before : after);
  return markedCut(text, CONTENT_CHARACTERS);
}

function valueText(value: unknown): string {
  return value === undefined ? "(none)" : JSON.stringify(value);
}
