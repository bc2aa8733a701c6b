import { parseAst } from "rolldown/parseAst";

/**
 * Finds the regular expressions in source text. `lang` is the language of the text, in the parser's terms, such as
 * `tsx`. Returns the literals, and the line and column of every call that builds an expression from a string.
 */
export function expressionsIn(text, lang = "js") {
  const literals = [];
  const sites = [];
  const lines = lineStarts(text);
  const pending = [parseAst(text, { lang })];
  while (pending.length > 0) {
    const node = pending.pop();
    if (node.type === "Literal" && node.regex) literals.push({ source: node.regex.pattern, flags: node.regex.flags });
    const isMade = node.type === "NewExpression" || node.type === "CallExpression";
    if (isMade && node.callee.type === "Identifier" && node.callee.name === "RegExp") sites.push(placeOf(node.start));
    for (const member of Object.values(node).flat()) {
      if (typeof member?.type === "string") pending.push(member);
    }
  }
  return { literals, sites };

  function placeOf(offset) {
    const line = lines.findLastIndex((start) => start <= offset);
    return `${line + 1}:${offset - lines[line] + 1}`;
  }
}

function lineStarts(text) {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
