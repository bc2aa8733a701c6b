import { readFileSync } from "node:fs";
import { basename } from "node:path";

/** Words and phrases by the name of their list. */
export type WordLists = Readonly<Record<string, readonly string[]>>;

/**
 * Reads the lists of a text file. A list is a line `name: word,word` and the indented lines after it; a line that
 * begins with `#` is a comment. Throws an error that names the file and the line if a word is empty, if a list has a
 * word twice, or if two lists have the same name.
 */
export function readWordLists(file: URL): WordLists {
  return wordListsIn(readFileSync(file, "utf8"), basename(file.pathname));
}

/** Reads the lists in the text of a file; `name` is the file's name in error messages. */
export function wordListsIn(text: string, name: string): WordLists {
  const lists: Record<string, string[]> = {};
  let open: { readonly title: string; readonly words: Set<string> } | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    if (line === "" || line.startsWith("#")) continue;
    const place = `${name}, line ${index + 1}`;
    const isContinued = line.startsWith(" ");
    if (!isContinued) {
      const end = line.indexOf(":");
      if (end < 1) throw new Error(`${place}: a list begins with its name and a colon`);
      open = { title: line.slice(0, end), words: new Set() };
      if (Object.hasOwn(lists, open.title)) throw new Error(`${place}: the list ${open.title} is already defined`);
      lists[open.title] = [];
    }
    if (open === undefined) throw new Error(`${place}: no list has begun`);
    const { title, words } = open;
    for (const word of wordsOf(isContinued ? line : line.slice(title.length + 1))) {
      if (word === "") throw new Error(`${place}: ${title} has an empty word`);
      if (words.has(word)) throw new Error(`${place}: ${title} has "${word}" twice`);
      words.add(word);
      lists[title]?.push(word);
    }
  }
  return lists;
}

/** The words of one line, which may end with a comma. */
function wordsOf(line: string): readonly string[] {
  const text = line.trim();
  if (text === "") return [];
  return (text.endsWith(",") ? text.slice(0, -1) : text).split(",").map((word) => word.trim());
}
