import { isIP } from "node:net";
import { rootCertificates } from "node:tls";
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent } from "undici";
import { isPublicAddress } from "../kit/public-address.js";
import {
  AddressRefused,
  bareHostname,
  lookupWith,
  notPublic,
  type Origins,
  publicLookup,
  type Resolve,
} from "./address-policy.js";

/** Addresses of proxies, in the form of `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`. */
export interface ProxyOptions {
  /** Also used for https when `https` is absent. */
  readonly http?: string;
  readonly https?: string;
  readonly noProxy?: string;
}

export interface DispatcherOptions {
  readonly resolve: Resolve;
  readonly allowedOrigins: Origins;
  readonly proxy?: ProxyOptions;
  /** PEM certificates to trust in addition to the public ones. */
  readonly extraCa?: string;
  /** Hosts (with port) that are always requested without the proxy. */
  readonly direct: readonly string[];
  /** Maximum number of connections per origin. Default: no limit. */
  readonly connectionsMax?: number;
}

/**
 * Creates the connection pool of a client: direct or through the configured proxies. With a proxy, only literal private
 * addresses and local names are refused (`refusalOf` in address-policy.ts). The proxy resolves all other names, so its
 * operator controls which addresses they lead to.
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const tls = options.extraCa === undefined ? {} : { ca: [...rootCertificates, options.extraCa] };
  const connect = guardedConnector(options, tls);
  const { http = "", https = "", noProxy = "" } = options.proxy ?? {};
  const connections = options.connectionsMax ?? null;
  if ((http === "" && https === "") || noProxy.trim() === "*") return new Agent({ connect, connections });
  return new EnvHttpProxyAgent({
    connect,
    connections,
    httpProxy: http,
    httpsProxy: https,
    noProxy: [noProxy, "localhost", "127.0.0.1", "[::1]", ...options.direct].join(","),
    requestTls: tls,
    proxyTls: tls,
    // Plain http goes to the proxy in absolute form, because many proxies refuse CONNECT to port 80.
    proxyTunnel: false,
  });
}

/** Connects only to public addresses. An allowed origin may also have a private address. */
function guardedConnector(
  { resolve, allowedOrigins }: DispatcherOptions,
  tls: { readonly ca?: string[] },
): buildConnector.connector {
  const toPublic = buildConnector({ ...tls, lookup: publicLookup(resolve) });
  const toAnywhere = buildConnector({ ...tls, lookup: lookupWith(resolve) });
  return (target, callback) => {
    if (allowedOrigins.has(originOf(target))) return toAnywhere(target, callback);
    const hostname = bareHostname(target.hostname);
    // net.connect does not call the lookup for literal addresses, so these are checked here.
    if (isIP(hostname) !== 0 && !isPublicAddress(hostname)) {
      return callback(new AddressRefused(notPublic(hostname)), null);
    }
    toPublic(target, callback);
  };
}

function originOf({ protocol, host, hostname, port }: buildConnector.Options): string {
  const authority = host ?? (port === "" ? hostname : `${hostname}:${port}`);
  return new URL(`${protocol}//${authority}`).origin;
}
