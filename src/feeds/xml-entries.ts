import { Parser } from "htmlparser2";
import { type Entries, type EntriesOptions, type Entry, EXPECTED, FeedUnreadable, firstNotEmpty } from "./entry.js";
import { xmlContent } from "./xml-content.js";
import { type Element, entryOf, reader, type XmlKind } from "./xml-entry.js";
import { createNames, spaceOf } from "./xml-names.js";

interface OpenElement extends Element {
  /** The namespace of names without a prefix. */
  readonly space: string;
}

/** Maximum depth. The deepest recorded feed has 30 levels, including its XHTML. */
const DEPTH_MAX = 200;
/** Maximum number of elements of one entry. Further elements are dropped, because the relevant ones come early. */
const ELEMENTS_MAX = 200;

/**
 * Reads RSS 0.9x and 2.0, RSS 0.90 and 1.0 (RDF), Atom 0.3 and 1.0. Like other readers, it tolerates small faults: bare
 * ampersands, unescaped HTML, capital letters in names, HTML entities. Throws `FeedUnreadable` for other XML and for a
 * document that is truncated, declares entities or is nested too deeply. It reads the text once and builds nothing for
 * entries beyond `entriesMax`.
 */
export function xmlEntries(text: string, options: EntriesOptions): Entries {
  const collector = createCollector(text, options);
  const parser: Parser = new Parser(
    {
      onprocessinginstruction(_name, written) {
        if (/^!(?:doctype[\s\S]*<!)?entity/i.test(written)) {
          throw new FeedUnreadable(`the document declares its own entities; ${EXPECTED} without entities`);
        }
      },
      onopentag: (written, attributes) => collector.open(written, attributes, parser.endIndex + 1),
      onclosetag() {
        collector.close(parser.startIndex);
        // Content after the end of the feed is ignored, because some hosts append counting pixels and scripts.
        if (collector.hasEnded) parser.pause();
      },
    },
    { xmlMode: true, decodeEntities: false, lowerCaseAttributeNames: true },
  );
  parser.write(text);
  return collector.entries();
}

interface Collector {
  /** Opens an element whose content begins at `from`. */
  open(written: string, attributes: Readonly<Record<string, string>>, from: number): void;
  /** Closes the innermost element, whose content ends at `to`. */
  close(to: number): void;
  /** True after the document element has ended. */
  readonly hasEnded: boolean;
  /** Returns the entries. Must be called after the last event. */
  entries(): Entries;
}

function createCollector(text: string, { base, entriesMax }: EntriesOptions): Collector {
  const names = createNames();
  const path: OpenElement[] = [];
  const ofFeed: Element[] = [];
  const entries: Entry[] = [];
  let kind: XmlKind | undefined;
  let [entriesTotal, hasChannel, hasEnded] = [0, false, false];
  /**
   * The number of elements that enclose the open entry; undefined while no entry is open. `ofEntry` contains the
   * entry's elements.
   */
  let outside: number | undefined;
  let ofEntry: Element[] = [];

  function open(written: string, attributes: Readonly<Record<string, string>>, from: number): void {
    if (path.length >= DEPTH_MAX)
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

  /**
   * Returns the list to which a closed element is added; undefined if the element is not needed. The element's
   * ancestors are still open.
   */
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
      throw new FeedUnreadable(`the document breaks off inside the element ${path.at(-1)?.name}; expected its end`);
    }
    if (kind !== "atom" && !hasChannel && entriesTotal === 0) {
      throw new FeedUnreadable(`the ${kind} element has neither a channel nor an item; ${EXPECTED}`);
    }
    const { textOf } = reader(ofFeed, text);
    const language = firstNotEmpty([textOf("language"), textOf("dc:language")]);
    return { kind, entries, entriesTotal, title: textOf("title"), language };
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

/**
 * The kind of the document element. Throws `FeedUnreadable` if the element belongs to no feed format. Because `feed` is
 * a common word, an element of that name is accepted only without a namespace or in Atom's namespace.
 */
function kindOf(written: string, attributes: Readonly<Record<string, string>>): XmlKind {
  const colon = written.indexOf(":");
  const local = written.slice(colon + 1).toLowerCase();
  const kind = kinds.get(local);
  const address = attributes[colon < 0 ? "xmlns" : `xmlns:${written.slice(0, colon).toLowerCase()}`];
  if (kind !== undefined && (kind !== "atom" || address === undefined || spaceOf(address) === "atom")) return kind;
  const content = local === "html" ? "an HTML page" : `XML with the document element ${written.slice(0, 40)}`;
  const inSpace = kind === undefined || address === undefined ? "" : ` of ${address.slice(0, 60)}`;
  throw new FeedUnreadable(`the document is ${content}${inSpace}; ${EXPECTED}`);
}

/**
 * The default namespace of a nested element. The default namespace that the document element declares is ignored,
 * because some publishers declare the wrong one.
 */
function spaceIn(parent: OpenElement, declared: string | undefined): string {
  return declared === undefined ? parent.space : (spaceOf(declared) ?? "");
}

function nameIn(kind: XmlKind, name: string): string {
  if (kind === "atom" && name.startsWith("atom:")) return name.slice("atom:".length);
  // Click-counting services have several namespaces, but all of them use this name for the publisher's own address.
  return name.endsWith(":origlink") ? "origlink" : name;
}

/**
 * Maximum length of a base address; no real address is longer. A longer address is ignored. Without this limit, each
 * nested element could lengthen the address of the element around it.
 */
const BASE_CHARACTERS_MAX = 2_048;

function baseIn(outer: string | undefined, written: string | undefined): string | undefined {
  const address = xmlContent(written ?? "").trim();
  if (address === "" || address.length > BASE_CHARACTERS_MAX || !URL.canParse(address, outer)) return outer;
  const { href } = new URL(address, outer);
  return href.length > BASE_CHARACTERS_MAX ? outer : href;
}

/** True for a title or language that is a child of the channel or of the document element. */
function isOfFeed({ name }: Element, open: readonly Element[]): boolean {
  const isInFeed = open.length === 1 || (open.length === 2 && open[1]?.name === "channel");
  return isInFeed && (name === "title" || name === "language" || name === "dc:language");
}

/** True for a child of the entry, or for a media element inside another media element. */
function isOfEntry({ name }: Element, open: readonly Element[], entryDepth: number): boolean {
  return open.length === entryDepth || (name.startsWith("media:") && open.at(-1)?.name.startsWith("media:") === true);
}
