import { type BrowserContextOptions, type BrowserType, chromium, type Page } from "playwright-core";
import { browserPath } from "../../scripts/browser.mjs";
import { httpServer } from "../../src/http/server.js";
import { HOUR_MS } from "../../src/kit/clock.js";
import { type Stack, type StackOptions, startStack } from "./stack.js";

/** The console in a real browser, served by the whole service on simulated data. */
export interface ConsoleStack {
  readonly stack: Stack;
  readonly url: string;
  /** Opens a page of the console, signed in as the owner by default. */
  open(path: string, options?: OpenOptions): Promise<OpenPage>;
  close(): Promise<void>;
}

export interface OpenOptions extends Pick<BrowserContextOptions, "colorScheme" | "viewport" | "hasTouch"> {
  readonly signedIn?: boolean;
  /** True to run timers by `page.clock`. By default they run in real time, and the time of day is the service's. */
  readonly hasSimulatedTime?: boolean;
  /** Address through which the page calls the service, such as a proxy's; by default the service's own address. */
  readonly through?: string;
}

export interface OpenPage {
  readonly page: Page;
  /** The faults of the page so far: errors and warnings of its console, and aborted requests to other hosts. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

/** True if the page itself scrolls sideways. On a small screen, only tables in the page may scroll sideways. */
export function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate("document.documentElement.scrollWidth > innerWidth");
}

type Browser = Awaited<ReturnType<BrowserType["launch"]>>;

interface ConsoleOptions extends StackOptions {
  /** Starts a server, such as a proxy, that forwards calls to the service at `url`. Returns its address. */
  readonly alsoAt?: (url: string) => Promise<string>;
}

export async function startConsole(options: ConsoleOptions = { filled: "all" }): Promise<ConsoleStack> {
  const parts: { stack?: Stack } = {};
  const server = httpServer((call) => {
    if (!parts.stack) throw new Error("the service has not started");
    return parts.stack.answer(call);
  });
  const url = await server.listen("127.0.0.1", 0);
  const origins = [url, ...(options.alsoAt ? [await options.alsoAt(url)] : [])];
  const stack = await startStack({ ...options, env: { ...options.env, VIGIL_ALLOWED_ORIGINS: origins.join() } });
  parts.stack = stack;
  const browser: Browser = await chromium.launch({
    executablePath: browserPath,
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
  return {
    stack,
    url,
    open: (path, openOptions = {}) => openPage(browser, stack, url, path, openOptions),
    async close() {
      await browser.close();
      await server.close();
      await stack.close();
    },
  };
}

async function openPage(
  browser: Browser,
  stack: Stack,
  ownUrl: string,
  path: string,
  { signedIn = true, hasSimulatedTime = false, through: url = ownUrl, ...options }: OpenOptions,
): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const faults: string[] = [];
  // The page must work without other hosts, so requests to them are aborted and recorded as faults.
  await context.route(
    ({ origin, protocol }) => origin !== url && /^https?:$/.test(protocol),
    async (route) => {
      faults.push(`request to another host: ${route.request().url()}`);
      await route.abort();
    },
  );
  if (signedIn) {
    const key = stack.service.access.ownerKey.key;
    const answer = await context.request.post(`${url}/api/account/v1/sign-in`, { data: { key } });
    if (!answer.ok()) throw new Error(`the browser could not sign in: ${answer.status()}`);
  }
  const page = await context.newPage();
  if (hasSimulatedTime) {
    // An installed clock runs until it is paused, and can be paused only at a later time. It is therefore installed
    // one hour before the service's time.
    await page.clock.install({ time: stack.clock.now() - HOUR_MS });
    await page.clock.pauseAt(stack.clock.now());
  } else {
    // The page has the service's time of day, which stands still; the page's timers run in real time.
    await page.clock.setFixedTime(stack.clock.now());
  }
  page.on("pageerror", ({ message }) => faults.push(`error: ${message}`));
  page.on("console", (entry) => {
    if (entry.type() === "error" || entry.type() === "warning") faults.push(`${entry.type()}: ${entry.text()}`);
  });
  await page.goto(url + path);
  return { page, faults, close: () => context.close() };
}
