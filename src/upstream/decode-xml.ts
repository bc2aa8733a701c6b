import { SaxesParser } from "saxes";
import type { DocumentOf, Format, XmlNode } from "../contract/format.js";
import { SourceFailure } from "../contract/source.js";

type XmlFormat = Extract<Format, { kind: "xml" }>;

const DEPTH_MAX = 64;

/** An open element: its members so far, and the text between them. */
interface OpenElement {
  readonly name: string;
  readonly members: Record<string, XmlNode | XmlNode[]>;
  text: string;
}

/**
 * Decodes XML to the members of its document element. Prefixes are dropped. Text is trimmed and not converted: the
 * source decides whether "2.40" or "007" is a number. Throws `SourceFailure` "changed" for anything but a complete
 * document with that root.
 */
export function decodeXml(text: string, { root, lists }: XmlFormat): DocumentOf<XmlFormat> {
  const repeated: ReadonlySet<string> = new Set(lists);
  const outside: OpenElement = { name: "", members: {}, text: "" };
  const open: OpenElement[] = [outside];
  const parser = new SaxesParser({ position: true, xmlns: false });
  parser.ENTITIES = entities;
  let hasImpossibleCharacter = false;

  parser.on("error", ({ message }) => {
    // Feeds derived from HTML use entities that XML does not have; these are left as written.
    if (message.endsWith("undefined entity.")) return;
    if (message.endsWith("malformed character entity.")) hasImpossibleCharacter = true;
    else throw changed(root, `the XML is cut off or malformed (${message.slice(0, 100)})`);
  });
  parser.on("doctype", (declaration) => {
    if (/<!ENTITY/i.test(declaration)) throw changed(root, "the XML declares its own entities");
  });
  parser.on("opentag", ({ name, attributes }) => {
    if (open.length > DEPTH_MAX) throw changed(root, `the XML has more than ${DEPTH_MAX} levels`);
    open.push({ name: localName(name, root), members: membersFrom(attributes), text: "" });
  });
  const addText = (read: string): void => {
    const element = open.at(-1);
    if (element) element.text += read;
  };
  parser.on("text", (read) => addText(hasImpossibleCharacter ? withoutImpossible(read) : read));
  parser.on("cdata", addText);
  parser.on("closetag", () => {
    const element = open.pop();
    const parent = open.at(-1);
    if (element && parent) append(parent.members, element.name, nodeOf(element), repeated);
  });
  parser.write(text.trimStart()).close();

  return documentElement(outside, root);
}

/** XML's predefined entities, and the most common one of feeds derived from HTML. */
const entities: Record<string, string> = Object.assign(Object.create(null), {
  amp: "&",
  gt: ">",
  lt: "<",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
});

function documentElement({ members }: OpenElement, root: string): DocumentOf<XmlFormat> {
  const [name, content] = Object.entries(members)[0] ?? [];
  if (name !== root) throw changed(root, `the document element is ${(name ?? "missing").slice(0, 40)}`);
  // If its name is listed, even the document element is an array.
  const element = Array.isArray(content) ? content[0] : (content as XmlNode | undefined);
  if (typeof element === "object") return element;
  return element === "" || element === undefined ? {} : { "#text": element };
}

/** Names that would modify an object's prototype. */
const unsafe: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

function localName(name: string, root: string): string {
  const local = name.slice(name.indexOf(":") + 1);
  if (unsafe.has(local)) throw changed(root, `the XML has an element called ${local}`);
  return local;
}

function membersFrom(attributes: Readonly<Record<string, string>>): OpenElement["members"] {
  const members: OpenElement["members"] = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (name !== "xmlns" && !name.startsWith("xmlns:")) members[`@${name.slice(name.indexOf(":") + 1)}`] = value;
  }
  return members;
}

/** Returns the text of an element without members, else its members, with the text as `#text`. */
function nodeOf({ members, text }: OpenElement): XmlNode {
  const trimmed = text.trim();
  for (const _member in members) return trimmed === "" ? members : { ...members, "#text": trimmed };
  return trimmed;
}

function append(members: OpenElement["members"], name: string, value: XmlNode, repeated: ReadonlySet<string>): void {
  const earlier = Object.hasOwn(members, name) ? members[name] : undefined;
  if (Array.isArray(earlier)) earlier.push(value);
  else if (earlier !== undefined) members[name] = [earlier as XmlNode, value];
  else members[name] = repeated.has(name) ? [value] : value;
}

/** Removes references to nonexistent characters, which the parser leaves as written. */
function withoutImpossible(text: string): string {
  return text.replace(
    /&#(?:(\d{1,9})|[xX]([\da-fA-F]{1,8}));/g,
    (reference, decimal?: string, hexadecimal?: string) => {
      const codePoint = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number(decimal);
      const isPossible = codePoint > 0 && codePoint <= 0x10ffff && !(codePoint >= 0xd800 && codePoint <= 0xdfff);
      return isPossible ? reference : "\ufffd";
    },
  );
}

function changed(root: string, problem: string): SourceFailure {
  return new SourceFailure("changed", `${problem}; expected one whole ${root} element`);
}
