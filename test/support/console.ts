import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { browserPath } from "../../scripts/browser.mjs";
import { httpServer } from "../../src/http/server.js";
import { HOUR_MS } from "../../src/kit/clock.js";
import { keptResult } from "../../src/kit/kept-result.js";
import { type Stack, type StackOptions, startStack } from "./stack.js";

/** The console in a real browser, served by the whole service on simulated data. */
export interface ConsoleStack {
  readonly stack: Stack;
  readonly url: string;
  /** Opens a page of the console, signed in as the owner by default. */
  open(path: string, options?: OpenOptions): Promise<OpenPage>;
  close(): Promise<void>;
}

export interface OpenOptions extends Pick<BrowserContextOptions, "colorScheme" | "viewport"> {
  /** False to open the page without a session, in a browser context of its own. */
  readonly signedIn?: boolean;
  /**
   * True to sign in for this page alone, in a browser context of its own. By default, all pages share one session, so
   * a test that ends or changes the session needs one of its own.
   */
  readonly hasOwnSession?: boolean;
  /** True to run timers by `page.clock`. By default they run in real time, and the time of day is the service's. */
  readonly hasSimulatedTime?: boolean;
  /** Address through which the page calls the service, such as a proxy's; by default the service's own address. */
  readonly through?: string;
}

export interface OpenPage {
  readonly page: Page;
  /** The faults of the page so far: errors and warnings of its console, and requests to other hosts. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

/** True if the page itself scrolls sideways. On a small screen, only tables in the page may scroll sideways. */
export function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate("document.documentElement.scrollWidth > innerWidth");
}

interface ConsoleOptions extends StackOptions {
  /** Starts a server, such as a proxy, that forwards calls to the service at `url`. Returns its address. */
  readonly alsoAt?: (url: string) => Promise<string>;
}

/** Starts a browser that resolves no host name, so that a page cannot reach another host. */
const startBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: browserPath,
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
  });

let running: Browser | undefined;

/**
 * Returns the browser of this process. All files that run in the process share it, and it ends with the process. A
 * browser that has crashed is replaced, so that the crash fails one file only.
 */
async function sharedBrowser(): Promise<Browser> {
  if (running?.isConnected() !== true) running = await startBrowser();
  return running;
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
  const browser = await sharedBrowser();
  const contexts = new Set<BrowserContext>();

  async function newContext(): Promise<BrowserContext> {
    const context = await browser.newContext();
    contexts.add(context);
    return context;
  }

  async function signedInContext(at: string): Promise<BrowserContext> {
    const context = await newContext();
    const key = stack.service.access.ownerKey.key;
    const answer = await context.request.post(`${at}/api/account/v1/sign-in`, { data: { key } });
    if (!answer.ok()) throw new Error(`the browser could not sign in: ${answer.status()}`);
    return context;
  }

  const sharedContext = keptResult(() => signedInContext(url));

  async function open(path: string, options: OpenOptions = {}): Promise<OpenPage> {
    const { signedIn = true, hasOwnSession = false, hasSimulatedTime = false, through = url } = options;
    const isShared = signedIn && !hasOwnSession && !hasSimulatedTime && through === url;
    const context = await (isShared ? sharedContext() : signedIn ? signedInContext(through) : newContext());
    const page = await context.newPage();
    const faults = await openAt(page, stack, through + path, options);
    return { page, faults, close: () => (isShared ? page.close() : context.close()) };
  }

  return {
    stack,
    url,
    open,
    async close() {
      for (const context of contexts) await context.close();
      await server.close();
      await stack.close();
    },
  };
}

/** Opens the page at the address. Returns the list of its faults, to which later faults are added. */
async function openAt(
  page: Page,
  { clock }: Stack,
  address: string,
  { hasSimulatedTime = false, viewport = { width: 1280, height: 900 }, colorScheme = "light" }: OpenOptions,
): Promise<readonly string[]> {
  const faults: string[] = [];
  const { origin } = new URL(address);
  page.on("request", (request) => {
    const { origin: called, protocol } = new URL(request.url());
    if (called !== origin && /^https?:$/.test(protocol)) faults.push(`request to another host: ${request.url()}`);
  });
  page.on("pageerror", ({ message }) => faults.push(`error: ${message}`));
  page.on("console", (entry) => {
    if (entry.type() === "error" || entry.type() === "warning") faults.push(`${entry.type()}: ${entry.text()}`);
  });
  if (viewport) await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
  if (hasSimulatedTime) {
    // An installed clock runs until it is paused, and can be paused only at a later time. It is therefore installed
    // one hour before the service's time.
    await page.clock.install({ time: clock.now() - HOUR_MS });
    await page.clock.pauseAt(clock.now());
  } else {
    // The page has the service's time of day, which stands still; the page's timers run in real time.
    await page.clock.setFixedTime(clock.now());
  }
  await page.goto(address);
  return faults;
}
