import { counted } from "../../../../kit/counted.js";
import { cutText } from "../../../../kit/cut-text.js";
import { oneLine } from "../../../../kit/one-line.js";
import type { WatchFiring } from "../../records.js";

/**
 * Maximum number of characters of a value in the readable text of a firing. Lists, the command line, feeds and emails
 * show this text.
 */
const VALUE_CHARACTERS_MAX = 60;

type TextMembers = Pick<
  WatchFiring,
  | "kind"
  | "watchName"
  | "state"
  | "before"
  | "after"
  | "addedCount"
  | "changedCount"
  | "removedCount"
  | "skippedGenerations"
  | "message"
>;

/** Writes a human-readable description of a firing in one line, such as `Sudan: 2 rows added, 1 removed`. */
export function firingText(firing: TextMembers): string {
  const { watchName, state, skippedGenerations = 0 } = firing;
  const notes = [
    ...(state === "ok" ? [] : [`data ${state}`]),
    ...(skippedGenerations === 0 ? [] : [`${counted(skippedGenerations, "change")} of the data skipped`]),
  ];
  return `${oneLine(watchName)}: ${detailOf(firing)}${notes.length === 0 ? "" : ` (${notes.join("; ")})`}`;
}

function detailOf(firing: TextMembers): string {
  switch (firing.kind) {
    case "WATCH_FIRING_KIND_FAILED":
      return `failed. ${firing.message ?? ""}`.trim();
    case "WATCH_FIRING_KIND_NOTICE":
      return firing.message ?? "notice";
    case "WATCH_FIRING_KIND_RESOLVED":
      return ["resolved", valuesOf(firing)].filter((part) => part !== "").join(", ");
    case "WATCH_FIRING_KIND_FIRED":
      return rowsOf(firing) || valuesOf(firing) || "fired";
  }
}

/** Describes a firing in a few words, for the subject of an email. */
export function firingSummary(firing: WatchFiring): string {
  const { kind, on } = firing;
  if (kind === "WATCH_FIRING_KIND_FAILED") return "the watch cannot be evaluated";
  if (kind === "WATCH_FIRING_KIND_NOTICE") return "changes could not be compared";
  const isOver = kind === "WATCH_FIRING_KIND_RESOLVED";
  if (on === "WATCH_ON_BECOMES_TRUE") return isOver ? "the condition is no longer true" : "the condition is true";
  if (on === "WATCH_ON_THRESHOLD_CROSSED") return isOver ? "back within the threshold" : "the threshold was crossed";
  if (on === "WATCH_ON_STATE_CHANGES") return isOver ? "the data is complete again" : `the data is ${firing.state}`;
  const counts = countsOf(firing).map(({ count, change }) => `${count} ${change}`);
  return counts.join(", ") || (on === "WATCH_ON_NEW_ROWS" ? "new rows" : "changed");
}

/** Returns the previous and present values of a firing, one per line. Absent values have no line. */
export function valueLines(
  { before, after }: Pick<WatchFiring, "before" | "after">,
  show: (value: unknown) => string,
): readonly string[] {
  return [
    ...(before === undefined ? [] : [`before: ${show(before)}`]),
    ...(after === undefined ? [] : [`after: ${show(after)}`]),
  ];
}

/** Returns a source with its licence. */
export function sourceText({ name, licence }: WatchFiring["sources"][number]): string {
  return oneLine(`${name} (${licence})`);
}

/** Returns the counts of row changes, without zeros. */
function countsOf({ addedCount = 0, changedCount = 0, removedCount = 0 }: TextMembers) {
  const counts = [
    { count: addedCount, change: "added" },
    { count: changedCount, change: "changed" },
    { count: removedCount, change: "removed" },
  ] as const;
  return counts.filter(({ count }) => count > 0);
}

function rowsOf(firing: TextMembers): string {
  const [first, ...others] = countsOf(firing);
  if (!first) return "";
  return [
    `${counted(first.count, "row")} ${first.change}`,
    ...others.map(({ count, change }) => `${count} ${change}`),
  ].join(", ");
}

function valuesOf({ before, after }: TextMembers): string {
  if (after === undefined) return "";
  return before === undefined ? textOf(after) : `${textOf(before)} → ${textOf(after)}`;
}

/**
 * Writes a scalar on one line, cut to `VALUE_CHARACTERS_MAX`. For a list, writes only the number of items; for an
 * object, only `an object`.
 */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return counted(value.length, "item");
  if (typeof value === "object" && value !== null) return "an object";
  return cutText(oneLine(String(value)), VALUE_CHARACTERS_MAX);
}
