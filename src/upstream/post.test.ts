import { text } from "node:stream/consumers";
import { inspect } from "node:util";
import { expect, it } from "vitest";
import { localClient, requestTo, serve, serveAlways } from "./testing/local-servers.js";

const question = { body: '{"limit":250}', secretQuery: { appname: "s3cret" } };

it("a request with a body is sent as a POST with JSON", async () => {
  const bodies: Promise<string>[] = [];
  const server = await serve((request, response) => {
    bodies.push(text(request));
    response.end("answer");
  });
  const { client } = localClient([server.origin()]);
  const answer = await client.fetch(requestTo(`${server.origin()}/disasters`, question));
  expect(answer.bytes.toString()).toBe("answer");
  expect(server.requests[0]).toMatchObject({ method: "POST", url: "/disasters?appname=s3cret" });
  expect(server.requests[0]?.headers["content-type"]).toBe("application/json");
  expect(await bodies[0]).toBe('{"limit":250}');
});

it("a 201 is accepted for a POST only", async () => {
  const server = await serveAlways(201);
  const { client } = localClient([server.origin()]);
  expect((await client.fetch(requestTo(`${server.origin()}/search`, question))).status).toBe(200);
  await expect(client.fetch(requestTo(`${server.origin()}/search`))).rejects.toThrow("answered 201; expected 200");
});

it.each([307, 308])("a POST is repeated at the target of a %i", async (status) => {
  const bodies: Promise<string>[] = [];
  const server = await serve((request, response) => {
    bodies.push(text(request));
    if (request.url?.startsWith("/old")) response.writeHead(status, { location: "/new" }).end();
    else response.end("answer");
  });
  const { client } = localClient([server.origin()]);
  expect((await client.fetch(requestTo(`${server.origin()}/old`, question))).status).toBe(200);
  expect(await Promise.all(bodies)).toEqual(['{"limit":250}', '{"limit":250}']);
});

it.each([301, 302, 303])("a POST does not follow a %i, which would change its method", async (status) => {
  const server = await serveAlways(status, { location: "/new" });
  const { client } = localClient([server.origin()]);
  await expect(client.fetch(requestTo(`${server.origin()}/`, question))).rejects.toThrow(
    `answered ${status}; expected 200`,
  );
  expect(server.requests).toHaveLength(1);
});

it("a form is sent as a POST; after a redirect to another origin, its secret fields are not sent", async () => {
  const bodies: Promise<string>[] = [];
  const server = await serve((request, response) => {
    bodies.push(text(request));
    if (request.url === "/token") response.writeHead(307, { location: `${server.origin("other.test")}/there` }).end();
    else response.end("answer");
  });
  const { client } = localClient([server.origin(), server.origin("other.test")]);
  const form = { form: { grant_type: "password" }, secretForm: { username: "a+b@x.test", password: "s3cret word" } };
  await client.fetch(requestTo(`${server.origin()}/token`, form));
  expect(server.requests.map(({ method }) => method)).toEqual(["POST", "POST"]);
  expect(server.requests[0]?.headers["content-type"]).toBe("application/x-www-form-urlencoded");
  expect(await Promise.all(bodies)).toEqual([
    "grant_type=password&username=a%2Bb%40x.test&password=s3cret+word",
    "grant_type=password",
  ]);
});

it("secrets of a form never appear in a failure", async () => {
  const server = await serveAlways(302, { location: "/app-s3cret/x" });
  const { client } = localClient([server.origin()]);
  const answering = client.fetch(requestTo(`${server.origin()}/`, { secretForm: { password: "app-s3cret" } }));
  const failure: unknown = await answering.catch((error) => error);
  expect(inspect(failure, { depth: 10 })).toContain("302");
  expect(inspect(failure, { depth: 10 })).not.toContain("app-s3cret");
});
