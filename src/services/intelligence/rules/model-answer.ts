/** Maximum length of a model's answer. Longer answers are not read, because they do not follow the prompt. */
const TEXT_CHARACTERS_MAX = 20_000;
const CLAIMS_MAX = 60;
/** Maximum number of positions in a text that are tried as the start of a JSON object. */
const TRIES_MAX = 20;

/**
 * Returns the unchecked claims in a model's text. Undefined if the text contains no object with claims, is too long, or
 * has too many claims.
 */
export function claimsIn(text: string): readonly unknown[] | undefined {
  if (text.length > TEXT_CHARACTERS_MAX) return undefined;
  let from = text.indexOf("{");
  for (let tries = 0; from >= 0 && tries < TRIES_MAX; tries += 1) {
    const end = objectEnd(text, from);
    const claims = end === undefined ? undefined : claimsOf(text.slice(from, end));
    if (claims !== undefined) return claims.length > CLAIMS_MAX ? undefined : claims;
    from = text.indexOf("{", from + 1);
  }
  return undefined;
}

/** Finds the end of the object that starts at `from`, skipping strings. Undefined if the object does not end. */
function objectEnd(text: string, from: number): number | undefined {
  let depth = 0;
  let isString = false;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (isString) {
      if (character === "\\") at += 1;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if (character === "{") depth += 1;
    else if (character === "}") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

function claimsOf(json: string): readonly unknown[] | undefined {
  try {
    const parsed: unknown = JSON.parse(json);
    const isRecord = typeof parsed === "object" && parsed !== null;
    return isRecord && "claims" in parsed && Array.isArray(parsed.claims) ? parsed.claims : undefined;
  } catch {
    return undefined;
  }
}
