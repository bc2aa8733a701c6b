import type { ComponentChildren } from "preact";

interface ScrollRegionProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

/** Content that scrolls sideways, including by keyboard, when it is too wide for the page. */
export function ScrollRegion({ label, children }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without the focus, a region without buttons cannot be scrolled by keyboard
    <section class="table-scroll" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
