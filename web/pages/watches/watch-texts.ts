import type { Watch, WatchFiring } from "../../../src/sdk/index.js";
import { enumText } from "../../format.js";

type Trigger = Watch["on"];

/** The triggers with a description of each. */
export const TRIGGERS: readonly { readonly on: Trigger; readonly name: string; readonly meaning: string }[] = [
  {
    on: "WATCH_ON_NEW_ROWS",
    name: "new rows",
    meaning: "The list, or the array that the condition yields, has rows that it did not have before.",
  },
  {
    on: "WATCH_ON_CHANGED",
    name: "changed",
    meaning: "Rows were added, changed or removed. If there is no list, the value of the call or condition changed.",
  },
  {
    on: "WATCH_ON_BECOMES_TRUE",
    name: "becomes true",
    meaning: "The condition becomes true: neither null, nor false, nor empty. Resolved when it becomes false.",
  },
  {
    on: "WATCH_ON_THRESHOLD_CROSSED",
    name: "threshold crossed",
    meaning: "The number that the condition yields crosses the threshold. Resolved when the number crosses back.",
  },
  {
    on: "WATCH_ON_STATE_CHANGES",
    name: "state changes",
    meaning: "The state of the data changes. Resolved when it is ok again.",
  },
];

export const triggerName = (on: Trigger): string => enumText(on, "WATCH_ON_");

/** The trigger of the definition, in one line. */
export function waitsFor({ on, threshold }: Pick<Watch, "on" | "threshold">): string {
  if (threshold === undefined) return triggerName(on);
  const { above, below, clearsAt } = threshold;
  const side = above === undefined ? `below ${below}` : `above ${above}`;
  return clearsAt === undefined ? side : `${side}, clears at ${clearsAt}`;
}

type Kind = WatchFiring["kind"];

/** The symbol of each kind of firing, readable without its colour. */
export const KINDS: Readonly<Record<Kind, { readonly name: string; readonly mark: string }>> = {
  WATCH_FIRING_KIND_FIRED: { name: "fired", mark: "●" },
  WATCH_FIRING_KIND_RESOLVED: { name: "resolved", mark: "○" },
  WATCH_FIRING_KIND_FAILED: { name: "failed", mark: "✕" },
  WATCH_FIRING_KIND_NOTICE: { name: "notice", mark: "◇" },
};

export const kindText = (kind: Kind): string => `${KINDS[kind].mark} ${KINDS[kind].name}`;

type Told = Pick<WatchFiring, "addedCount" | "changedCount" | "removedCount" | "before" | "after" | "message">;

const TEXT_MAX = 80;

/** The content of a firing, in one line. */
export function firingText({ addedCount, changedCount, removedCount, before, after, message }: Told): string {
  if (message !== undefined) return message;
  const counts = [
    [addedCount, "added"],
    [changedCount, "changed"],
    [removedCount, "removed"],
  ] as const;
  const rows = counts.flatMap(([count, word]) => (count ? [`${count} ${word}`] : []));
  if (rows.length > 0) return rows.join(", ");
  return `${shortText(before)} → ${shortText(after)}`;
}

function shortText(value: unknown): string {
  if (value === undefined) return "none";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text;
}
