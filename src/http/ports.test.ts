import { expect, test } from "vitest";
import { port } from "../contract/port.js";
import { type PortCall, portOpener, provide } from "./ports.js";

const counter = port<{ readonly actor: string }>("counter");
// The cast is safe, because only the actor is used.
const call = { actor: "key_1" } as PortCall;

test("a call gets the ports that it declares, under the declared names, and no others", () => {
  const open = portOpener([provide(counter, ({ actor }) => ({ actor }))], []);
  expect(open({ own: counter }, call)).toEqual({ own: { actor: "key_1" } });
  expect(open({}, call)).toEqual({});
});

test("a service that uses a port without a provider does not start", () => {
  expect(() => portOpener([], [{ uses: { counter } }])).toThrow(
    "no provider for the port counter; add one in src/app/service-pipeline.ts",
  );
});

test("a provider of one port does not provide another port of the same name", () => {
  const other = port<string>("counter");
  expect(() => portOpener([provide(counter, () => ({ actor: "" }))], [{ uses: { other } }])).toThrow(/no provider for/);
});
