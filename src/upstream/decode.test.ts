import { describe, expect, it } from "vitest";
import type { Format } from "../contract/format.js";
import type { SourceFailureKind } from "../contract/source.js";
import { decode } from "./decode.js";

const json: Format = { kind: "json" };
const xml: Format = { kind: "xml", root: "feed", lists: ["entry"] };
const csv: Format = { kind: "csv" };
const columns: Format = { kind: "columns", comment: "#" };
const text: Format = { kind: "text" };
const formats = { json, xml, csv, columns, text };

function failureOf(body: string | Buffer, format: Format): { kind?: SourceFailureKind; message?: string } {
  try {
    decode(Buffer.from(body), format);
    return {};
  } catch (error) {
    return error as { kind: SourceFailureKind; message: string };
  }
}

describe.each(Object.entries(formats))("decode of %s", (_name, format) => {
  it.each(["", " \r\n\t ", "\ufeff"])("a body without content is a failure of the kind `empty` (%j)", (body) => {
    expect(failureOf(body, format)).toMatchObject({ name: "SourceFailure", kind: "empty" });
  });
});

describe("an HTML page", () => {
  const pages = [
    "<!DOCTYPE html><html><body>Down</body></html>",
    "\ufeff\r\n  <!doctype HTML PUBLIC '-//W3C//DTD HTML 4.01//EN'><html>",
    "<html lang=en><head>",
    '<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "x" "y"><html xmlns="z"/>',
    "<!-- cached --><!-- again --> <html>",
    "<head><title>503</title>",
    "<script>location = '/login'</script>",
  ];

  it.each(pages)("an HTML page is refused by every data format: %j", (page) => {
    for (const format of [json, xml, csv, columns]) {
      expect(failureOf(page, format)).toMatchObject({
        kind: "changed",
        message: expect.stringContaining("the body is an HTML page; expected "),
      });
    }
  });

  it("an HTML page is accepted as text", () => expect(decode(Buffer.from("<html>"), text)).toBe("<html>"));

  it("an HTML page is distinguished from XML with similar names", () => {
    expect(decode(Buffer.from("<headlines/>"), { kind: "xml", root: "headlines", lists: [] })).toEqual({});
  });
});

it("an XML error document is refused by the table formats", () => {
  const body = '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>';
  for (const format of [csv, columns]) expect(failureOf(body, format).message).toContain("the body is XML or HTML");
});

describe("decode of JSON", () => {
  it("decode returns the JSON value", () =>
    expect(decode(Buffer.from('\ufeff{"a":[1,"[["]}'), json)).toEqual({ a: [1, "[["] }));

  it.each(['{"a":1', '{"a":"cut', "[1,2,", "{'a':1}", "a,b\n1,2", "<error/>"])(
    "text that is not complete, valid JSON is a failure of the kind `changed`: %s",
    (body) => {
      expect(failureOf(body, json)).toMatchObject({
        kind: "changed",
        message: expect.stringContaining("not complete, valid JSON"),
      });
    },
  );

  it("the nesting depth is checked before parsing, and brackets in strings do not count", () => {
    expect(decode(Buffer.from("[".repeat(100) + "]".repeat(100)), json)).toBeDefined();
    expect(failureOf("[".repeat(101) + "]".repeat(101), json).message).toContain("nested too deeply");
    expect(failureOf("[".repeat(5_000_000), json).message).toContain("nested too deeply");
    const quoted = JSON.stringify({ a: `\\"${"[{".repeat(500)}`, b: "\\" });
    expect(decode(Buffer.from(quoted), json)).toEqual(JSON.parse(quoted));
  });

  it("__proto__ is an ordinary member", () => {
    const value = decode(Buffer.from('{"__proto__":{"polluted":true}}'), json);
    expect(Object.keys(value as object)).toEqual(["__proto__"]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe("decode of columns", () => {
  it("lines are split on white space, and comments and blank lines are dropped", () => {
    const body = "# year  ppm\r\n\r\n 1958   3\t315.71 \r\n  # note\r1958 4 # not a comment\n";
    expect(decode(Buffer.from(body), columns)).toEqual([
      ["1958", "3", "315.71"],
      ["1958", "4", "#", "not", "a", "comment"],
    ]);
  });

  it("every line is kept if the format has no comment marker", () => {
    expect(decode(Buffer.from("# a\nb"), { kind: "columns", comment: "" })).toEqual([["#", "a"], ["b"]]);
  });
});
