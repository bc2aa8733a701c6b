import { existsSync } from "node:fs";
import { type BrowserContextOptions, type BrowserType, chromium, type Page } from "playwright-core";
import { httpServer } from "../../src/http/server.js";
import { type Stack, type StackOptions, startStack } from "./stack.js";

/** The console in a real browser, before the whole service on simulated data. */
export interface ConsoleStack {
  readonly stack: Stack;
  readonly url: string;
  /** Opens a page of the console, signed in as the owner unless told otherwise. */
  open(path: string, options?: OpenOptions): Promise<OpenPage>;
  close(): Promise<void>;
}

export interface OpenOptions extends Pick<BrowserContextOptions, "colorScheme" | "viewport" | "hasTouch"> {
  readonly signedIn?: boolean;
}

export interface OpenPage {
  readonly page: Page;
  /** The faults of the page so far: errors, refused requests, and requests to other hosts, which all fail. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

/** Debian's Chromium, which `.ci/run` installs. */
const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** The reason to skip the tests of the console; undefined where there is a browser. */
export const noBrowser: string | undefined = existsSync(CHROMIUM)
  ? undefined
  : `no browser at ${CHROMIUM}: apt-get install chromium, or name one in CHROMIUM`;

/** True if the page itself can be scrolled sideways, which it must not on a small screen; tables in it may. */
export function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate("document.documentElement.scrollWidth > innerWidth");
}

type Browser = Awaited<ReturnType<BrowserType["launch"]>>;

export async function startConsole(options: StackOptions = { filled: "all" }): Promise<ConsoleStack> {
  const parts: { stack?: Stack } = {};
  const server = httpServer((call) => {
    if (!parts.stack) throw new Error("the service has not started");
    return parts.stack.answer(call);
  });
  const url = await server.listen("127.0.0.1", 0);
  const stack = await startStack({ ...options, env: { ...options.env, VIGIL_ALLOWED_ORIGINS: url } });
  parts.stack = stack;
  const browser: Browser = await chromium.launch({
    executablePath: CHROMIUM,
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
  url: string,
  path: string,
  { signedIn = true, ...options }: OpenOptions,
): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const faults: string[] = [];
  // The page must be complete with this host alone.
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
  // The page's clock agrees with the service's; its timers run.
  await page.clock.setFixedTime(stack.clock.now());
  page.on("pageerror", ({ message }) => faults.push(`error: ${message}`));
  page.on("console", (entry) => {
    if (entry.type() === "error" || entry.type() === "warning") faults.push(`${entry.type()}: ${entry.text()}`);
  });
  await page.goto(url + path);
  return { page, faults, close: () => context.close() };
}
