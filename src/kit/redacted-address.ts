const PASSWORD = "***";

/** An address with its password hidden. An invalid address that contains `@` and `://` is hidden completely. */
export function redactedAddress(text: string): string {
  if (!text.includes("@") || !text.includes("://")) return text;
  if (!URL.canParse(text)) return PASSWORD;
  const url = new URL(text);
  if (url.password === "") return text;
  url.password = PASSWORD;
  return url.href;
}
