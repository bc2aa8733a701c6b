/** An entry of any dialect: candidates in order of preference, as they were written. */
export interface Entry {
  readonly title: string;
  readonly id: string;
  readonly links: readonly string[];
  readonly dates: readonly string[];
  readonly summary: string;
  readonly images: readonly string[];
}

type Node = Readonly<Record<string, unknown>>;
type Dialect = "rss" | "rdf" | "atom" | "json";

/** The entries of a parsed feed. */
export function entriesOf(dialect: Dialect, feed: unknown): readonly Entry[] {
  const items = listAt(feed, dialect === "atom" ? "entries" : "items");
  return items.map(readers[dialect]);
}

/** Title and language of a parsed feed, as they were written; "" where it has none. */
export function feedTitle(feed: unknown): { readonly title: string; readonly language: string } {
  return { title: textOf(at(feed, "title")), language: textOf(at(feed, "language")) };
}

const readers: Readonly<Record<Dialect, (item: unknown) => Entry>> = {
  rss: rssItem,
  rdf: rssItem,
  atom: atomEntry,
  json: jsonItem,
};

/** An item of RSS 0.9x, 1.0 or 2.0. Some publishers put Atom's elements beside RSS's own. */
function rssItem(item: unknown): Entry {
  const guid = textOf(at(item, "guid"));
  const isPermaLink = at(item, "guid", "isPermaLink") !== false;
  return {
    title: textOf(at(item, "title")) || textOf(at(item, "dc", "title")) || firstText(at(item, "dc", "titles")),
    id: guid || textOf(at(item, "rdf", "about")),
    links: [
      textOf(at(item, "link")),
      ...atomLinks(at(item, "atom", "links")),
      isPermaLink ? guid : "",
      textOf(at(item, "rdf", "about")),
    ].filter(isGiven),
    dates: [textOf(at(item, "pubDate")), ...extraDates(item)].filter(isGiven),
    summary:
      textOf(at(item, "description")) ||
      textOf(at(item, "content", "encoded")) ||
      textOf(at(item, "media", "description")),
    images: imagesOf(item),
  };
}

function atomEntry(entry: unknown): Entry {
  return {
    title: textOf(at(entry, "title")),
    id: textOf(at(entry, "id")),
    links: atomLinks(at(entry, "links")).filter(isGiven),
    dates: [
      ...["published", "issued", "created", "updated", "modified"].map((name) => textOf(at(entry, name))),
      ...extraDates(entry),
    ].filter(isGiven),
    summary: textOf(at(entry, "summary")) || textOf(at(entry, "content")) || textOf(at(entry, "media", "description")),
    images: imagesOf(entry),
  };
}

function jsonItem(item: unknown): Entry {
  return {
    title: textOf(at(item, "title")),
    id: textOf(at(item, "id")),
    links: [textOf(at(item, "url")), textOf(at(item, "external_url"))].filter(isGiven),
    dates: [textOf(at(item, "date_published")), textOf(at(item, "date_modified"))].filter(isGiven),
    summary: [at(item, "summary"), at(item, "content_text"), at(item, "content_html")].map(textOf).find(isGiven) ?? "",
    images: [textOf(at(item, "image")), textOf(at(item, "banner_image"))].filter(isGiven),
  };
}

/** The article first, other relations after it, the feed itself never. */
function atomLinks(links: unknown): readonly string[] {
  const all = Array.isArray(links) ? (links as readonly unknown[]) : [];
  const ofRelation = (wanted: (relation: string) => boolean): string[] =>
    all.filter((link) => wanted(textOf(at(link, "rel")))).map((link) => textOf(at(link, "href")));
  return ofRelation((relation) => relation === "alternate" || relation === "");
}

/** Dates under Dublin Core, and those of Atom inside RSS. */
function extraDates(item: unknown): readonly string[] {
  const names = ["published", "updated"].map((name) => textOf(at(item, "atom", name)));
  const terms = ["issued", "created", "date", "available", "modified"].flatMap((name) => [
    textOf(at(item, "dcterms", name)),
    firstText(at(item, "dcterms", `${name}s`)),
  ]);
  const dates = [firstText(at(item, "dc", "dates")), textOf(at(item, "dc", "date"))];
  return [...dates, ...terms, ...names];
}

function imagesOf(item: unknown): readonly string[] {
  const media = [...listAt(at(item, "media"), "thumbnails"), ...listAt(at(item, "media"), "contents")].filter(
    isPicture,
  );
  const enclosures = listAt(item, "enclosures").filter(isPicture);
  return [...media, ...enclosures].map((one) => textOf(at(one, "url"))).filter(isGiven);
}

function isPicture(one: unknown): boolean {
  const type = textOf(at(one, "type")) || textOf(at(one, "medium"));
  return type === "" || type.startsWith("image");
}

/** The member at a path; undefined where it ends early. */
function at(node: unknown, ...path: readonly string[]): unknown {
  let found: unknown = node;
  for (const name of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Node)[name];
  }
  return found;
}

function listAt(node: unknown, name: string): readonly unknown[] {
  const found = at(node, name);
  return Array.isArray(found) ? found : [];
}

/** A text, alone or as the value of an element with attributes. */
function textOf(node: unknown): string {
  if (typeof node === "string") return node.trim();
  const value = at(node, "value");
  return typeof value === "string" ? value.trim() : "";
}

function firstText(list: unknown): string {
  return Array.isArray(list) ? textOf(list[0]) : "";
}

function isGiven(text: string): boolean {
  return text !== "";
}
