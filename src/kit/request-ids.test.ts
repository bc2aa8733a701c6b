import { expect, test } from "vitest";
import { requestIds } from "./request-ids.js";

test("ids are random bytes in hexadecimal digits, and more bytes are read when the bytes are used up", () => {
  let next = 0;
  const reads: number[] = [];
  const newId = requestIds((length) => {
    reads.push(length);
    return Buffer.from(Array.from({ length }, () => next++ % 251));
  });
  const ids = Array.from({ length: 257 }, newId);
  expect(ids[0]).toBe("000102030405060708090a0b");
  expect(ids[1]).toBe("0c0d0e0f1011121314151617");
  expect(reads).toEqual([3_072, 3_072]);
  expect(ids[256]).toBe(Buffer.from(Array.from({ length: 12 }, (_, at) => (3_072 + at) % 251)).toString("hex"));
});

test("ids made from the system's random bytes differ", () => {
  const newId = requestIds();
  const ids = Array.from({ length: 1_000 }, newId);
  expect(new Set(ids).size).toBe(1_000);
  expect(ids.every((id) => /^[0-9a-f]{24}$/.test(id))).toBe(true);
});
