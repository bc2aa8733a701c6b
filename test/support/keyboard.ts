import type { Locator, Page } from "playwright-core";

/** More Tab stops than any page has. The search for a control gives up after this many. */
const STOPS_MAX = 400;

/** Maximum number of parts of a field of each type. The Tab key moves through all parts before it leaves the field. */
const PARTS_MAX: Readonly<Record<string, number>> = { "datetime-local": 7, date: 4, month: 3, time: 4, week: 3 };

/** The Tab stop that has the focus, as `stopOf` describes it. */
interface Stop {
  /** True if the wanted control has the focus. */
  readonly isThere: boolean;
  /** The focused element, in words. */
  readonly what: string;
  readonly inputType: string;
  /** True if the same element had the focus at the previous check. */
  readonly isSame: boolean;
  readonly isVisible: boolean;
  readonly hasRing: boolean;
}

/** A user without a mouse. Every Tab stop must be visible, show its focus ring, and let the focus move on. */
export interface Keyboard {
  /** Presses Tab, or Shift and Tab, until the control has the focus. */
  readonly to: (control: Locator, direction?: "on" | "back") => Promise<void>;
  readonly press: (key: string) => Promise<void>;
  /** Types text or, in a list, the beginning of an option. */
  readonly type: (text: string) => Promise<void>;
  /** Faults found at the stops so far. */
  readonly faults: () => readonly string[];
}

export function keyboardOf(page: Page): Keyboard {
  const faults = new Set<string>();
  return {
    faults: () => [...faults],
    async to(control, direction = "on") {
      const target = control.first();
      await target.waitFor();
      let repeats = 0;
      for (let stops = 0; stops < STOPS_MAX; stops += 1) {
        const { isThere, what, inputType, isSame, isVisible, hasRing } = await target.evaluate(stopOf);
        if (stops > 0 && !isVisible) faults.add(`has the focus and cannot be seen: ${what}`);
        if (stops > 0 && !hasRing) faults.add(`has the focus and does not show it: ${what}`);
        if (isThere) return;
        repeats = isSame && stops > 0 ? repeats + 1 : 0;
        if (repeats > (PARTS_MAX[inputType] ?? 0)) throw new Error(`the focus cannot leave ${what}`);
        await page.keyboard.press(direction === "on" ? "Tab" : "Shift+Tab");
      }
      throw new Error(`${STOPS_MAX} Tab stops do not lead to ${String(control)}`);
    },
    press: (key) => page.keyboard.press(key),
    type: (text) => page.keyboard.type(text),
  };
}

/** The members that `stopOf` reads from an element of the page. */
interface PageElement {
  readonly tagName: string;
  readonly id: string;
  readonly type?: string;
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
  contains(other: PageElement): boolean;
  getBoundingClientRect(): {
    readonly left: number;
    readonly right: number;
    readonly top: number;
    readonly bottom: number;
  };
}

interface PageGlobals {
  lastStop?: PageElement;
  readonly innerHeight: number;
  readonly document: {
    readonly activeElement: PageElement;
    readonly body: PageElement;
    elementFromPoint(x: number, y: number): PageElement | null;
  };
  getComputedStyle(element: PageElement): { readonly outlineStyle: string; readonly outlineWidth: string };
}

/**
 * Describes the focused element. Runs in the page. A stop is visible if at least one of nine points on it is not
 * covered.
 */
function stopOf(expectedElement: unknown): Stop {
  const globals = globalThis as unknown as PageGlobals;
  const { document, innerHeight } = globals;
  const element = document.activeElement;
  const isSame = globals.lastStop === element;
  globals.lastStop = element;
  const isPage = element === document.body || element.id === "main";
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const across = [left + 3, (left + right) / 2, right - 3];
  const down = [top + 3, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2, bottom - 3];
  const isSeen = (x: number, y: number): boolean => {
    const there = document.elementFromPoint(x, y);
    return there !== null && (element.contains(there) || (there.tagName === "LABEL" && there.contains(element)));
  };
  const { outlineStyle, outlineWidth } = globals.getComputedStyle(element);
  return {
    isThere: element === expectedElement,
    what: [element.tagName, element.id, element.getAttribute("aria-label"), element.textContent?.trim().slice(0, 60)]
      .filter(Boolean)
      .join(" "),
    inputType: element.tagName === "INPUT" ? (element.type ?? "") : "",
    isSame,
    isVisible: isPage || across.some((x) => down.some((y) => isSeen(x, y))),
    hasRing: isPage || (outlineStyle !== "none" && outlineWidth !== "0px"),
  };
}
