import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ClockPace, LoopTurns } from "../../kit/loop-turns.js";
import { appliedDelta, keysOfPieces, type LineDelta, lineDeltaSteps } from "./line-delta.js";

/** Yields a text in pieces of this many bytes. */
async function* inPieces(text: string, bytes: number): AsyncGenerator<Buffer, void> {
  const whole = Buffer.from(text);
  for (let at = 0; at < whole.length; at += bytes) yield whole.subarray(at, at + bytes);
}

async function joined(pieces: AsyncIterable<Buffer>): Promise<string> {
  const all: Buffer[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all).toString();
}

async function deltaOf(base: string, text: string): Promise<LineDelta> {
  const pace = new ClockPace();
  return new LoopTurns().run(lineDeltaSteps(await keysOfPieces(inPieces(base, 7)), text.split("\n"), pace), pace);
}

const opsOf = async (base: string, text: string): Promise<string> => (await deltaOf(base, text)).ops.join("\n");

describe("lineDeltaSteps", () => {
  test.each([
    { what: "an equal text", base: "a\nb\nc", text: "a\nb\nc", ops: "=3" },
    { what: "a changed line", base: "a\nb\nc", text: "a\nx\nc", ops: "=1\n+x\n-1\n=1" },
    { what: "an added first and last line", base: "a\nb", text: "x\na\nb\ny", ops: "+x\n=2\n+y" },
    { what: "removed lines", base: "a\nb\nc\nd", text: "a\nd", ops: "=1\n-2\n=1" },
    { what: "a line that moved", base: "a\nb\nc\nd", text: "d\na\nb\nc", ops: "+d\n=3" },
    { what: "a line that occurs twice", base: "a\nb", text: "a\na\nb", ops: "+a\n=2" },
    { what: "nothing in common", base: "a\nb", text: "c", ops: "+c" },
  ])("finds the ops for $what", async ({ base, text, ops }) => {
    expect(await opsOf(base, text)).toBe(ops);
  });

  test("counts the characters of lines that are not in the base", async () => {
    expect((await deltaOf("a\nb", "a\nlonger\nb")).ownCharacters).toBe(6);
  });
});

describe("appliedDelta", () => {
  test("rebuilds any text from any base and its delta, in pieces of any size", async () => {
    const line = fc
      .oneof(fc.constantFrom("a", "bb", "=3", "-1", "+c", "ü"), fc.string({ minLength: 1 }))
      .map((text) => text.replaceAll("\n", " "));
    const lines = fc.array(line, { minLength: 1, maxLength: 40 }).map((all) => all.join("\n"));
    const bytes = fc.integer({ min: 1, max: 90 });
    await fc.assert(
      fc.asyncProperty(lines, lines, bytes, async (base, text, size) => {
        const ops = await opsOf(base, text);
        expect(await joined(appliedDelta(inPieces(base, size), inPieces(ops, size)))).toBe(text);
      }),
      { numRuns: 1_000 },
    );
  });

  test("rebuilds texts that are longer than a piece", async () => {
    const rows = Array.from({ length: 20_000 }, (_, id) => `row ${id} with some text`);
    const changed = rows.map((row, id) => (id % 100 === 0 ? `${row}, changed` : row)).join("\n");
    const base = rows.join("\n");
    const ops = await opsOf(base, changed);
    expect(ops.length).toBeLessThan(changed.length / 20);
    expect(await joined(appliedDelta(inPieces(base, 65_536), inPieces(ops, 65_536)))).toBe(changed);
  });

  test("refuses a base that is too short", async () => {
    const applied = joined(appliedDelta(inPieces("a\nb", 9), inPieces("=4", 9)));
    await expect(applied).rejects.toThrow("the text ends 2 lines early");
  });
});
