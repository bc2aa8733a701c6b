import { expect } from "vitest";
import type { Json } from "../../../src/contract/testing/service-cases.js";
import { json, type Stack } from "../stack.js";

const PROJECTED_BYTES_MAX = 262_144;

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
}

export async function answered(stack: Stack, target: string): Promise<Answered> {
  const answer = await stack.get(target);
  return { status: answer.status, headers: answer.headers, body: json(answer) as Json };
}

/** Expects the projection `@` to be the plain body byte for byte, or to be refused for its size. */
export async function expectProjectedWhole(stack: Stack, target: string): Promise<void> {
  const plain = await stack.get(target);
  const projected = await stack.get(`${target}${target.includes("?") ? "&" : "?"}jmespath=%40`);
  if (Buffer.byteLength(String(plain.body)) > PROJECTED_BYTES_MAX) {
    expect([projected.status, json(projected)]).toEqual([
      400,
      expect.objectContaining({ _jmespath_error: expect.stringMatching(/^projection_too_large: \d+ > 262144$/) }),
    ]);
  } else {
    expect(String(projected.body)).toBe(String(plain.body));
    expect(projected.headers["X-Vigil-State"]).toBe(plain.headers["X-Vigil-State"]);
  }
}
