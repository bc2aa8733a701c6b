import pages from "./pages.json";
import { createStore, useStore } from "./store.js";

/** The page and its parameters. The page's URL contains the whole view, so copying the URL shares the view. */
export interface View {
  readonly path: string;
  readonly params: URLSearchParams;
}

/** The name of the parameter that holds the instant that every page shows. Without it, the pages show current data. */
export const AT = "at";

const viewOf = (url: URL | Location): View => ({ path: url.pathname, params: new URLSearchParams(url.search) });

const view = createStore<View>(viewOf(new URL("http://console/")));

/** Tracks the address and handles clicks on the page's links. */
export function startLocation(): void {
  view.set(viewOf(location));
  addEventListener("popstate", () => view.set(viewOf(location)));
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || !isPlainClick(event) || !isPage(link)) return;
    event.preventDefault();
    const isOtherPage = link.pathname !== location.pathname;
    go(link.pathname + link.search);
    scrollTo(0, 0);
    if (isOtherPage) focusContent();
    // A link to another part of the same page keeps the focus, unless the link itself is gone.
    else requestAnimationFrame(() => setTimeout(() => !link.isConnected && focusContent()));
  });
}

/** Moves the focus to the content, so that keyboard users and screen readers continue from there. */
function focusContent(): void {
  document.getElementById("main")?.focus({ preventScroll: true });
}

/** Opens a page of the console and adds it to the browser history. */
export function go(address: string): void {
  history.pushState(null, "", address);
  view.set(viewOf(location));
}

/**
 * Changes parameters of the address without a new history entry. `undefined` or an empty string removes a parameter.
 */
export function setParams(changes: Readonly<Record<string, string | undefined>>): void {
  const params = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") params.delete(name);
    else params.set(name, value);
  }
  history.replaceState(null, "", hrefOf(location.pathname, params));
  view.set(viewOf(location));
}

export function useView(): View {
  return useStore(view);
}

/**
 * A parameter of the view, such as the country of a map, with its setter. `otherwise` is the default value: a parameter
 * with this value is left out of the address.
 */
export function useParam(name: string, otherwise = ""): readonly [string, (value: string) => void] {
  const { params } = useView();
  const set = (value: string): void => setParams({ [name]: value === otherwise ? undefined : value });
  return [params.get(name) ?? otherwise, set];
}

/** The instant that the pages show, as ISO 8601; undefined means now. An invalid instant is treated as now. */
export function useAt(): string | undefined {
  return atOf(useView());
}

export function atOf({ params }: View): string | undefined {
  const at = params.get(AT);
  return at !== null && !Number.isNaN(Date.parse(at)) ? at : undefined;
}

/** Returns a function that makes the address of a page for the instant that this page shows. */
export function useHref(): (path: string, params?: Readonly<Record<string, string>>) => string {
  const at = useAt();
  return (path, params = {}) => hrefOf(path, new URLSearchParams({ ...params, ...(at !== undefined && { [AT]: at }) }));
}

function hrefOf(path: string, params: URLSearchParams): string {
  const query = params.toString();
  return query === "" ? path : `${path}?${query}`;
}

function isPage(link: HTMLAnchorElement): boolean {
  const isHere = link.origin === location.origin && link.target === "" && !link.hasAttribute("download");
  return isHere && link.hash === "" && pages.some(({ path }) => path === link.pathname);
}

function isPlainClick({ button, metaKey, ctrlKey, shiftKey, altKey, defaultPrevented }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey && !defaultPrevented;
}
