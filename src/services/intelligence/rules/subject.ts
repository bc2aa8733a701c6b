import { countryName } from "../../../geography/countries.js";
import type { Subject } from "./evidence/draft.js";

/** Countries whose names take an article within a sentence. */
const withArticle = new Set(
  "AE BS CD CF CG CK DO FK FO GB GM IM KM KY MH MP NL PH SB TC TF TK UM US VA VG VI".split(" "),
);

/** Returns the country of a code. Undefined for an unassigned code. */
export function subjectOf(code: string): Subject | undefined {
  const name = countryName(code);
  if (name === undefined) return undefined;
  return { code, name, inText: withArticle.has(code) ? `the ${name}` : name };
}
