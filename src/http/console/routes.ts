import { keptResult } from "../../kit/kept-result.js";
import type { Answer, Exchange, PlatformRoute } from "../exchange.js";
import { staticAnswer } from "../platform/static-answer.js";
import { consoleAsset, consoleAssets, consolePage, consolePaths } from "./console-files.js";

type Answering = (exchange: Exchange) => Promise<Answer>;

/** Returns a function that answers with the console's only HTML document. The document shows the page of the path. */
export function consoleAnswer(simulated: boolean, onFault: (error: unknown) => void): Answering {
  return staticAnswer(
    keptResult(() => consolePage(simulated)),
    onFault,
  );
}

/** The path that one-time links open; from there, the console continues at `/`. */
const SIGN_IN_PATH = "/sign-in";

/** The routes of the console, except the route of `/`, because the answer at `/` also depends on the caller. */
export function consoleRoutes(page: Answering, onFault: (error: unknown) => void): readonly PlatformRoute[] {
  const pages = consolePaths().filter((path) => path !== "/");
  return [
    ...[SIGN_IN_PATH, ...pages].map((path) => route(path, page)),
    ...consoleAssets().map((path) =>
      route(
        path,
        staticAnswer(
          keptResult(() => consoleAsset(path)),
          onFault,
        ),
      ),
    ),
  ];
}

function route(path: string, answer: Answering): PlatformRoute {
  return { kind: "platform", path, isOpen: () => true, answer };
}
