import { type Entries, type Entry, firstNotEmpty, isNotEmpty } from "./entry.js";
import { xmlContent } from "./xml-content.js";

export type XmlKind = Exclude<Entries["kind"], "json">;

/** An element of a document. Its content is extracted on demand. */
export interface Element {
  readonly name: string;
  /** Names in lower case, values as written. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly base: string | undefined;
  readonly from: number;
  to: number;
}

export interface Reader {
  readonly all: (name: string) => readonly Element[];
  /** Text of the first non-empty element of that name; "" if there is none. */
  readonly textOf: (name: string) => string;
}

export function reader(elements: readonly Element[], text: string): Reader {
  const byName = new Map<string, Element[]>();
  for (const element of elements) {
    const sameName = byName.get(element.name);
    if (sameName === undefined) byName.set(element.name, [element]);
    else sameName.push(element);
  }
  const all = (name: string): readonly Element[] => byName.get(name) ?? NONE;
  return {
    all,
    textOf(name) {
      for (const { from, to } of all(name)) {
        const content = xmlContent(text.slice(from, to)).trim();
        if (content !== "") return content;
      }
      return "";
    },
  };
}

const NONE: readonly Element[] = [];

const DUBLIN_CORE = ["dc:date", "dc:date.issued", "dc:date.modified"];
const TERMS = ["issued", "created", "date", "available", "modified"].map((name) => `dcterms:${name}`);
const RSS_DATES = ["pubdate", "published", ...DUBLIN_CORE, ...TERMS, "atom:published", "atom:updated", "date"];
/** `issued`, `created` and `modified` belong to Atom 0.3. */
const ATOM_DATES = ["published", "issued", "created", "updated", "modified", ...DUBLIN_CORE, ...TERMS];
const RSS_SUMMARIES = ["description", "content:encoded", "media:description", "atom:summary", "atom:content"];
const ATOM_SUMMARIES = ["summary", "content", "media:description"];

/**
 * Builds an entry from these elements. Some publishers put Atom elements into RSS, or Dublin Core elements into RSS or
 * Atom.
 */
export function entryOf(kind: XmlKind, elements: readonly Element[], entry: Element, text: string): Entry {
  const { all, textOf } = reader(elements, text);
  const firstOf = (names: readonly string[]): string => {
    for (const name of names) {
      const content = textOf(name);
      if (content !== "") return content;
    }
    return "";
  };
  const isAtom = kind === "atom";
  const about = attributeOf(entry, "rdf:about");
  const id = isAtom ? textOf("id") : firstNotEmpty([textOf("guid"), about]);
  return {
    title: firstOf(["title", "dc:title", "media:title"]),
    id,
    base: entry.base,
    links: [
      textOf("origlink"),
      ...(isAtom ? [] : [textOf("link")]),
      ...articleLinks([...all("link"), ...all("atom:link")]),
      ...(isAtom ? [] : permanent(all("guid")[0], id, about)),
    ].filter(isNotEmpty),
    dates: (isAtom ? ATOM_DATES : RSS_DATES).map(textOf).filter(isNotEmpty),
    summary: () => firstOf(isAtom ? ATOM_SUMMARIES : RSS_SUMMARIES),
    images: imagesOf(all),
  };
}

function attributeOf({ attributes }: Element, name: string): string {
  return xmlContent(attributes[name] ?? "").trim();
}

/**
 * Returns the links to the article, with pages before other formats. Leaves out other links, for example to the feed
 * itself, to the comments or to an enclosure.
 */
function articleLinks(links: readonly Element[]): readonly string[] {
  const alternate = links.filter((link) => /(?:^|\/)(?:alternate)?$/.test(attributeOf(link, "rel")));
  const isPage = (link: Element): boolean => /^(?:$|text\/html|application\/xhtml)/.test(attributeOf(link, "type"));
  const ordered = [...alternate.filter(isPage), ...alternate.filter((link) => !isPage(link))];
  return ordered.map((link) => {
    const address = attributeOf(link, "href");
    return address !== "" && URL.canParse(address, link.base) ? new URL(address, link.base).href : address;
  });
}

/** Ids that are also addresses. A relative guid is only a name and is not resolved. */
function permanent(guid: Element | undefined, id: string, about: string): readonly string[] {
  const isPermaLink = guid === undefined || attributeOf(guid, "ispermalink").toLowerCase() !== "false";
  return [isPermaLink ? id : "", about].filter((address) => /^https?:\/\//i.test(address));
}

function imagesOf(all: Reader["all"]): readonly string[] {
  const pictures = [...all("media:thumbnail"), ...[...all("media:content"), ...all("enclosure")].filter(isPicture)];
  return pictures.map((picture) => attributeOf(picture, "url")).filter(isNotEmpty);
}

function isPicture(element: Element): boolean {
  const type = attributeOf(element, "type") || attributeOf(element, "medium");
  return type === "" || type.startsWith("image");
}
