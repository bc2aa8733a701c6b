import { resolvedIn } from "../calls.mjs";

/**
 * Finds the instants in an answer: the members that the document describes as epoch ms or ISO 8601. Returns their
 * paths, such as `earthquakes.occurredAt`, with `*` for the keys of a dictionary. `absentAtZero` has the paths of
 * the instants for which 0 means no time.
 */
export function instantsIn(document, schema) {
  const instants = [];
  const absentAtZero = [];
  walk(schema, []);
  return { instants, absentAtZero };

  function walk(node, place) {
    const own = resolvedIn(document, node);
    if (own === undefined) return;
    const { type, format, description = "" } = { ...own, ...node };
    if (format === "date-time" || (type === "integer" && /epoch ms/i.test(description))) {
      instants.push(place.join("."));
      if (/\b0 (?:without|while)\b/.test(description)) absentAtZero.push(place.join("."));
    }
    if (own.items) walk(own.items, place);
    for (const [name, member] of Object.entries(own.properties ?? {})) walk(member, [...place, name]);
    for (const member of Object.values(own.patternProperties ?? {})) walk(member, [...place, "*"]);
    for (const alternative of own.anyOf ?? []) walk({ description, ...alternative }, place);
  }
}
