import { existsSync } from "node:fs";

/** Debian's builds of Chromium. The headless one takes much less CPU, because it has no windows, so it comes first. */
const PATHS = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/** Path of the browser: `CHROMIUM` if set, otherwise the first of Debian's builds that is installed. */
export const browserPath = process.env.CHROMIUM ?? PATHS.find((path) => existsSync(path)) ?? PATHS[0];

/** The reason why nothing can run in a browser; undefined if the browser is installed. */
export const noBrowser = existsSync(browserPath)
  ? undefined
  : `no browser at ${browserPath}: apt-get install chromium-headless-shell, or name one in CHROMIUM`;
