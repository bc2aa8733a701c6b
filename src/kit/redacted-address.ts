const PASSWORD = "***";

/** The text without the password of the address that it is. A text with `@` that is no address is hidden whole. */
export function redactedAddress(text: string): string {
  if (!text.includes("@") || !text.includes("://")) return text;
  if (!URL.canParse(text)) return PASSWORD;
  const url = new URL(text);
  if (url.password === "") return text;
  url.password = PASSWORD;
  return url.href;
}
