import { ConnectionError } from "./errors.js";

const CAUSES_MAX = 8;

/** Codes of OpenSSL and Node.js for a certificate that this client does not accept. */
const CERTIFICATE = /^(?:CERT_|ERR_TLS_CERT|UNABLE_TO_|DEPTH_ZERO_SELF_SIGNED_CERT$|SELF_SIGNED_CERT_IN_CHAIN$)/;

/** The error for a service that cannot be reached at an origin. It names the code of the cause, if there is one. */
export function connectionFailure(origin: string, cause: unknown): ConnectionError {
  const code = codeOf(cause);
  if (code !== undefined && CERTIFICATE.test(code)) {
    return new ConnectionError(`the certificate of ${origin} is not accepted (${code})`, { cause });
  }
  return new ConnectionError(`no service answers at ${origin}${code === undefined ? "" : ` (${code})`}`, { cause });
}

/** True if the service was not reached because its certificate was not accepted. */
export function isCertificateFailure({ cause }: ConnectionError): boolean {
  return CERTIFICATE.test(codeOf(cause) ?? "");
}

/** The code of the innermost cause that has one, such as `ECONNREFUSED`. In a browser, errors have no codes. */
function codeOf(error: unknown): string | undefined {
  let code: string | undefined;
  let current = error;
  for (let count = 0; current instanceof Error && count < CAUSES_MAX; count += 1) {
    if ("code" in current && typeof current.code === "string") code = current.code;
    // Node.js combines the errors of all addresses of a host, of which the first is used.
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
  return code;
}
