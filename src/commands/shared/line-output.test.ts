import { Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { lineOutput } from "./line-output.js";

const never = new AbortController().signal;

/** A stream whose reader takes a line when `read` is called. */
function slowStream() {
  const lines: string[] = [];
  let next: (() => void) | undefined;
  const stream = new Writable({
    highWaterMark: 1,
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      next = done;
    },
  });
  return { stream, lines, read: () => next?.() };
}

const failing = (code: string): Writable =>
  new Writable({
    highWaterMark: 1,
    write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })),
  });

describe("lines of output", () => {
  test("printing a line waits for the reader", async () => {
    const { stream, lines, read } = slowStream();
    const printed = lineOutput(stream).print("one", never);
    const first = await Promise.race([printed, Promise.resolve("waiting")]);
    read();
    expect([first, await printed, lines]).toEqual(["waiting", true, ["one\n"]]);
  });

  test("printing returns false once the reader has gone", async () => {
    const output = lineOutput(failing("EPIPE"));
    expect(await output.print("one", never)).toBe(false);
    expect(await output.print("two", never)).toBe(false);
  });

  test("printing fails when the stream fails with an error other than EPIPE", async () => {
    await expect(lineOutput(failing("ENOSPC")).print("one", never)).rejects.toThrow("ENOSPC");
  });

  test("printing does not wait for the reader after an abort", async () => {
    const stop = new AbortController();
    const printed = lineOutput(slowStream().stream).print("one", stop.signal);
    stop.abort();
    await expect(printed).rejects.toThrow(/aborted/);
  });
});
