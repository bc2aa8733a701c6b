import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request as forward } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { manualClock } from "../kit/manual-clock.js";
import { outwardSender } from "./post-outward.js";
import { afterTest, type LocalServer, localClient, requestTo, serve, serveAlways } from "./testing/local-servers.js";

/** A proxy that resolves every name to this machine; `requested` lists the requested addresses and tunnels. */
async function serveProxy(): Promise<{ readonly proxy: LocalServer; readonly requested: string[] }> {
  const requested: string[] = [];
  const proxy = await serve((incoming, outgoing) => {
    requested.push(incoming.url ?? "");
    const target = new URL(incoming.url ?? "");
    const { headers } = incoming;
    const onward = forward({ host: "127.0.0.1", port: target.port, path: target.pathname + target.search, headers });
    onward.on("response", (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.end();
  });
  proxy.server.on("connect", (incoming, socket) => {
    requested.push(`CONNECT ${incoming.url}`);
    const tunnel = connect(Number(incoming.url?.split(":")[1]), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      tunnel.pipe(socket).pipe(tunnel);
    });
    for (const end of [socket, tunnel]) end.on("error", () => tunnel.destroy());
    afterTest(() => tunnel.destroy());
  });
  return { proxy, requested };
}

describe("a proxy", () => {
  it("a proxy receives http requests in absolute form, and resolves the name itself", async () => {
    const { proxy, requested } = await serveProxy();
    const server = await serveAlways(200, {}, "through the proxy");
    const resolve = (): never => expect.unreachable("the client resolved a proxied name");
    const { client } = localClient([], { proxy: { http: proxy.origin("127.0.0.1") }, resolve });
    const answer = await client.fetch(requestTo(`${server.origin("only-the-proxy-knows.test")}/a?b=1`));
    expect(answer.bytes.toString()).toBe("through the proxy");
    expect(requested).toEqual([`http://only-the-proxy-knows.test:${server.port}/a?b=1`]);
    expect(server.requests[0]?.headers["host"]).toBe(`only-the-proxy-knows.test:${server.port}`);
  });

  it("the proxy is not used for hosts in NO_PROXY or for the rewrite base, nor for any host if NO_PROXY is *", async () => {
    const { proxy, requested } = await serveProxy();
    const server = await serveAlways(200, {}, "x");
    const http = proxy.origin("127.0.0.1");
    const direct = localClient([server.origin("a.test")], { proxy: { http, noProxy: "b.test, .a.test" } });
    await direct.client.fetch(requestTo(`${server.origin("a.test")}/`));
    const rewritten = localClient([], { proxy: { http }, rewriteBase: server.origin("simulator.test") });
    await rewritten.client.fetch(requestTo("https://example.org/"));
    const none = localClient([server.origin("c.test")], { proxy: { http, noProxy: "*" } });
    await none.client.fetch(requestTo(`${server.origin("c.test")}/`));
    expect([requested, server.requests.length]).toEqual([[], 3]);
  });

  it("requests to this machine or a literal private address are refused behind a proxy too", async () => {
    const { proxy, requested } = await serveProxy();
    const { client } = localClient([], { proxy: { http: proxy.origin("127.0.0.1") } });
    for (const host of ["localhost", "127.0.0.1", "[::1]", "169.254.169.254"]) {
      await expect(client.fetch(requestTo(`http://${host}:1/`))).rejects.toThrow("is not a public address");
    }
    expect(requested).toEqual([]);
  });

  it("an unreachable proxy is a failure whose message does not contain the proxy's credentials", async () => {
    const { client } = localClient([], { proxy: { http: "http://user:proxy-s3cret@127.0.0.1:1" } });
    const failing = client.fetch(requestTo("http://example.org/"));
    await expect(failing).rejects.toThrow("example.org/: no connection (ECONNREFUSED");
    await expect(failing).rejects.not.toThrow("s3cret");
  });
});

const hasOpenssl = ((): boolean => {
  try {
    execFileSync("openssl", ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

describe.skipIf(!hasOpenssl)("TLS (skipped without openssl, which makes the certificate)", () => {
  let key = "";
  let cert = "";
  beforeAll(() => {
    const folder = mkdtempSync(join(tmpdir(), "vigil-tls-"));
    const [keyFile, certFile] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const subject = ["-subj", "/CN=secure.test", "-addext", "subjectAltName=DNS:secure.test"];
    const keyOptions = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
    execFileSync("openssl", ["req", "-x509", ...keyOptions, ...subject, "-keyout", keyFile, "-out", certFile], {
      stdio: "ignore",
    });
    key = readFileSync(keyFile, "utf8");
    cert = readFileSync(certFile, "utf8");
    rmSync(folder, { recursive: true });
  });

  async function serveTls(): Promise<string> {
    const server = createTlsServer({ key, cert }, (_request, response) => void response.end("secure"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    afterTest(() => {
      server.closeAllConnections();
      server.close();
    });
    return `https://secure.test:${(server.address() as AddressInfo).port}`;
  }

  it("the client trusts the extra certificate authority, and only if it is configured", async () => {
    const origin = await serveTls();
    const trusting = localClient([origin], { extraCa: cert });
    expect((await trusting.client.fetch(requestTo(`${origin}/`))).bytes.toString()).toBe("secure");
    const strict = localClient([origin]);
    await expect(strict.client.fetch(requestTo(`${origin}/`))).rejects.toThrow("no connection (");
  });

  it("a POST to an address chosen by an account also requires a valid certificate", async () => {
    const origin = await serveTls();
    const postWith = (options: { readonly extraCa?: string }) => {
      const sender = outwardSender({
        clock: manualClock(Date.UTC(2026, 10, 23)),
        userAgent: "vigil-test/1.0",
        resolve: async () => [{ address: "127.0.0.1", family: 4 }],
        ...options,
      });
      afterTest(() => sender.close());
      const post = { url: `${origin}/`, headers: {}, body: "{}", privateOrigins: [origin] };
      return sender.post(post, new AbortController().signal);
    };
    expect(await postWith({ extraCa: cert })).toMatchObject({ status: 200 });
    await expect(postWith({})).rejects.toThrow("the certificate is not valid for the host");
  });

  it("TLS goes through the proxy in a tunnel, end to end", async () => {
    const { proxy, requested } = await serveProxy();
    const origin = await serveTls();
    const { client } = localClient([], { extraCa: cert, proxy: { https: proxy.origin("127.0.0.1") } });
    expect((await client.fetch(requestTo(`${origin}/`))).bytes.toString()).toBe("secure");
    expect(requested).toEqual([`CONNECT ${new URL(origin).host}`]);
  });
});
