import type { PlatformPath } from "../../contract/openapi.js";
import type { PlatformRoute } from "../exchange.js";
import { jsonAnswer } from "../exchange.js";
import type { AccessTokens } from "./parts.js";
import { signInPage } from "./sign-in-page.js";

/** Documentation of the GET paths for sign-in and access tokens. */
export const accountPaths: readonly PlatformPath[] = [
  {
    path: "/.well-known/jwks.json",
    operationId: "jwks",
    summary: "Public keys of the access tokens",
    description: "A JSON Web Key Set.",
    isOpen: true,
    contentType: "application/json",
  },
  {
    path: "/sign-in",
    operationId: "sign-in-page",
    summary: "A page to sign in on",
    description: "Takes a key or a one-time link.",
    isOpen: true,
    contentType: "text/html",
  },
];

/** The GET paths for sign-in and access tokens. */
export function accountRoutes(tokens: AccessTokens): readonly PlatformRoute[] {
  return [
    {
      kind: "platform",
      path: "/.well-known/jwks.json",
      isOpen: () => true,
      answer: async () => jsonAnswer(200, await tokens.jwks(), { "Cache-Control": "public, max-age=600" }),
    },
    { kind: "platform", path: "/sign-in", isOpen: () => true, answer: signInPage },
  ];
}
