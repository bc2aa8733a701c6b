const KEYWORDS = new Set(
  "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield".split(
    " ",
  ),
);
const COLUMNS_MAX = 118;

/** Converts `company-monitoring` to `company_monitoring`. */
export const snakeCase = (name) => name.replaceAll("-", "_").toLowerCase();

/** Converts `list-earthquakes`, `page_size` and `sourceUrl` to `ListEarthquakes`, `PageSize` and `SourceUrl`. */
export const pascalCase = (name) =>
  name.replace(/(?:^|[-_.]+)(\w)/g, (_, letter) => letter.toUpperCase()).replace(/\W/g, "");

/** True if Python reserves the word. */
export const isKeyword = (name) => KEYWORDS.has(name);

/** Returns a valid Python name for a parameter, such as `from_` for `from`. */
export const parameterName = (name) => (isKeyword(name) ? `${snakeCase(name)}_` : snakeCase(name));

/** Returns the Python literal of a string, a number or a boolean. */
export const literal = (value) => (value === true ? "True" : value === false ? "False" : JSON.stringify(value));

/** Adds a full stop to a description that ends without punctuation. */
export const sentences = (text) => (/[.!?:]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`);

/** Formats paragraphs as a docstring. Each paragraph is a string or a list of lines. */
export function docstring(paragraphs, indent) {
  const lines = paragraphs.flatMap((paragraph, index) => [
    ...(index > 0 ? [""] : []),
    ...[paragraph].flat().flatMap((line) => wrapped(line, COLUMNS_MAX - indent.length)),
  ]);
  const safe = lines.map((line) => line.replaceAll("\\", "\\\\").replaceAll('"""', '\\"""'));
  const [first = ""] = safe;
  if (safe.length === 1 && indent.length + first.length + 6 <= COLUMNS_MAX && !first.endsWith('"')) {
    return `${indent}"""${first}"""\n`;
  }
  return `${indent}"""\n${safe.map((line) => (line === "" ? "\n" : `${indent}${line}\n`)).join("")}${indent}"""\n`;
}

/** Wraps a string into lines. In a field such as `:param name:`, the lines after the first are indented. */
function wrapped(text, columns) {
  const lines = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    if (line !== "" && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = text.startsWith(":") ? `    ${word}` : word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
