import { SaxesParser } from "saxes";
import type { DocumentOf, Format, XmlElement, XmlElements, XmlNode } from "../contract/format.js";
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
 * document whose root has the expected name.
 */
export function decodeXml(text: string, format: XmlFormat): DocumentOf<XmlFormat> {
  const { parser, outside } = xmlReader({ ...format, each: [] });
  parser.write(text.trimStart()).close();
  return documentElement(outside, format.root);
}

/**
 * Reads an "xml elements" document one element at a time, from the pieces of its text. The text must not begin with
 * white space. Needs memory only for one piece and for the largest element.
 */
export function xmlElements(
  pieces: Iterator<string, void>,
  format: Extract<Format, { kind: "xml elements" }>,
): XmlElements {
  const { parser, outside, opened, finished } = xmlReader(format);

  /** Reads one more piece. Returns false at the end of a whole document. */
  function readOn(): boolean {
    const { value: piece } = pieces.next();
    if (piece === undefined) {
      parser.close();
      documentElement(outside, format.root);
      return false;
    }
    parser.write(piece);
    return true;
  }

  function* elements(): Generator<XmlElement, void> {
    do yield* finished.splice(0);
    while (readOn());
    yield* finished.splice(0);
  }

  while (opened.length === 0 && readOn());
  const [element] = opened;
  if (element && element.name !== format.root) throw notTheRoot(format.root, element.name);
  return { attributes: element?.attributes ?? {}, elements: elements() };
}

interface OpenedElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/**
 * Creates a parser that builds the elements of a document. An element named in `each` is added to `finished` instead of
 * to its parent.
 */
function xmlReader({ root, lists, each }: Pick<Extract<Format, { kind: "xml elements" }>, "root" | "lists" | "each">) {
  const repeated: ReadonlySet<string> = new Set(lists);
  const single: ReadonlySet<string> = new Set(each);
  const outside: OpenElement = { name: "", members: {}, text: "" };
  const open: OpenElement[] = [outside];
  /** Empty until the document element opens; then holds only that element. */
  const opened: OpenedElement[] = [];
  const finished: XmlElement[] = [];
  const memberNameOf = remembered(memberName);
  const localNameOf = remembered((name) => localName(name, root));
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
    const local = localNameOf(name);
    const members = membersFrom(attributes, memberNameOf);
    // A new element has only attributes, whose values are strings.
    if (opened.length === 0) opened.push({ name: local, attributes: { ...members } as OpenedElement["attributes"] });
    open.push({ name: local, members, text: "" });
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
    if (!element || !parent) return;
    const node = nodeOf(element);
    if (single.has(element.name)) finished.push({ name: element.name, node });
    else append(parent.members, element.name, node, repeated);
  });
  return { parser, outside, opened, finished };
}

/** XML's predefined entities, and nbsp, the most common entity in feeds derived from HTML. */
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
  if (name !== root) throw notTheRoot(root, name);
  // If the document element's name is in `lists`, even this single element is an array.
  const element = Array.isArray(content) ? content[0] : (content as XmlNode | undefined);
  if (typeof element === "object") return element;
  return element === "" || element === undefined ? {} : { "#text": element };
}

function notTheRoot(root: string, name: string | undefined): SourceFailure {
  return changed(root, `the document element is ${(name ?? "missing").slice(0, 40)}`);
}

/** Names that would modify an object's prototype. */
const unsafe: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

function localName(name: string, root: string): string {
  const local = name.slice(name.indexOf(":") + 1);
  if (unsafe.has(local)) throw changed(root, `the XML has an element called ${local}`);
  return local;
}

/** The name of the member that holds an attribute; undefined for a namespace declaration. */
function memberName(attribute: string): string | undefined {
  if (attribute === "xmlns" || attribute.startsWith("xmlns:")) return undefined;
  return `@${attribute.slice(attribute.indexOf(":") + 1)}`;
}

/**
 * Computes each name once, because a document uses the same few names over and over, and because it is slow to use a
 * new string as a property name.
 */
function remembered<T>(compute: (name: string) => T): (name: string) => T {
  const computed = new Map<string, T>();
  return (name) => {
    let value = computed.get(name);
    if (value === undefined) {
      value = compute(name);
      computed.set(name, value);
    }
    return value;
  };
}

function membersFrom(
  attributes: Readonly<Record<string, string>>,
  memberNameOf: (attribute: string) => string | undefined,
): OpenElement["members"] {
  const members: OpenElement["members"] = {};
  // The parser's objects have no prototype.
  for (const name in attributes) {
    const member = memberNameOf(name);
    if (member !== undefined) members[member] = attributes[name] as string;
  }
  return members;
}

/** Returns the text of an element without members; for any other element its members, with its text as `#text`. */
function nodeOf({ members, text }: OpenElement): XmlNode {
  const trimmed = detached(text.trim());
  for (const _member in members) return trimmed === "" ? members : { ...members, "#text": trimmed };
  return trimmed;
}

/** Minimum length of a substring that V8 stores as a reference into the whole string. V8 copies shorter ones. */
const REFERENCE_LENGTH_MIN = 13;

/** Returns a copy of a text, so that a record that keeps the text does not keep the whole document in memory. */
function detached(text: string): string {
  return text.length < REFERENCE_LENGTH_MIN ? text : Buffer.from(text).toString();
}

function append(members: OpenElement["members"], name: string, value: XmlNode, repeated: ReadonlySet<string>): void {
  const earlier = Object.hasOwn(members, name) ? members[name] : undefined;
  if (Array.isArray(earlier)) earlier.push(value);
  else if (earlier !== undefined) members[name] = [earlier as XmlNode, value];
  else members[name] = repeated.has(name) ? [value] : value;
}

/** Replaces references to nonexistent characters with U+FFFD. The parser leaves such references as written. */
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
