/** A part of a query that had no effect, or that cannot match anything, without being an error. */
export type Notice =
  | { readonly kind: "unknown-parameter"; readonly name: string }
  | { readonly kind: "unknown-country"; readonly parameter: string; readonly value: string }
  | { readonly kind: "inverted-range"; readonly from: string; readonly to: string };

const HEADER_BYTES_MAX = 1_024;
const TEXT_CHARACTERS_MAX = 40;

/**
 * Formats the value of `X-Vigil-Notice`: a structured list (RFC 9651) with one item for each notice. Strings in it are
 * percent-encoded. If the list is too long, its last item is `more` with the count of omitted notices. Undefined if
 * there are no notices.
 */
export function noticeHeader(notices: readonly Notice[]): string | undefined {
  const items: string[] = [];
  let bytes = 0;
  for (const notice of notices) {
    const item = itemOf(notice);
    bytes += item.length + 2;
    if (bytes > HEADER_BYTES_MAX) return [...items, `more;count=${notices.length - items.length}`].join(", ");
    items.push(item);
  }
  return items.length === 0 ? undefined : items.join(", ");
}

function itemOf({ kind, ...about }: Notice): string {
  const parameters = Object.entries(about).map(([name, text]) => `;${name}="${encodedText(text)}"`);
  return kind + parameters.join("");
}

/**
 * Encodes a text as percent-encoded UTF-8, which has no quotes, backslashes or control characters. A long text is cut
 * and ends in an ellipsis.
 */
function encodedText(text: string): string {
  // The conversion to UTF-8 replaces half a surrogate pair, for which `encodeURIComponent` would throw.
  const characters = Array.from(Buffer.from(text.slice(0, 4 * TEXT_CHARACTERS_MAX)).toString());
  const cut = characters.length > TEXT_CHARACTERS_MAX ? [...characters.slice(0, TEXT_CHARACTERS_MAX), "…"] : characters;
  return encodeURIComponent(cut.join(""));
}
