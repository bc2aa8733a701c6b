import { expect, test } from "vitest";
import { connectionFailure, isCertificateFailure } from "./connection-failure.js";
import { ConnectionError } from "./errors.js";

const ORIGIN = "https://vigil.example";
const coded = (code: string): Error => Object.assign(new Error("refused"), { code });
const failed = (cause?: Error): Error => new TypeError("fetch failed", { cause });

test.each([
  [failed(), "no service answers at https://vigil.example", false],
  [failed(coded("ENOTFOUND")), "no service answers at https://vigil.example (ENOTFOUND)", false],
  [
    failed(new AggregateError([coded("ECONNREFUSED"), coded("ENETUNREACH")])),
    "no service answers at https://vigil.example (ECONNREFUSED)",
    false,
  ],
  [
    failed(coded("DEPTH_ZERO_SELF_SIGNED_CERT")),
    "the certificate of https://vigil.example is not accepted (DEPTH_ZERO_SELF_SIGNED_CERT)",
    true,
  ],
  [
    failed(coded("ERR_TLS_CERT_ALTNAME_INVALID")),
    "the certificate of https://vigil.example is not accepted (ERR_TLS_CERT_ALTNAME_INVALID)",
    true,
  ],
])("%s becomes: %s", (cause, sentence, isCertificate) => {
  const failure = connectionFailure(ORIGIN, cause);
  expect(failure).toBeInstanceOf(ConnectionError);
  expect([failure.message, isCertificateFailure(failure)]).toEqual([sentence, isCertificate]);
});
