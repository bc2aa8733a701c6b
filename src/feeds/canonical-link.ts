/** Parameters that track the origin of a reader and do not select content. */
const TRACKING =
  /^(?:utm_\w+|fbclid|gclid|dclid|msclkid|mc_[ce]id|at_\w+|ns_\w+|cmp|ito|ftag|xtor|wt_mc|traffic_source|ocid|partner|emc|feedtype|feedname|_hs\w+|guccounter)$/i;

const LENGTH_MAX = 2_048;

/**
 * Returns an http or https address without user, fragment, default port and tracking parameters. Links to an article
 * that differ only in these parts get the same address. Undefined for everything else (`javascript:`, `mailto:`, an
 * overlong address, text that is not an address).
 */
export function canonicalLink(text: string, base?: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed.length > LENGTH_MAX || !URL.canParse(trimmed, base)) return undefined;
  const url = new URL(trimmed, base);
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  // A part is set only if necessary: setting it is as slow as parsing the whole address, and re-encodes the query.
  if (url.hash !== "" || url.href.endsWith("#")) url.hash = "";
  if (url.username !== "" || url.password !== "") url.username = url.password = "";
  if (url.search === "") return url.href;
  for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name);
  return url.href;
}
