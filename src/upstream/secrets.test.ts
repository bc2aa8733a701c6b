import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { SourceFailure } from "../contract/source.js";
import { redact, redactFailure, secretsOf } from "./redact.js";
import { localClient, requestTo, serve, serveAlways } from "./testing/local-servers.js";

const secrets = {
  secretQuery: { api_key: "qu&ry s3cret" },
  secretHeaders: { Authorization: "Bearer h3ader-s3cret", "X-App": "app-s3cret" },
};

describe("secrets", () => {
  it("secrets are sent on the wire", async () => {
    const server = await serveAlways(200, {}, "x");
    const { client } = localClient([server.origin()]);
    const answer = await client.fetch(requestTo(`${server.origin()}/?a=b%20c,d`, secrets));
    expect(server.requests[0]?.url).toBe("/?a=b%20c,d&api_key=qu%26ry+s3cret");
    expect(server.requests[0]?.headers).toMatchObject({ authorization: "Bearer h3ader-s3cret", "x-app": "app-s3cret" });
    expect(inspect(answer)).not.toContain("s3cret");
  });

  it.each([
    ["an error status", 500, {}],
    ["a redirect whose path repeats a secret", 302, { location: "/app-s3cret/loop" }],
    ["a redirect to a private host named after a secret", 302, { location: "http://app-s3cret.localhost/" }],
    ["an encoding named after a secret", 200, { "content-encoding": "app-s3cret" }],
  ])("secrets never appear in a failure, including its cause and stack: %s", async (_name, status, headers) => {
    const server = await serveAlways(status, headers, "x");
    const { client } = localClient([server.origin()]);
    const failure: unknown = await client.fetch(requestTo(`${server.origin()}/`, secrets)).catch((error) => error);
    expect(failure).toBeInstanceOf(SourceFailure);
    expect(inspect(failure, { depth: 10 })).not.toContain("s3cret");
  });

  it("secrets never appear in the failure if the answer is not HTTP and repeats them", async () => {
    const server = await serve(({ socket, headers }) => void socket.end(`nonsense ${headers.authorization}\r\n\r\n`));
    const { client } = localClient([server.origin()]);
    const failure: unknown = await client.fetch(requestTo(`${server.origin()}/`, secrets)).catch((error) => error);
    expect(failure).toBeInstanceOf(SourceFailure);
    expect(inspect(failure, { depth: 10, showHidden: true })).not.toContain("s3cret");
  });

  it("secrets never appear in the failure if they cannot be sent", async () => {
    const server = await serveAlways(200, {}, "x");
    const { client } = localClient([server.origin()]);
    const secretHeaders = { Authorization: "broken\nh3ader-s3cret" };
    const failure: unknown = await client
      .fetch(requestTo(`${server.origin()}/`, { secretHeaders }))
      .catch((error) => error);
    expect(failure).toBeInstanceOf(SourceFailure);
    expect(inspect(failure, { depth: 10 })).not.toContain("s3cret");
  });
});

describe("redact", () => {
  it("redaction replaces every spelling of a secret, and a header's credential even without the word Bearer", () => {
    const spellings = ["qu&ry s3cret", "qu%26ry%20s3cret", "qu%26ry+s3cret", "Bearer h3ader-s3cret", "h3ader-s3cret"];
    const text = redact(spellings.join(" | "), secretsOf(requestTo("https://example.org/", secrets)));
    expect(text).toBe(Array(5).fill("[redacted]").join(" | "));
  });

  it("redaction does not change ordinary words", () => {
    const request = requestTo("https://example.org/", { secretQuery: { k: "a" }, secretHeaders: { a: "Bearer x" } });
    expect(redact("Bearer of a letter", secretsOf(request))).toBe("Bearer of a letter");
  });

  it("redaction keeps a failure's kind, status and retry time, and the name of its cause", () => {
    const cause = new TypeError("app-s3cret");
    const failure = redactFailure(new SourceFailure("changed", "x", { status: 418, retryAt: 7, cause }), [
      "app-s3cret",
    ]);
    expect(failure).toMatchObject({ kind: "changed", status: 418, retryAt: 7, message: "x" });
    expect(failure.cause).toMatchObject({ name: "TypeError", message: "[redacted]" });
  });
});
