import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { somePlaces } from "../../../../test/support/effort.js";
import { firstRequest, readBody } from "../../../../test/support/reading.js";
import { SourceFailure } from "../../../contract/source.js";
import { faaStatus } from "./faa-status.js";
import { type AirportNotice, icaoNotams } from "./icao-notams.js";

const notamRequest = firstRequest(icaoNotams, { airports: [{ icao: "HSSS" }] }, { ICAO_API_KEY: "secret" });
const statusRequest = firstRequest(faaStatus, {});

interface Outcome {
  readonly kinds: readonly AirportNotice["kind"][];
  readonly rowsBad: number;
  /** True if the whole list was refused. The last readable list then stays in use. */
  readonly isRefused: boolean;
}

function outcomeOf(records: readonly object[]): Outcome {
  try {
    const { records: notices, rowsBad } = readBody(icaoNotams, notamRequest, records);
    return { kinds: (notices as readonly AirportNotice[]).map(({ kind }) => kind), rowsBad, isRefused: false };
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    return { kinds: [], rowsBad: 0, isRefused: true };
  }
}

/** Escapes a text for XML. Characters that a parser might reject become spaces. */
function escaped(text: string): string {
  const printable = text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/g, " ");
  return printable.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

/** Returns the closed airports of a list of closures. The list's first row is for SAN, the second for LAX. */
function closedAirports(...elements: readonly string[]): readonly string[] {
  const rows = elements
    .map((members, at) => `<Airport><ARPT>${["SAN", "LAX"][at]}</ARPT>${members}</Airport>`)
    .join("");
  const body = `<AIRPORT_STATUS_INFORMATION><Update_Time>Mon Oct 5 21:50:19 2026 GMT</Update_Time><Delay_type><Name>a</Name><Airport_Closure_List>${rows}</Airport_Closure_List></Delay_type></AIRPORT_STATUS_INFORMATION>`;
  const { records } = readBody(faaStatus, statusRequest, body);
  return (records as readonly { isClosure?: boolean; iata?: string }[]).flatMap(({ isClosure, iata = "" }) =>
    isClosure ? [iata] : [],
  );
}

// Each text is so long that a quadratic parser would take minutes; a linear parser finishes immediately. As in
// feeds/long-hostile-text.test.ts, the tests rely on their time limit and count no steps.
const CHARACTERS = 400_000;
const pieces = [
  "(",
  ")",
  "A)",
  " A)",
  "(Q)",
  "\nE)",
  "\n",
  "\n ",
  "\nCREATED:",
  "\nF",
  "/",
  "Q) /",
  " ",
  "\u0000",
  "\u0000 ",
  "\ud83d",
  "!",
  "!EWR 01/136 EWR ",
  "AD",
  "AD ",
  "AD AP ",
  "AD WILL BE ",
  "AD CLSD ",
  "CLSD TO ",
  "CLSD TO ALL GA ",
  "CLSD EXC ",
  "DLY ",
  "DLY 0430-0945 ",
  "MON",
  "MON-",
  "MON,  ",
  "MON-FRI ",
  "0430-",
  "2611200600-",
  "2611200600-2611251830 ",
  "2611200600-PERM  ",
  "NOTAMC",
  "SNOWTAM ",
  "RESTRICTED ",
  "TFR",
  "PERM",
  "1",
];
const layouts: readonly (readonly [string, (text: string) => object])[] = [
  ["its whole text", (all) => ({ location: "HSSS", all })],
  ["the domestic format", (text) => ({ location: "HSSS", all: `!KRT 01/136 KRT ${text}` })],
  ["its message", (message) => ({ location: "HSSS", Qcode: "FALC", message })],
  ["its code", (Qcode) => ({ location: "HSSS", Qcode, entity: Qcode, status: Qcode })],
  [
    "its place and times",
    (text) => ({ location: text, Qcode: "FALC", startdate: text, enddate: `2026-11-20T06:00${text}` }),
  ],
  [
    "item Q)",
    (text) => ({ location: "HSSS", all: `A1/26 NOTAMN\nQ) ${text}\nA) HSSS B) 2611200600 C) PERM\nE) AD CLSD` }),
  ],
  [
    "item C)",
    (text) => ({ location: "HSSS", all: `A1/26 NOTAMN\nQ) HSSS/QFALC\nA) HSSS B) ${text} C) ${text}\nE) AD CLSD` }),
  ],
  ["item D)", (text) => ({ location: "HSSS", all: `A1/26 NOTAMN\nQ) HSSS/QFALC\nA) HSSS D) ${text}\nE) AD CLSD` })],
  ["item E)", (text) => ({ location: "HSSS", all: `A1/26 NOTAMN\nQ) HSSS/QFALC\nA) HSSS\nE) AD CLSD ${text}` })],
];

/** Pieces that do not close an airport now: a limited closure, and two closures that begin in November. */
const notClosedNow = new Set(["CLSD TO ALL GA ", "2611200600-2611251830 ", "2611200600-PERM  "]);

describe("long texts", () => {
  test.each(pieces)("a NOTAM that repeats %j in one of its parts is read or refused without delay", (piece) => {
    const text = piece.repeat(Math.ceil(CHARACTERS / piece.length));
    for (const [place, record] of somePlaces(layouts, pieces.indexOf(piece))) {
      const { kinds } = outcomeOf([record(text)]);
      expect(kinds.length, place).toBeLessThanOrEqual(1);
    }
  });

  test.each(pieces)("FAA announcements are read without delay, even if the first of them repeats %j", (piece) => {
    const text = escaped(piece.repeat(Math.ceil(CHARACTERS / piece.length)));
    const times = `<Start>${text}</Start><Reopen>${text}</Reopen>`;
    const closed = closedAirports(`<Reason>${text}</Reason>${times}`, "<Reason>snow</Reason>");
    expect(closed).toEqual(notClosedNow.has(piece) ? ["LAX"] : ["SAN", "LAX"]);
  });
});

/** Fragments of NOTAMs and meaningless texts, in any order. */
const scraps = fc
  .array(
    fc.oneof(
      fc.constantFrom(...pieces, "HSSS", "QFALC", "FALC", "Q) HSSS/QFALC/IV", "E) AD CLSD", "NOTAMN", "CREATED:"),
      fc.string({ unit: "binary", maxLength: 8 }),
    ),
    { maxLength: 12 },
  )
  .map((list) => list.join(""));

/** Texts without a readable code. A code is four letters with or without a Q before them. */
const noCode = scraps.map((text) => text.replace(/[A-Za-z]/g, "?"));

describe("an unreadable record never marks an airport as open", () => {
  test('a record without a readable code is never read as "other", unless its text limits a closure to some aircraft', () => {
    const property = fc.property(noCode, noCode, noCode, scraps, (code, entity, status, message) => {
      const record = { location: "HSSS", Qcode: `?${code}`, entity, status, message };
      const { kinds, isRefused, rowsBad } = outcomeOf([record]);
      expect(isRefused || rowsBad === 1 || kinds.length === 1).toBe(true);
      // "other" is right only for a closure that its own words limit to some aircraft.
      const isLimited = /(?:CLSD|CLOSED) (?:TO|EXC)/.test(message.replace(/[\s\p{Cc}]+/gu, " "));
      if (!isLimited) expect(kinds).not.toContain("other");
    });
    fc.assert(property, { numRuns: 500, seed: 14 });
  });

  test('a NOTAM whose Q) line is damaged has the kind "unread", unless its message closes the airport', () => {
    const property = fc.property(noCode, fc.constantFrom("SEE SUP 4", "AD CLSD"), (line, message) => {
      const all = `A1/26 NOTAMN\nQ) HSSS/?${line}\nA) HSSS B) 2611200600 C) PERM\nE) ${message}`;
      const kind = message === "AD CLSD" ? "closure" : "unread";
      expect(outcomeOf([{ location: "HSSS", all }]).kinds).toEqual([kind]);
    });
    fc.assert(property, { numRuns: 500, seed: 14 });
  });

  test("a readable closure is still read as a closure if fragments follow its message", () => {
    const property = fc.property(scraps, (scrap) => {
      const all = `A1/26 NOTAMN\nQ) HSSS/QFALC/IV\nA) HSSS B) 2611200600 C) PERM\nE) AD CLSD. ${scrap}`;
      expect(outcomeOf([{ location: "HSSS", all }]).kinds).toEqual(["closure"]);
    });
    fc.assert(property, { numRuns: 500, seed: 14 });
  });

  test("a closure is still read if a hostile record precedes it, unless the whole list is refused", () => {
    const closure = { location: "HSSS", Qcode: "FALC", message: "AD CLSD" };
    const property = fc.property(scraps, scraps, (all, location) => {
      const { kinds, isRefused } = outcomeOf([{ location, all }, closure]);
      expect(isRefused || kinds.includes("closure")).toBe(true);
    });
    fc.assert(property, { numRuns: 500, seed: 14 });
  });

  test("an airport in the FAA's list of closures is closed even if its times cannot be read", () => {
    const property = fc.property(noCode, noCode, (start, reopen) => {
      const times = `<Start>${escaped(start)}</Start><Reopen>${escaped(reopen)}</Reopen>`;
      expect(closedAirports(`<Reason>snow</Reason>${times}`)).toEqual(["SAN"]);
    });
    fc.assert(property, { numRuns: 500, seed: 14 });
  });
});
