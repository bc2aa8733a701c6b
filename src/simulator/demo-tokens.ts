import { SECOND_MS } from "../kit/clock.js";

/** Bearer tokens of a simulated upstream. A token contains its time of issue, so that any process can verify it. */
export interface DemoTokens {
  issue(now: number): string;
  isValid(authorization: string | undefined, now: number): boolean;
}

export function demoTokens(name: string, lifetimeSeconds: number): DemoTokens {
  const form = new RegExp(`^Bearer demo-${name}-token-(\\d+)$`);
  return {
    issue: (now) => `demo-${name}-token-${Math.floor(now / SECOND_MS)}`,
    isValid(authorization, now) {
      const issued = Number(form.exec(authorization ?? "")?.[1] ?? Number.NaN);
      return issued * SECOND_MS <= now && now < (issued + lifetimeSeconds) * SECOND_MS;
    },
  };
}
