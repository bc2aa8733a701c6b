import { expect, test } from "vitest";
import { OperatorError } from "../../kit/operator-error.js";
import { connectionFailure } from "../../sdk/connection-failure.js";
import { serving } from "../testing/serving.js";
import { fetchCards, fetchJson, rowOf, unreachable } from "./service-client.js";

const card = {
  name: "us-cpi",
  state: "ok",
  generation: 3,
  checkedAt: 5,
  newestAt: null,
  error: null,
  parts: [{ records: 358 }, { records: 12 }],
};

test("the client sends the key with its request for the cards, and returns the cards", async () => {
  const requests: unknown[] = [];
  const url = await serving((request, answer) => {
    requests.push([request.method, request.url, request.headers["x-service-key"]]);
    answer.setHeader("Content-Type", "application/json").end(JSON.stringify({ datasets: [card] }));
  });
  expect(await fetchCards({ url, key: "the-key" })).toEqual([card]);
  expect(requests).toEqual([["GET", "/api/datasets", "the-key"]]);
});

test.each([
  { status: 401, sentence: (url: string) => `${url} refuses the key; set VIGIL_KEY to one of its keys` },
  { status: 404, sentence: (url: string) => `${url}/api/datasets answered 404` },
  { status: 503, sentence: (url: string) => `${url}/api/datasets answered 503` },
])("the status $status is reported in a sentence that does not contain the key", async ({ status, sentence }) => {
  const url = await serving((_request, answer) => answer.writeHead(status).end("{}"));
  await expect(fetchCards({ url, key: "the-key" })).rejects.toThrow(new OperatorError(sentence(url)));
});

test.each([
  {
    name: "a service that requires a key and is sent none",
    key: "",
    status: 401,
    sentence: / needs a key; set VIGIL_KEY/,
  },
  {
    name: "an address where another program answers",
    key: "k",
    status: 200,
    sentence: /not answer with JSON; is http:.* a Vigil service\?$/,
  },
])("$name is reported in a sentence for the operator", async ({ key, status, sentence }) => {
  const url = await serving((_request, answer) => answer.writeHead(status).end("<html>"));
  const fetched = fetchCards({ url, key });
  await expect(fetched).rejects.toThrow(OperatorError);
  await expect(fetched).rejects.toThrow(sentence);
});

test("an invalid address is reported in a sentence for the operator", async () => {
  await expect(fetchCards({ url: "here", key: "k" })).rejects.toThrow(
    /^VIGIL_URL must be an address like .*, got "here"$/,
  );
});

test("an unreachable service is reported with a remedy", async () => {
  const fetched = fetchCards({ url: "http://127.0.0.1:1/", key: "the-key" });
  await expect(fetched).rejects.toThrow("no service answers at http://127.0.0.1:1; start one, or set VIGIL_URL");
});

test("a certificate that is not accepted is reported with the way to trust its authority", () => {
  const cause = Object.assign(new Error("self-signed"), { code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
  expect(unreachable(connectionFailure("https://vigil.example", cause)).message).toBe(
    "the certificate of https://vigil.example is not accepted (DEPTH_ZERO_SELF_SIGNED_CERT); set NODE_EXTRA_CA_CERTS to a PEM file of the authority that signed it, or correct VIGIL_URL",
  );
});

test("the client returns the JSON at a path, or throws the service's reason for a refusal", async () => {
  const url = await serving((request, answer) => {
    if (request.url?.includes("lang=xx"))
      answer.writeHead(400).end('{"violations":[{"field":"lang","description":"must be fr"}]}');
    else answer.setHeader("Content-Type", "application/json").end(`{"path":"${request.url}"}`);
  });
  expect(await fetchJson({ url, key: "k" }, "/api/x?lang=fr")).toEqual({ path: "/api/x?lang=fr" });
  const refused = fetchJson({ url, key: "k" }, "/api/x?lang=xx");
  await expect(refused).rejects.toThrow(/\/api\/x answered 400: lang must be fr$/);
});

test("the row of a dataset shows the sum of the records of its parts", () => {
  expect(rowOf(card)).toMatchObject({ name: "us-cpi", generation: 3, records: 370 });
  expect(rowOf({ ...card, parts: [] })).toMatchObject({ records: 0 });
});
