const PASSWORD = "***";

/** A user and a password before a host, without a scheme. */
const CREDENTIALS = /^(?!mailto:)[^\s:@/]+:[^\s@]+@/;

/**
 * An address with its password hidden. An address that contains `@` is hidden completely if it is invalid or has a
 * password but no scheme.
 */
export function redactedAddress(text: string): string {
  if (CREDENTIALS.test(text) && !text.includes("://")) return PASSWORD;
  if (!text.includes("@") || !text.includes("://")) return text;
  if (!URL.canParse(text)) return PASSWORD;
  const url = new URL(text);
  if (url.password === "") return text;
  url.password = PASSWORD;
  return url.href;
}
