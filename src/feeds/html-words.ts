import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";

/** Elements whose content is not page text. */
const silent: ReadonlySet<string> = new Set([
  "script",
  "style",
  "template",
  "noscript",
  "iframe",
  "object",
  "svg",
  "math",
]);
/** Elements that do not separate the words around them. */
const inline: ReadonlySet<string> = new Set(
  "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr".split(
    " ",
  ),
);
/** Elements that have neither content nor an end tag. */
const empty: ReadonlySet<string> = new Set(
  "area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr".split(
    " ",
  ),
);
/** Elements that can be self-closing (`<svg/>`). */
const selfClosing: ReadonlySet<string> = new Set(["svg", "math"]);

/** Number of characters read at a time, so that reading can stop once there are enough words. */
const PIECE_CHARACTERS = 8_192;

/**
 * Extracts the text between the tags of a piece of HTML. Stops once the text has more than twice `charactersMax`
 * characters, but not if the text has a `<` or `&`, because `plainText` may read that text as markup again and shorten
 * it. Takes linear time, even for deeply nested or unclosed elements.
 */
export function htmlWords(html: string, charactersMax: number): string {
  const open = createOpenElements();
  let words = "";
  let characters = 0;
  let isPlain = true;
  let name = "";
  const space = (element: string): void => {
    if (!inline.has(element)) words += " ";
  };
  const addText = (text: string): void => {
    if (open.isSilent()) return;
    words += text;
    characters += text.trim().length;
    isPlain &&= !(text.includes("<") || text.includes("&"));
  };
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ...ignored,
      ontext: (from, to) => addText(html.slice(from, to)),
      ontextentity: (codePoint) => addText(String.fromCodePoint(codePoint)),
      oncdata: (from, to, offset) => addText(html.slice(from, to - offset)),
      onopentagname(from, to) {
        name = html.slice(from, to).toLowerCase();
        if (!empty.has(name)) open.start(name);
        space(name);
      },
      onselfclosingtag() {
        if (selfClosing.has(name)) open.end(name, space);
      },
      onclosetag(from, to) {
        const ended = html.slice(from, to).toLowerCase();
        // A </br>, and a </p> without a start tag, count as empty elements.
        if (!open.end(ended, space)) space(ended);
      },
    },
  );
  for (let from = 0; from < html.length && !(isPlain && characters > 2 * charactersMax); from += PIECE_CHARACTERS) {
    tokenizer.write(html.slice(from, from + PIECE_CHARACTERS));
  }
  tokenizer.end();
  return words;
}

const nothing = (): void => undefined;
const ignored: TokenizerCallbacks = {
  onattribdata: nothing,
  onattribentity: nothing,
  onattribend: nothing,
  onattribname: nothing,
  oncdata: nothing,
  onclosetag: nothing,
  oncomment: nothing,
  ondeclaration: nothing,
  onend: nothing,
  onopentagend: nothing,
  onopentagname: nothing,
  onprocessinginstruction: nothing,
  onselfclosingtag: nothing,
  ontext: nothing,
  ontextentity: nothing,
};

interface OpenElements {
  /** True inside an element whose content is not page text. */
  isSilent(): boolean;
  start(name: string): void;
  /**
   * Ends the innermost element of that name and all elements inside it, and calls `onEnd` for each of them. Returns
   * false if no element of that name is open.
   */
  end(name: string, onEnd: (name: string) => void): boolean;
}

function createOpenElements(): OpenElements {
  const names: string[] = [];
  const counts = new Map<string, number>();
  let silentOpen = 0;
  const add = (name: string, change: 1 | -1): void => {
    counts.set(name, (counts.get(name) ?? 0) + change);
    if (silent.has(name)) silentOpen += change;
  };
  return {
    isSilent: () => silentOpen > 0,
    start(name) {
      names.push(name);
      add(name, 1);
    },
    end(name, onEnd) {
      if ((counts.get(name) ?? 0) === 0) return false;
      for (let last = names.pop(); last !== undefined; last = names.pop()) {
        add(last, -1);
        onEnd(last);
        if (last === name) break;
      }
      return true;
    },
  };
}
