import { expect, test } from "vitest";
import { somePlaces } from "../../test/support/effort.js";
import type { Format } from "../contract/format.js";
import { SourceFailure } from "../contract/source.js";
import { decode } from "./decode.js";

// As in feeds/long-hostile-text.test.ts, a decoder with quadratic time would exceed the time limit of the tests.

const CHARACTERS = 300_000;
const formats: readonly Format[] = [
  { kind: "json" },
  { kind: "xml", root: "a", lists: ["i"] },
  { kind: "csv" },
  { kind: "columns", comment: "#" },
  { kind: "tsv" },
  { kind: "feed" },
  { kind: "text" },
];
const pieces = [
  "<",
  "<a",
  "<a ",
  "<a b='",
  "<!--",
  "<![CDATA[",
  "<?",
  "<!",
  "<i>",
  "<i/>",
  "<i b='c'/>",
  "</i>",
  "&",
  "&a;",
  "&#0;",
  "{",
  "[",
  '["',
  '"',
  '\\"',
  "\\",
  '"a",',
  "a\n",
  ",",
  ",\n",
  "\t",
  "#\n",
  "# ",
  " ",
  "\r",
  "a,b\n",
  "a b\n",
  "\u0301",
  "<script",
  "<head>",
  "<?xml ",
  "<!-- -->",
];
const frames: readonly ((text: string, format: Format) => string)[] = [
  (text) => text,
  (text) => `   <?xml ${text}`,
  (text, { kind }) => (kind === "xml" ? `<a>${text}</a>` : kind === "json" ? `["${text}"]` : `h\n${text}\n`),
];

test.each(pieces)(
  "a body that repeats %j is decoded or refused without delay in every format",
  { timeout: 60_000 },
  (piece) => {
    const text = piece.repeat(Math.ceil(CHARACTERS / piece.length));
    const places = formats.flatMap((format) => frames.map((frame) => ({ format, frame })));
    for (const { format, frame } of somePlaces(places, pieces.indexOf(piece))) {
      try {
        expect(decode(Buffer.from(frame(text, format)), format)).toBeDefined();
      } catch (error) {
        if (!(error instanceof SourceFailure)) throw error;
      }
    }
  },
);
