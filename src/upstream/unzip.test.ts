import { expect, it } from "vitest";
import { SourceFailure } from "../contract/source.js";
import { zipOf } from "../simulator/zip.js";
import { decode } from "./decode.js";
import { unzip } from "./unzip.js";

// An archive by another program. It has one file, `a.CSV`, stored without compression:
// `1<tab>ü<newline>2<tab><newline>`.
const written = Buffer.from(
  "UEsDBBQAAAAAAAAAIQCbw9OCCAAAAAgAAAAFAAAAYS5DU1YxCcO8CjIJClBLAQIUAxQAAAAAAAAAIQCbw9OCCAAAAAgAAAAFAAAAAAAAAAAAAACAAQAAAABhLkNTVlBLBQYAAAAAAQABADMAAAArAAAAAAA=",
  "base64",
);
const format = { kind: "tsv", zipped: true } as const;

it("the cells of a file in an archive are read, whether the file is compressed or not", () => {
  expect(decode(written, format)).toEqual([
    ["1", "ü"],
    ["2", ""],
  ]);
  const text = "a\tb\r\n\r\nc\t d \n".repeat(1_000);
  expect(unzip(zipOf("x.CSV", text)).toString()).toBe(text);
  expect(decode(zipOf("x.CSV", "a\tb\r\n\r\nc\t d \n"), format)).toEqual([
    ["a", "b"],
    ["c", " d "],
  ]);
});

it("an archive that ends with a comment is read", () => {
  const comment = Buffer.from("some words");
  const archive = Buffer.concat([zipOf("x", "a\tb"), comment]);
  archive.writeUInt16LE(comment.byteLength, archive.byteLength - comment.byteLength - 2);
  expect(unzip(archive).toString()).toBe("a\tb");
});

const whole = zipOf("x.CSV", "a\tb\n".repeat(50));
const end = whole.byteLength - 22;
const directory = whole.readUInt32LE(end + 16);

/** The archive with one of its bytes overwritten. */
function edited(at: number, value: number): Buffer {
  const copy = Buffer.from(whole);
  copy[at] = value;
  return copy;
}

it.each([
  ["an HTML page", Buffer.from("<html><body>Down</body></html>"), "not a zip archive"],
  ["an archive that is cut off", whole.subarray(0, whole.byteLength - 5), "not a zip archive"],
  ["an archive of two files", edited(end + 10, 2), "holds 2 files"],
  ["an encrypted archive", edited(directory + 8, 1), "is encrypted or has an unsupported compression"],
  [
    "an archive with an unsupported compression",
    edited(directory + 10, 12),
    "is encrypted or has an unsupported compression",
  ],
  ["an archive with a wrong directory offset", edited(end + 16, 1), "has no directory"],
  ["an archive with a wrong file offset", edited(directory + 42, 1), "has no file at the stated offset"],
  ["an archive that states too small a size", edited(directory + 24, 9), "damaged"],
  ["an archive that states too large a size", edited(directory + 24, 201), "holds 200 bytes"],
  ["an archive with bytes that are not compressed data", edited(35, 0xff), "damaged"],
])("%s is reported as a changed document", (_name, archive, message) => {
  expect(() => unzip(archive)).toThrow(SourceFailure);
  expect(() => unzip(archive)).toThrow(message);
});

it("a file that is larger than the limit is refused", () => {
  expect(() => unzip(whole, 199)).toThrow("holds 200 bytes; expected at most 199");
  expect(unzip(whole, 200)).toHaveLength(200);
});

it("a body or file without content is refused as empty", () => {
  for (const body of [Buffer.alloc(0), zipOf("x", ""), zipOf("x", " \n")]) {
    expect(() => decode(body, format)).toThrow("the body is empty");
  }
});
