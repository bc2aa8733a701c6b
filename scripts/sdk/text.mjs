/** `list-earthquakes` and `page_size` as `listEarthquakes` and `pageSize`. */
export function camelCase(name) {
  return name.replace(/[-_](.)/g, (_, letter) => letter.toUpperCase());
}

/** `list-earthquakes` as `ListEarthquakes`. */
export function pascalCase(name) {
  const camel = camelCase(name);
  return camel[0].toUpperCase() + camel.slice(1);
}

/** A description as the text of a comment, ending with a full stop. */
export function sentences(text) {
  const safe = text.replaceAll("*/", "*\\/").replaceAll("\n", " ").trim();
  return /[.!?:;]$/.test(safe) ? safe : `${safe}.`;
}
