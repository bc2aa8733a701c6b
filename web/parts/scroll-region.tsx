import type { ComponentChildren } from "preact";

interface ScrollRegionProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

/**
 * Content that scrolls sideways when it is too wide for the page. A region with no focusable children can be scrolled
 * by keyboard only if it can take focus itself.
 */
export function ScrollRegion({ label, children }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the region takes focus to be scrolled by keyboard
    <section class="table-scroll" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
