const PASSWORD = "***";

/**
 * The text with the password of its address removed. Text that contains `@` but is not a valid address is hidden
 * completely.
 */
export function redactedAddress(text: string): string {
  if (!text.includes("@") || !text.includes("://")) return text;
  if (!URL.canParse(text)) return PASSWORD;
  const url = new URL(text);
  if (url.password === "") return text;
  url.password = PASSWORD;
  return url.href;
}
