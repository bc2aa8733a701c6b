import type { ComponentChildren } from "preact";

/** A link to a source. Addresses are untrusted: if the scheme is neither http nor https, only the text is shown. */
export function SafeLink({
  href,
  children,
}: {
  readonly href: string | undefined;
  readonly children: ComponentChildren;
}) {
  if (href === undefined || !isWebAddress(href)) return <span>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
