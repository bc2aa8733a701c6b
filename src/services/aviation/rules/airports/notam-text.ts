import { stampAt } from "./closure-notice.js";

/** The parts of a NOTAM's whole text that are used. */
export interface NotamText {
  /** The second field of the Q) line as written (`QFALC`); undefined without a Q) line. */
  readonly code?: string;
  /** Item A) without spaces around it. */
  readonly place?: string;
  /** Epoch ms; absent where the text gives no readable start. */
  readonly startsAt?: number;
  /** Epoch ms; Infinity for a NOTAM that holds until it is cancelled. Absent where the text gives no readable end. */
  readonly endsAt?: number;
  /** Item D): the hours in which the NOTAM holds. */
  readonly hours?: string;
  /** Item E): the message, on one line. */
  readonly message?: string;
}

const letters = ["Q", "A", "B", "C", "D", "E"] as const;
type Letter = (typeof letters)[number];

/**
 * Reads the items of a NOTAM in ICAO's format (Annex 15): `Q) LSAS/QRRCA/… A) LSAS B) 1905271400 C) 1905271440 E) …`.
 * Undefined for a text without the items A) and E), which is no such NOTAM.
 */
export function notamText(text: string): NotamText | undefined {
  const items = itemsOf(text);
  if (items.A === undefined || items.E === undefined) return undefined;
  const code = items.Q?.split("/")[1]?.trim();
  const startsAt = stampAt(digits(items.B));
  const endsAt = endOf(items.C ?? "");
  return {
    ...(code !== undefined && { code }),
    place: items.A,
    ...(startsAt !== undefined && { startsAt }),
    ...(endsAt !== undefined && { endsAt }),
    ...(items.D !== undefined && { hours: items.D }),
    message: items.E,
  };
}

/**
 * The end in an item C). `PERM` and `UFN` have none. An estimated one (`EST`) is none either: such a NOTAM stays in force
 * until it is cancelled or replaced (Annex 15, 6.3.2.4).
 */
function endOf(item: string): number | undefined {
  return /PERM|UFN|EST/i.test(item) ? Number.POSITIVE_INFINITY : stampAt(digits(item));
}

function digits(item = ""): string {
  return /^\d{10}(?!\d)/.exec(item)?.[0] ?? "";
}

/** The lines that may follow a message: its vertical limits, and two that ICAO's list adds. */
const AFTER_MESSAGE = /\n[ \t]*(?:[FG]\)|CREATED:|SOURCE:)/;

/** Items by their letter. A letter that stands again later, as in a numbered list, belongs to the item before it. */
function itemsOf(text: string): Readonly<Partial<Record<Letter, string>>> {
  const items: Partial<Record<Letter, string>> = {};
  let open: { readonly letter: Letter; readonly from: number } | undefined;
  for (const marker of text.matchAll(/(?:^|[\s(])([QA-E])\)/g)) {
    const letter = marker[1] as Letter; // The pattern allows no other.
    if (open && letters.indexOf(letter) <= letters.indexOf(open.letter)) continue;
    if (open) items[open.letter] = onOneLine(text.slice(open.from, marker.index));
    open = { letter, from: marker.index + marker[0].length };
    if (letter === "E") break;
  }
  if (open) {
    const rest = text.slice(open.from);
    items[open.letter] = onOneLine(rest.slice(0, AFTER_MESSAGE.exec(rest)?.index));
  }
  return items;
}

export function onOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
