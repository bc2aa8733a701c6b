import { Parser } from "htmlparser2";
import { type Entries, type EntriesOptions, type Entry, EXPECTED, FeedUnreadable, firstGiven } from "./entry.js";
import { xmlContent } from "./xml-content.js";
import { type Element, entryOf, reader, type XmlKind } from "./xml-entry.js";
import { createNames, spaceOf } from "./xml-names.js";

interface OpenElement extends Element {
  /** What a name in it without a prefix belongs to. */
  readonly space: string;
}

/** No feed that was seen has more than 30 levels, with the XHTML in it. */
const DEPTH_MAX = 200;
/** More elements of one entry are not kept; those that a reader looks for come early. */
const ELEMENTS_MAX = 200;

/**
 * Reads RSS 0.9x and 2.0, RSS 0.90 and 1.0 (RDF), Atom 0.3 and 1.0, as tolerant of small faults as readers are: bare
 * ampersands, HTML that was not escaped, names of other case, entities of HTML. Throws `FeedUnreadable` for XML of
 * another kind, a document that breaks off, one that declares entities, and one that is nested too deeply. One pass, in
 * which nothing is built for the entries beyond `entriesMax`.
 */
export function xmlEntries(text: string, options: EntriesOptions): Entries {
  const collector = createCollector(text, options);
  const parser: Parser = new Parser(
    {
      onprocessinginstruction(_name, written) {
        if (/^!(?:doctype[\s\S]*<!)?entity/i.test(written)) {
          throw new FeedUnreadable(`the document declares entities of its own; ${EXPECTED} without`);
        }
      },
      onopentag: (written, attributes) => collector.open(written, attributes, parser.endIndex + 1),
      onclosetag() {
        collector.close(parser.startIndex);
        // What comes after the end of the feed is not read: counting pixels and scripts of some hosts.
        if (collector.hasEnded) parser.pause();
      },
    },
    { xmlMode: true, decodeEntities: false, lowerCaseAttributeNames: true },
  );
  parser.write(text);
  return collector.entries();
}

interface Collector {
  /** An element begins, its content at `from`. */
  open(written: string, attributes: Readonly<Record<string, string>>, from: number): void;
  /** The innermost element's content ends at `to`. */
  close(to: number): void;
  /** The document element has ended. */
  readonly hasEnded: boolean;
  /** After the last of them. */
  entries(): Entries;
}

function createCollector(text: string, { base, entriesMax }: EntriesOptions): Collector {
  const names = createNames();
  const path: OpenElement[] = [];
  const ofFeed: Element[] = [];
  const entries: Entry[] = [];
  let kind: XmlKind | undefined;
  let [entriesTotal, hasChannel, hasEnded] = [0, false, false];
  /** Of the entry that is open: how many elements it stands in, and its own. */
  let outside: number | undefined;
  let ofEntry: Element[] = [];

  function open(written: string, attributes: Readonly<Record<string, string>>, from: number): void {
    if (path.length > DEPTH_MAX)
      throw new FeedUnreadable(`the document has more than ${DEPTH_MAX} levels; ${EXPECTED}`);
    kind ??= kindOf(written, attributes);
    for (const name in attributes) {
      if (name.startsWith("xmlns:")) names.declare(name.slice(6), attributes[name] ?? "");
    }
    const parent = path.at(-1);
    const space = parent === undefined ? "" : spaceIn(parent, attributes["xmlns"]);
    const name = nameIn(kind, names.of(written, space));
    if (name === "channel") hasChannel = true;
    if (outside === undefined && path.length <= 2 && name === (kind === "atom" ? "entry" : "item")) {
      outside = path.length;
      entriesTotal += 1;
    }
    const within = parent === undefined ? base : parent.base;
    path.push({ name, attributes, space, base: baseIn(within, attributes["xml:base"]), from, to: from });
  }

  /** The list that an element with these around it belongs to. */
  function listOf(element: Element): Element[] | undefined {
    if (outside === undefined) return isOfFeed(element, path) ? ofFeed : undefined;
    return entriesTotal <= entriesMax && isOfEntry(element, path, outside + 1) ? ofEntry : undefined;
  }

  function close(to: number): void {
    const element = path.pop();
    if (element === undefined) return;
    element.to = Math.max(to, element.from);
    if (outside !== undefined && path.length === outside) {
      if (entriesTotal <= entriesMax) entries.push(entryOf(kind ?? "rss", ofEntry, element, text));
      ofEntry = [];
      outside = undefined;
    } else {
      const list = listOf(element);
      if (list !== undefined && list.length < ELEMENTS_MAX) list.push(element);
    }
    hasEnded = path.length === 0;
  }

  function end(): Entries {
    if (kind === undefined) throw new FeedUnreadable(`the document has no element; ${EXPECTED}`);
    if (!hasEnded) {
      throw new FeedUnreadable(`the document breaks off inside the element ${path.at(-1)?.name}; expected all of it`);
    }
    if (kind !== "atom" && !hasChannel && entriesTotal === 0) {
      throw new FeedUnreadable(`the ${kind} element has neither a channel nor an item; ${EXPECTED}`);
    }
    const { one } = reader(ofFeed, text);
    const language = firstGiven([one("language"), one("dc:language")]);
    return { kind, entries, entriesTotal, title: one("title"), language };
  }

  return {
    open,
    close,
    get hasEnded() {
      return hasEnded;
    },
    entries: end,
  };
}

const kinds: ReadonlyMap<string, XmlKind> = new Map([
  ["rss", "rss"],
  ["rdf", "rdf"],
  ["feed", "atom"],
]);

/** What the document element says. `feed` is a common word: one in a namespace that is not Atom's is no feed. */
function kindOf(written: string, attributes: Readonly<Record<string, string>>): XmlKind {
  const colon = written.indexOf(":");
  const local = written.slice(colon + 1).toLowerCase();
  const kind = kinds.get(local);
  const address = attributes[colon < 0 ? "xmlns" : `xmlns:${written.slice(0, colon).toLowerCase()}`];
  if (kind !== undefined && (kind !== "atom" || address === undefined || spaceOf(address) === "atom")) return kind;
  const found = local === "html" ? "an HTML page" : `XML with the document element ${written.slice(0, 40)}`;
  const inSpace = kind === undefined || address === undefined ? "" : ` of ${address.slice(0, 60)}`;
  throw new FeedUnreadable(`the document is ${found}${inSpace}; ${EXPECTED}`);
}

/** The document element's own namespace is the feed's, whatever it is; some publishers put the wrong one there. */
function spaceIn(parent: OpenElement, declared: string | undefined): string {
  return declared === undefined ? parent.space : (spaceOf(declared) ?? "");
}

function nameIn(kind: XmlKind, name: string): string {
  if (kind === "atom" && name.startsWith("atom:")) return name.slice("atom:".length);
  // Counting services have several namespaces, and all call the publisher's own address by this name.
  return name.endsWith(":origlink") ? "origlink" : name;
}

/** No address is longer; one that grew with every level would cost its length again and again. */
const BASE_CHARACTERS_MAX = 2_048;

function baseIn(outer: string | undefined, written: string | undefined): string | undefined {
  const address = xmlContent(written ?? "").trim();
  if (address === "" || address.length > BASE_CHARACTERS_MAX || !URL.canParse(address, outer)) return outer;
  const { href } = new URL(address, outer);
  return href.length > BASE_CHARACTERS_MAX ? outer : href;
}

/** A child of the channel, or of Atom's document element. */
function isOfFeed({ name }: Element, open: readonly Element[]): boolean {
  const isInFeed = open.length === 1 || (open.length === 2 && open[1]?.name === "channel");
  return isInFeed && (name === "title" || name === "language" || name === "dc:language");
}

/** A child of the entry, or one of the media that stand in a group of them. */
function isOfEntry({ name }: Element, open: readonly Element[], entryDepth: number): boolean {
  return open.length === entryDepth || (name.startsWith("media:") && open.at(-1)?.name.startsWith("media:") === true);
}
