// Remedies for each failure, for docs/errors.md.

/** The remedies by the name of their failure. */
export const remedies = {
  validation: "Correct each parameter in `violations`; the description names the accepted values.",
  projection:
    "Correct the expression, or narrow it. `original_keys` lists the members of the plain answer. `vigil jmespath` tries an expression on a saved answer.",
  keyRequired:
    "Send a key in `X-Service-Key`. The first start of the service writes the owner's key to the file `owner.key`.",
  keyInvalid:
    "Check the key for missing characters. If it has expired or was revoked, create another one with `vigil keys create`.",
  sessionInvalid: "Sign in again at `/sign-in`.",
  bearerInvalid: "Get a new token from `/oauth/token` or from the OpenID provider, for the audience of this service.",
  proRequired: "Use an account on a paid plan.",
  signatureInvalid:
    "Sign the current time and the raw body with the shared secret. Send time and signature in `X-Vigil-Signature`.",
  clientInvalid: "Send a valid key as the client secret.",
  grantUnsupported: "Send `grant_type=client_credentials`.",
  tokenRequestInvalid:
    "Send `grant_type=client_credentials` once, in a form with `Content-Type: application/x-www-form-urlencoded`.",
  originRefused: "Call from a listed origin, or ask the operator to add yours to `VIGIL_ALLOWED_ORIGINS`.",
  scopeMissing: "Create a key that has this scope.",
  operatorOnly: "Use the owner's key or an operator-issued key.",
  planWithoutKeys: "Ask the operator for a plan with API access.",
  tierTooLow: "Ask the operator for a plan of the required tier.",
  subscriptionLapsed: "Renew the subscription.",
  renewalPending: "Repeat the call once the renewal is verified.",
  notFound: "Check the path against `/openapi.json` or [the operations](guide.md#operations).",
  itemNotFound: "List the resources and use an id from the list.",
  methodNotAllowed: "Use a method that the header `Allow` lists.",
  bodyInvalid: "Send JSON with `Content-Type: application/json`.",
  idempotencyKeyInvalid: "Send 1 to 255 visible ASCII characters without spaces, such as a UUID.",
  idempotencyConflict: "Wait `Retry-After` seconds and repeat the call with the same key.",
  conflict: "Read the current state, then decide whether to repeat the call.",
  limitReached: "Delete what is no longer needed, or ask the operator for a larger plan.",
  positionGone: "Read the list again, and continue from its cursor.",
  historyGone: "Choose an instant after `keptFrom`.",
  generationGone: "Read the list without `since_generation`, and continue from its `X-Vigil-Generation`.",
  payloadTooLarge: "Split the body into several calls.",
  idempotencyKeyReused: "Use a new key for another body.",
  accountLimit:
    "Wait until `reset`. Send `If-None-Match` with later calls: a 304 does not count against the daily limit.",
  tooManyRequests: "Wait `Retry-After` seconds.",
  tooManyStreams: "Close a stream, or wait for one to end.",
  quotaUsedUp: "Wait until `resetsAt`, or ask the operator for a larger plan.",
  internal: "This is a bug. Report it to the operator with the `X-Request-Id`.",
  entitlementUnavailable: "Repeat the call later. The service's store, or its OpenID provider, is not answering.",
  limiterUnavailable: "Repeat the call later. The service's counters are not answering.",
  notReady: "Repeat the call after `Retry-After` seconds.",
  generationNotLoaded: "Repeat the call after `Retry-After` seconds.",
  overloaded:
    "Repeat the call after `Retry-After` seconds. The refused call has done no work and used no allowance. One batch can replace several concurrent calls.",
  quotaUnavailable: "Repeat the call after `Retry-After` seconds.",
};
