/** `sites` are written as line:column. */
export function expressionsIn(
  text: string,
  lang?: string,
): {
  readonly literals: readonly { readonly source: string; readonly flags: string }[];
  readonly sites: readonly string[];
};
