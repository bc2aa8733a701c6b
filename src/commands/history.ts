import { type Command, InvalidArgumentError } from "commander";
import { table } from "../kit/text-table.js";
import type { ChangedRows } from "../snapshots/changes/row-changes.js";
import { changesText } from "./shared/changes-text.js";
import { datasetNamed } from "./shared/dataset-named.js";
import { helpText } from "./shared/help-text.js";
import { say } from "./shared/output.js";
import { runningService } from "./shared/running-service.js";
import { type ApiAddress, fetchJson } from "./shared/service-client.js";
import { startUp } from "./shared/start-up.js";
import type { StoreChoice } from "./shared/store-choice.js";

const ENTRIES_MAX = 500;
const ENTRIES_DEFAULT = 20;
const PAGE_SIZE_MAX = 50;

const HELP = helpText({
  examples: [
    ["vigil history us-cpi"],
    ["vigil history earthquakes --from 2026-11-01T00:00:00Z --entries 100"],
    ["vigil history us-cpi --json | jq '.entries[].generation'"],
  ],
  exitCodes: "0 listed; 1 refused, or no service",
});

/** Adds `vigil history`. */
export function addHistory(root: Command, run: typeof history = history): void {
  root
    .command("history")
    .description(
      "list the generations, failed runs and availability of a dataset of a running service (VIGIL_URL, VIGIL_KEY)",
    )
    .argument("<dataset>", "name as listed by `vigil datasets`")
    .option("--from <instant>", "start: ISO 8601 with an offset, or epoch ms (default: 30 days before the end)")
    .option("--to <instant>", "end (default: now)")
    .option("--entries <count>", `maximum number of entries to list, up to ${ENTRIES_MAX}`, entriesIn, ENTRIES_DEFAULT)
    .option("--json", "as JSON")
    .option("--demo", "use the key of the demo's store")
    .addHelpText("after", HELP)
    .action((dataset: string, options: HistoryOptions) => run(dataset, options));
}

interface HistoryOptions extends StoreChoice {
  readonly from?: string;
  readonly to?: string;
  readonly entries: number;
  readonly json?: boolean;
}

function entriesIn(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text) && Number(text) <= ENTRIES_MAX) return Number(text);
  throw new InvalidArgumentError(`the number of entries must be a whole number from 1 to ${ENTRIES_MAX}`);
}

/** The members of an entry that the table shows, as this version of the service serves them. */
export interface HistoryEntry {
  readonly kind: string;
  readonly at: number;
  readonly generation: number | null;
  readonly records?: Readonly<Record<string, number>>;
  readonly changes?: ChangedRows | null;
  readonly error?: string | null;
}

interface Day {
  readonly date: string;
  readonly availableRatio: number;
  readonly unknownRatio: number;
  readonly runs: number;
  readonly failures: number;
}

/** The history of a dataset, gathered from its pages. */
export interface GatheredHistory {
  readonly name: string;
  readonly availability: { readonly days: readonly Day[] };
  readonly entries: readonly HistoryEntry[];
  /** True if there are older entries. */
  readonly isCut: boolean;
}

interface Page {
  readonly availability?: GatheredHistory["availability"];
  readonly entries: readonly HistoryEntry[];
  readonly pagination: { readonly nextCursor: string };
}

async function history(dataset: string, { json, demo, ...range }: HistoryOptions): Promise<void> {
  const { config, services } = await startUp();
  datasetNamed(services.allDatasets, dataset);
  const service = runningService(config, demo ? { demo } : {});
  const gathered = await gatheredHistory(service, dataset, range);
  say(json ? JSON.stringify(gathered, null, 2) : historyText(gathered));
}

/** Reads pages until there are enough entries or no more pages. */
export async function gatheredHistory(
  service: ApiAddress,
  name: string,
  { from, to, entries: max }: Pick<HistoryOptions, "from" | "to" | "entries">,
): Promise<GatheredHistory> {
  const entries: HistoryEntry[] = [];
  let availability: GatheredHistory["availability"] = { days: [] };
  let cursor = "";
  do {
    const query = new URLSearchParams({
      name,
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
      page_size: String(Math.min(PAGE_SIZE_MAX, max - entries.length)),
      ...(cursor !== "" && { cursor }),
    });
    const page = (await fetchJson(service, `/api/datasets/history?${query}`)) as Page;
    availability = page.availability ?? availability;
    entries.push(...page.entries);
    cursor = page.pagination.nextCursor;
  } while (cursor !== "" && entries.length < max);
  return { name, availability, entries, isCut: cursor !== "" };
}

/** Formats the entries and the days as two tables. Days about which nothing is known are left out. */
export function historyText({ name, availability, entries, isCut }: GatheredHistory): string {
  const listed = table(
    ["time (UTC)", "generation", "records", "changes", "failure"],
    entries.map((entry) => [
      new Date(entry.at).toISOString().slice(0, 19).replace("T", " "),
      entry.kind === "generation" ? String(entry.generation) : "-",
      entry.records ? String(Object.values(entry.records).reduce((sum, count) => sum + count, 0)) : "",
      changesColumn(entry),
      entry.error ?? "",
    ]),
  );
  const days = availability.days.filter(({ unknownRatio }) => unknownRatio < 1);
  const byDay = table(
    ["day", "available", "unknown", "runs", "failures"],
    days.map((day) => [
      day.date,
      percent(day.availableRatio),
      percent(day.unknownRatio),
      String(day.runs),
      String(day.failures),
    ]),
  );
  const more = isCut ? ["there are older entries; raise --entries, or set --to to an earlier time"] : [];
  return [entries.length > 0 ? listed : `${name} has no entries in this period`, ...more, "", byDay].join("\n");
}

function changesColumn({ kind, changes }: HistoryEntry): string {
  if (kind !== "generation") return "";
  return changes ? changesText(changes) : "unknown";
}

function percent(ratio: number): string {
  return `${(ratio * 100).toFixed(1)} %`;
}
