import { expect, test } from "vitest";
import { port } from "../contract/port.js";
import { type PortCall, portOpener, provide } from "./ports.js";

const counter = port<{ readonly actor: string }>("counter");
// Only the actor is read here.
const call = { actor: "key_1" } as PortCall;

test("a port is opened for the call that uses it, under the name that the declaration gives it", () => {
  const open = portOpener([provide(counter, ({ actor }) => ({ actor }))], []);
  expect(open({ own: counter }, call)).toEqual({ own: { actor: "key_1" } });
  expect(open({}, call)).toEqual({});
});

test("a service that uses a port without a provider does not start", () => {
  expect(() => portOpener([], [{ uses: { counter } }])).toThrow(
    "nobody provides the port counter; add a provider where the service is composed",
  );
});

test("two ports of the same name are distinct", () => {
  const other = port<string>("counter");
  expect(() => portOpener([provide(counter, () => ({ actor: "" }))], [{ uses: { other } }])).toThrow(/nobody provides/);
});
