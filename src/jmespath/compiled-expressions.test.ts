import { expect, test } from "vitest";
import { cachingCompiler } from "./compiled-expressions.js";
import { InvalidExpression } from "./errors.js";

test("the compiler returns the same program for the same text while the program is cached", () => {
  const compile = cachingCompiler(1_000);
  expect(compile("a.b")).toBe(compile("a.b"));
});

test("the compiler evicts the least recently used program if the cache is full", () => {
  const compile = cachingCompiler(100);
  const first = compile("a");
  for (let index = 0; index < 50; index += 1) compile(`a[${index}]`);
  expect(compile("a")).not.toBe(first);
});

test("the compiler does not cache a program that is larger than the whole cache", () => {
  const compile = cachingCompiler(10);
  expect(compile("a.b.c.d.e.f.g")).not.toBe(compile("a.b.c.d.e.f.g"));
});

test("the compiler throws the same error for an invalid expression every time", () => {
  const compile = cachingCompiler(100);
  expect(() => compile("a.")).toThrow(InvalidExpression);
  expect(() => compile("a.")).toThrow(InvalidExpression);
});
