/**
 * Finds the regular expressions in source text. Each of `sites` is the place of a call of `RegExp`, written as
 * line:column.
 */
export function expressionsIn(
  text: string,
  lang?: string,
): {
  readonly literals: readonly { readonly source: string; readonly flags: string }[];
  readonly sites: readonly string[];
};
