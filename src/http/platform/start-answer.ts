import { type Answer, type Exchange, jsonAnswer } from "../exchange.js";
import type { Start } from "./answers/documents.js";

interface StartParts {
  readonly version: string;
  readonly simulated: boolean;
  /** The page for browsers. */
  readonly console: (exchange: Exchange) => Promise<Answer>;
}

/** Answers `/`: browsers get the console, and programs get the addresses of the documents. */
export function startAnswer({ version, simulated, console }: StartParts): (exchange: Exchange) => Promise<Answer> {
  const addresses: Start = {
    name: "vigil",
    version,
    ...(simulated && { simulated }),
    forAgents: "/llms.txt",
    mcp: "/mcp",
    openapi: "/openapi.json",
    reference: "/docs",
    guide: "/docs/guide",
    apiCatalog: "/.well-known/api-catalog",
    health: "/api/health?compact=1",
    signIn: "/sign-in",
  };
  const documents = jsonAnswer(200, addresses, { "Cache-Control": "no-cache", Vary: "Accept, Origin" });
  return async (exchange) => {
    if (!exchange.call.header("accept")?.includes("text/html")) return documents;
    const page = await console(exchange);
    return { ...page, headers: { ...page.headers, Vary: "Accept, Accept-Encoding, Origin" } };
  };
}
