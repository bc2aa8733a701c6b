import { cutText } from "../../../../kit/cut-text.js";
import type { WatchFiring } from "../../records.js";

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

/** One line on a firing for people, such as `Sudan: 2 rows added, 1 removed`. */
export function firingText(firing: TextMembers): string {
  const { watchName, state, skippedGenerations = 0 } = firing;
  const notes = [
    ...(state === "ok" ? [] : [`data ${state}`]),
    ...(skippedGenerations === 0 ? [] : [`${skippedGenerations} changes of the data skipped`]),
  ];
  const name = watchName.replace(/\s+/g, " ").trim();
  return `${name}: ${detailOf(firing)}${notes.length === 0 ? "" : ` (${notes.join("; ")})`}`;
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

function rowsOf({ addedCount = 0, changedCount = 0, removedCount = 0 }: TextMembers): string {
  const parts = [
    [addedCount, "added"],
    [changedCount, "changed"],
    [removedCount, "removed"],
  ] as const;
  const [first, ...others] = parts.filter(([count]) => count > 0);
  if (!first) return "";
  const [count, change] = first;
  const noun = count === 1 ? "row" : "rows";
  return [`${count} ${noun} ${change}`, ...others.map(([number, name]) => `${number} ${name}`)].join(", ");
}

function valuesOf({ before, after }: TextMembers): string {
  if (after === undefined) return "";
  return before === undefined ? textOf(after) : `${textOf(before)} → ${textOf(after)}`;
}

/** Scalars as they are. The content of lists and objects is in the firing. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 1 ? "1 item" : `${value.length} items`;
  if (typeof value === "object" && value !== null) return "an object";
  return cutText(String(value).replace(/\s+/g, " "), VALUE_CHARACTERS_MAX);
}
