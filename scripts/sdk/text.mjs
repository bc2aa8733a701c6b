/** Converts `list-earthquakes` and `page_size` to `listEarthquakes` and `pageSize`. */
export function camelCase(name) {
  return name.replace(/[-_](.)/g, (_, letter) => letter.toUpperCase());
}

/** Converts `list-earthquakes` to `ListEarthquakes`. */
export function pascalCase(name) {
  const camel = camelCase(name);
  return camel[0].toUpperCase() + camel.slice(1);
}

/** Converts a description to the text of a comment, and adds a full stop if it ends without punctuation. */
export function sentences(text) {
  const safe = text.replaceAll("*/", "*\\/").replaceAll("\n", " ").trim();
  return /[.!?:;]$/.test(safe) ? safe : `${safe}.`;
}
