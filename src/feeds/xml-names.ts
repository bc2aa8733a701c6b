/** Our names for the namespaces of feeds. A key is the address of a namespace without its scheme and last slash. */
const spaces: ReadonlyMap<string, string> = new Map([
  ["www.w3.org/2005/atom", "atom"],
  ["purl.org/atom/ns#", "atom"],
  ["purl.org/rss/1.0", ""],
  ["my.netscape.com/rdf/simple/0.9", ""],
  ["channel.netscape.com/rdf/simple/0.9", ""],
  ["purl.org/dc/elements/1.1", "dc"],
  ["purl.org/dc/elements/1.0", "dc"],
  ["purl.org/dc/terms", "dcterms"],
  ["search.yahoo.com/mrss", "media"],
  ["purl.org/rss/1.0/modules/content", "content"],
  ["www.w3.org/1999/02/22-rdf-syntax-ns#", "rdf"],
  ["www.w3.org/1999/xhtml", "xhtml"],
  ["www.w3.org/xml/1998/namespace", "xml"],
]);

/** Our name for a namespace; undefined for a namespace that no reader needs. */
export function spaceOf(address: string): string | undefined {
  const bare = address
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/\/$/, "");
  return spaces.get(bare);
}

/**
 * Converts names of elements and attributes to names with one fixed prefix per namespace, such as `dc:date` and
 * `atom:link`, whatever prefixes the document declares. A declaration applies to the rest of the document. A prefix
 * that is undeclared or has an unknown address is kept. Local names are converted to lower case, because some
 * publishers use capitals.
 */
export interface Names {
  declare(prefix: string, address: string): void;
  /** `defaultSpace` is the namespace of a name without a prefix. */
  of(qualified: string, defaultSpace: string): string;
}

export function createNames(): Names {
  const byPrefix = new Map<string, string>();
  const cache = new Map<string, string>();
  const read = (qualified: string): string => {
    const colon = qualified.indexOf(":");
    const local = qualified.slice(colon + 1).toLowerCase();
    const prefix = qualified.slice(0, Math.max(colon, 0)).toLowerCase();
    return joined(byPrefix.get(prefix) ?? prefix, local);
  };
  return {
    declare(prefix, address) {
      const space = spaceOf(address);
      if (space === undefined || byPrefix.get(prefix) === space) return;
      byPrefix.set(prefix, space);
      cache.clear();
    },
    of(qualified, defaultSpace) {
      if (defaultSpace !== "" && !qualified.includes(":")) return joined(defaultSpace, qualified.toLowerCase());
      let name = cache.get(qualified);
      if (name === undefined) {
        name = read(qualified);
        if (cache.size < KNOWN_MAX) cache.set(qualified, name);
      }
      return name;
    },
  };
}

/** Maximum number of cached names, because a document may have any number of names. */
const KNOWN_MAX = 1_000;

function joined(space: string, local: string): string {
  return space === "" ? local : `${space}:${local}`;
}
