import { type X2jOptions, XMLParser, XMLValidator } from "fast-xml-parser";
import { type DocumentOf, type Format, SourceFailure, type XmlNode } from "../contract/source.js";
import { xmlEntities } from "./xml-entities.js";

type XmlFormat = Extract<Format, { kind: "xml" }>;

const DEPTH_MAX = 64;

const options: X2jOptions = {
  removeNSPrefix: true,
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  // Numbers stay text: what "2.40" or "007" means is the source's to say.
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  maxNestedTags: DEPTH_MAX,
  // The library trims text but not CDATA.
  tagValueProcessor: (_name, value) => value.trim(),
  jPath: false,
  entityDecoder: xmlEntities,
};

/** The members of the document element. Throws `SourceFailure` "changed" for anything but a whole document of that root. */
export function decodeXml(text: string, { root, lists }: XmlFormat): DocumentOf<XmlFormat> {
  const valid = XMLValidator.validate(text);
  if (valid !== true) throw changed(root, `the XML is cut off or malformed (${valid.err.msg} line ${valid.err.line})`);
  const [[name, element], ...others] = elementsOf(text, root, lists);
  if (others.length > 0) throw changed(root, "the XML has more than one document element");
  if (name !== root) throw changed(root, `the document element is ${name.slice(0, 40)}`);
  return membersOf(element);
}

type Element = readonly [name: string, element: XmlNode];

function elementsOf(text: string, root: string, lists: readonly string[]): readonly [Element, ...Element[]] {
  const repeated: ReadonlySet<string> = new Set(lists);
  const isArray: NonNullable<X2jOptions["isArray"]> = (name, _path, _isLeaf, isAttribute) =>
    !isAttribute && repeated.has(name);
  try {
    // The parser's own return type is any; strings, objects and arrays of them are all that these options produce.
    const document = new XMLParser({ ...options, isArray }).parse(text) as Record<string, XmlNode | XmlNode[]>;
    // Repeated elements arrive as one list, text between them as #text; neither belongs here.
    const [first, ...others] = Object.entries(document).flatMap(([name, found]): readonly Element[] =>
      Array.isArray(found) ? found.map((element) => [name, element]) : [[name, found]],
    );
    if (first !== undefined) return [first, ...others];
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw changed(root, `the XML cannot be read (${reason.slice(0, 100)})`);
  }
  throw changed(root, "the XML has no document element");
}

function membersOf(element: XmlNode): DocumentOf<XmlFormat> {
  if (typeof element !== "string") return element;
  return element === "" ? {} : { "#text": element };
}

function changed(root: string, problem: string): SourceFailure {
  return new SourceFailure("changed", `${problem}; expected one whole ${root} element`);
}
