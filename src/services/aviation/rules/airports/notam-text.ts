import { onOneLine, stampAt } from "./closure-notice.js";

/** The parts of a NOTAM's text that this service reads. */
export interface NotamText {
  /** The second field of the Q) line as written (`QFALC`); undefined without a Q) line. */
  readonly code?: string;
  /** Item A) without spaces around it. */
  readonly place?: string;
  /** Epoch ms; absent if the text has no readable start. */
  readonly startsAt?: number;
  /** Epoch ms; Infinity for a permanent or estimated end. Absent if the text has no readable end. */
  readonly endsAt?: number;
  /** Item D): the daily hours of the NOTAM. */
  readonly hours?: string;
  /** Item E): the message, on one line. */
  readonly message?: string;
}

const letters = ["Q", "A", "B", "C", "D", "E"] as const;
type Letter = (typeof letters)[number];

/**
 * Reads the items of a NOTAM in ICAO's format (Annex 15): `Q) LSAS/QRRCA/… A) LSAS B) 1905271400 C) 1905271440 E) …`.
 * Undefined if item A) or item E) is missing.
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
 * Parses the end in item C). `PERM`, `UFN` and estimated ends (`EST`) are Infinity: such a NOTAM is in force until it
 * is cancelled or replaced (Annex 15, 6.3.2.4).
 */
function endOf(item: string): number | undefined {
  return /PERM|UFN|EST/i.test(item) ? Number.POSITIVE_INFINITY : stampAt(digits(item));
}

function digits(item = ""): string {
  return /^\d{10}(?!\d)/.exec(item)?.[0] ?? "";
}

/** The lines that may follow the message: vertical limits, and two lines that ICAO's data service adds to a NOTAM. */
const AFTER_MESSAGE = /\n[ \t]*(?:[FG]\)|CREATED:|SOURCE:)/;

/**
 * Splits a NOTAM into its items, by letter. Items follow the order of `letters`, so a letter that repeats or goes
 * back in this order, as in a lettered list, is part of the current item's text.
 */
function itemsOf(text: string): Readonly<Partial<Record<Letter, string>>> {
  const items: Partial<Record<Letter, string>> = {};
  let open: { readonly letter: Letter; readonly from: number } | undefined;
  for (const marker of text.matchAll(/(?:^|[\s(])([QA-E])\)/g)) {
    const letter = marker[1] as Letter; // The cast is safe, because the pattern allows no other letters.
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
