import type { PlatformPath } from "../../contract/openapi.js";
import { SECOND_MS } from "../../kit/clock.js";
import type { PlatformRoute } from "../exchange.js";
import { jsonAnswer } from "../exchange.js";
import { TokenKeys } from "../platform/answers/documents.js";
import type { AccessTokens } from "./parts.js";

/** Documentation of the GET paths for sign-in and access tokens. */
export const accountPaths: readonly PlatformPath[] = [
  {
    path: "/.well-known/jwks.json",
    operationId: "jwks",
    summary: "Public keys of the access tokens",
    description: "A JSON Web Key Set.",
    isOpen: true,
    contentType: "application/json",
    answer: TokenKeys,
  },
  {
    path: "/sign-in",
    operationId: "sign-in-page",
    summary: "The console, which asks for a key",
    description:
      "A one-time link to this page has its secret after a `#`; browsers do not send that part of an address.",
    isOpen: true,
    contentType: "text/html",
  },
];

/** The GET paths for access tokens. */
export function accountRoutes(tokens: AccessTokens): readonly PlatformRoute[] {
  return [
    {
      kind: "platform",
      path: "/.well-known/jwks.json",
      isOpen: () => true,
      async answer() {
        const { keys, maxAgeMs } = await tokens.jwks();
        const seconds = Math.floor(maxAgeMs / SECOND_MS);
        return jsonAnswer(200, { keys }, { "Cache-Control": seconds > 0 ? `public, max-age=${seconds}` : "no-cache" });
      },
    },
  ];
}
