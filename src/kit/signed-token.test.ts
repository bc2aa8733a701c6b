import { expect, test } from "vitest";
import { tokenSigner } from "./signed-token.js";

const signer = tokenSigner(Buffer.alloc(32, 7));
const token = signer.sign("pg1", '{"offset":100,"é":"ü"}', "/api/x?country=SY");

test("an opened token yields the signed payload", () => {
  expect(signer.open("pg1", token, "/api/x?country=SY")).toBe('{"offset":100,"é":"ü"}');
  expect(token).toMatch(/^pg1\.[\w-]+\.[\w-]{43}$/);
});

test("equal inputs yield equal tokens", () => {
  expect(tokenSigner(Buffer.alloc(32, 7)).sign("pg1", "a")).toBe(signer.sign("pg1", "a"));
});

test.each([
  ["a token with another prefix", () => signer.open("cmc1", token, "/api/x?country=SY")],
  ["a token for another context", () => signer.open("pg1", token, "/api/x")],
  ["a token signed with another key", () => tokenSigner(Buffer.alloc(32, 8)).open("pg1", token, "/api/x?country=SY")],
  ["a token with an additional piece", () => signer.open("pg1", `${token}.x`, "/api/x?country=SY")],
  ["an empty token", () => signer.open("pg1", "", "/api/x?country=SY")],
  ["an unsigned token", () => signer.open("pg1", token.slice(0, token.lastIndexOf(".")), "/api/x?country=SY")],
])("%s is refused", (_, open) => {
  expect(open()).toBeUndefined();
});

test("a token with a changed, dropped or doubled byte is refused", () => {
  for (let at = 0; at < token.length; at += 1) {
    const [before, after] = [token.slice(0, at), token.slice(at + 1)];
    for (const other of "AZaz09-_.=+/ é") {
      if (other === token[at]) continue;
      expect(signer.open("pg1", before + other + after, "/api/x?country=SY")).toBeUndefined();
    }
    expect(signer.open("pg1", before + after, "/api/x?country=SY")).toBeUndefined();
    expect(signer.open("pg1", before + token[at] + token[at] + after, "/api/x?country=SY")).toBeUndefined();
  }
});
