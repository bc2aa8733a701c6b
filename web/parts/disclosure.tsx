import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface DisclosureProps {
  readonly label: ComponentChildren;
  /** Name for screen readers, if the label alone says too little. */
  readonly name?: string;
  readonly children: ComponentChildren;
}

/** A button with a panel below it. Escape or a click elsewhere closes the panel. */
export function Disclosure({ label, name, children }: DisclosureProps) {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event): void => {
      const { current } = details;
      if (!current?.open) return;
      if (event instanceof KeyboardEvent && event.key === "Escape") {
        current.open = false;
        current.querySelector("summary")?.focus();
      } else if (!(event instanceof KeyboardEvent) && event.target instanceof Node && !current.contains(event.target)) {
        current.open = false;
      }
    };
    document.addEventListener("click", close);
    document.addEventListener("keydown", close);
    return () => {
      document.removeEventListener("click", close);
      document.removeEventListener("keydown", close);
    };
  }, []);
  return (
    <details class="disclosure" ref={details}>
      <summary aria-label={name}>{label}</summary>
      <div class="panel">{children}</div>
    </details>
  );
}
