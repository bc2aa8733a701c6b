import { Type } from "typebox";
import { Value } from "typebox/value";
import { SECOND_MS } from "../kit/clock.js";
import { type Grant, SourceFailure } from "./source.js";

const Granted = Type.Object({ access_token: Type.String({ minLength: 1 }), expires_in: Type.Number({ minimum: 1 }) });

/** A grant of OAuth 2: the form that is sent, and which of a source's credentials go into which of its secret fields. */
export function oauthGrant(given: {
  readonly url: string;
  readonly form: Readonly<Record<string, string>>;
  readonly secretForm: (credentials: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}): Grant {
  const { url, form, secretForm, ...limits } = given;
  return {
    request: (credentials) => ({
      ...{ key: "token", url, format: { kind: "json" }, form, secretForm: secretForm(credentials) },
      ...limits,
    }),
    read(document) {
      if (!Value.Check(Granted, document)) throw new SourceFailure("changed", "expected access_token and expires_in");
      return { token: document.access_token, lifetimeMs: document.expires_in * SECOND_MS };
    },
  };
}
