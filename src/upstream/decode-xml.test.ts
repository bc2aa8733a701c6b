import { describe, expect, it } from "vitest";
import type { XmlElement, XmlElements } from "../contract/format.js";
import { decodeXml, xmlElements } from "./decode-xml.js";
import { textPieces } from "./text.js";

const decodeA = (text: string): unknown => decodeXml(text, { kind: "xml", root: "a", lists: ["item"] });

describe("decodeXml", () => {
  it.each([
    [
      "elements with text as strings, not as numbers",
      "<a><b>007</b><c>2.40</c><d>true</d></a>",
      { b: "007", c: "2.40", d: "true" },
    ],
    ["attributes beside text", '<a><b type="x">1</b></a>', { b: { "@type": "x", "#text": "1" } }],
    [
      "the names of elements and attributes without their prefixes",
      '<p:a xmlns:p="u" xmlns="v"><p:b p:null="true"/></p:a>',
      { b: { "@null": "true" } },
    ],
    ["empty elements as empty text", "<a><b/><c></c><d> </d></a>", { b: "", c: "", d: "" }],
    ["a single element as a list if `lists` contains its name", "<a><item>1</item></a>", { item: ["1"] }],
    ["repeated elements as a list", "<a><b>1</b><b>2</b></a>", { b: ["1", "2"] }],
    ["an attribute as text even if `lists` contains its name", '<a item="1"/>', { "@item": "1" }],
    ["CDATA as trimmed text that is not decoded", "<a><b> <![CDATA[ <i>&amp;</i> ]]> </b></a>", { b: "<i>&amp;</i>" }],
    [
      "entities and numeric references, which are decoded once",
      "<a><b>&lt;&amp;lt; &#233;&#x20AC;&apos;&quot;&nbsp;x</b></a>",
      { b: "<&lt; é€'\"\u00a0x" },
    ],
    ["entities in attributes", '<a b="&lt;&#65;&gt;"/>', { "@b": "<A>" }],
    [
      "unknown entities unchanged, and impossible characters as replacement characters",
      "<a><b>&foo; &#0; &#xD800; &#9999999;</b></a>",
      { b: "&foo; \ufffd \ufffd \ufffd" },
    ],
    [
      "a document, and omits its declaration, comments and instructions",
      '<?xml version="1.0"?><!-- c --><?pi x?><a><b>1<!-- c --></b></a>',
      { b: "1" },
    ],
    ["a DOCTYPE without entities", '<!DOCTYPE a PUBLIC "p" "s"><a><b>1</b></a>', { b: "1" }],
    [
      "entity declarations quoted in CDATA",
      "<a><b><![CDATA[<!DOCTYPE a [<!ENTITY x 'y'>]>]]></b></a>",
      { b: "<!DOCTYPE a [<!ENTITY x 'y'>]>" },
    ],
    ["a document element with text alone", "<a>1</a>", { "#text": "1" }],
    ["an empty document element", "<a/>", {}],
  ])("reads %s", (_name, text, members) => expect(decodeA(text)).toEqual(members));

  it.each([
    ["an open element", "<a><b>1</b>"],
    ["an open closing tag", "<a><b>1</b></a"],
    ["an open CDATA", "<a><![CDATA[x</a>"],
    ["crossed elements", "<a><b><c></b></c></a>"],
    ["a bare ampersand", "<a>x & y</a>"],
    ["an attribute without quotes", "<a b=1/>"],
    ["text after the document", "<a>1</a>more"],
    ["two document elements", "<a/><a/>"],
    ["two different document elements", "<a>1</a><b/>"],
    ["no element", '<?xml version="1.0"?>'],
    ["CSV instead of elements", "a,b\n1,2"],
    ["JSON instead of elements", '{"a":1}'],
    ["another document element", "<b><a/></b>"],
    ["a document element named A instead of a", "<A/>"],
    ["more than 64 levels", `<a>${"<b>".repeat(66)}${"</b>".repeat(66)}</a>`],
    ["a million levels", "<a>".repeat(1_000_000)],
    ["an element named __proto__", "<a><__proto__><polluted>1</polluted></__proto__></a>"],
    ["an element named constructor", "<a><constructor>1</constructor></a>"],
  ])("XML with %s is reported as a changed document", (_name, text) => {
    expect(() => decodeA(text)).toThrow(expect.objectContaining({ name: "SourceFailure", kind: "changed" }));
    expect(() => decodeA(text)).toThrow("expected one whole a element");
  });

  it.each([
    ["entities that grow", '<!ENTITY l "lol"><!ENTITY m "&l;&l;&l;&l;"><!ENTITY n "&m;&m;&m;&m;">'],
    ["a large entity", `<!ENTITY n "${"x".repeat(9_000)}">`],
    ["an external entity", '<!ENTITY n SYSTEM "file:///etc/passwd">'],
    ["a parameter entity", '<!ENTITY % n SYSTEM "http://example.org/x">'],
    ["an entity hidden behind a comment", '<!-- <a> --><!ENTITY n "x">'],
  ])("XML is refused if it declares %s, before or inside the document element", (_name, declarations) => {
    expect(() => decodeA(`<!DOCTYPE a [${declarations}]><a>&n;</a>`)).toThrow("expected one whole a element");
    expect(() => decodeA(`<a><!DOCTYPE a [${declarations}]>&n;</a>`)).toThrow("expected one whole a element");
  });

  it("the message names the actual document element", () => {
    expect(() => decodeA("<b/>")).toThrow("the document element is b; expected one whole a element");
  });

  it("no attribute or element name changes the prototype of objects", () => {
    const members = decodeA('<a __proto__="x"><toString>1</toString></a>') as object;
    expect(Object.getPrototypeOf(members)).toBe(Object.prototype);
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
    expect(Object.keys(members)).toContain("@__proto__");
  });

  it("a megabyte of hostile spaces and comments is refused within the test's time limit", () => {
    for (const filler of [" ".repeat(1_000_000), "<!--".repeat(250_000), "<?x ".repeat(250_000), "&".repeat(500_000)]) {
      expect(() => decodeA(`${filler}<a>`)).toThrow();
    }
  });
});

describe("xmlElements", () => {
  const format = { kind: "xml elements", root: "list", each: ["person", "firm"], lists: ["alias"] } as const;
  const read = (text: string): XmlElements => xmlElements(textPieces(Buffer.from(text)), format);
  const elementsIn = (text: string): readonly XmlElement[] => [...read(text).elements];

  it("returns the document element's attributes, and the elements named in `each`, in order and at every depth", () => {
    const text = `<?xml version="1.0"?>
      <list date="2026-11-18" xmlns:x="u"><note>n</note>
        <people><person id="1"><name>A &amp; B</name><alias>C</alias></person><person>text</person></people>
        <x:firm/><people/><person><name>Z</name></person>
      </list>`;
    expect(read(text).attributes).toEqual({ "@date": "2026-11-18" });
    expect(elementsIn(text)).toEqual([
      { name: "person", node: { "@id": "1", name: "A & B", alias: ["C"] } },
      { name: "person", node: "text" },
      { name: "firm", node: "" },
      { name: "person", node: { name: "Z" } },
    ]);
  });

  it("reads the same elements as the decoder of whole documents, wherever the pieces are cut", () => {
    const people = Array.from({ length: 4_000 }, (_, at) => {
      const name = `<![CDATA[${"é😀".repeat(at % 40)}]]>&#233;&lt;${at}`;
      return `<person id="${at}"><name>${name}</name><alias>${"x".repeat(at % 90)}</alias></person>`;
    });
    const text = `<list>${people.join("\r\n")}</list>`;
    const whole = decodeXml(text, { kind: "xml", root: "list", lists: ["person", "alias"] });
    expect(elementsIn(text).map(({ node }) => node)).toEqual(whole["person"]);
  });

  it.each([
    ["another document element", "<other><person>1</person></other>"],
    ["no element", "<!-- nothing -->"],
    ["an open element", "<list><person>1</person>"],
    ["two document elements", "<list/><list/>"],
    ["entity declarations", '<!DOCTYPE list [<!ENTITY n "x">]><list><person>&n;</person></list>'],
    ["an element named __proto__", "<list><person><__proto__>1</__proto__></person></list>"],
    ["more than 64 levels", `<list>${"<b>".repeat(66)}${"</b>".repeat(66)}</list>`],
  ])("a document with %s is reported as changed", (_name, text) => {
    expect(() => elementsIn(text)).toThrow(expect.objectContaining({ name: "SourceFailure", kind: "changed" }));
    expect(() => elementsIn(text)).toThrow("expected one whole list element");
  });

  it("a document that breaks off yields complete elements from before the break, then throws", () => {
    const elements: XmlElement[] = [];
    const broken = `<list>${"<person>1</person>".repeat(10_000)}<person>`;
    expect(() => {
      for (const element of read(broken).elements) elements.push(element);
    }).toThrow("expected one whole list element");
    expect(elements.length).toBeGreaterThan(1_000);
  });
});
