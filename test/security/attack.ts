import type { House } from "./house.js";

/** An attack that a test sends to a running service. */
export interface Attack {
  /** The guarantee that the attack tries to break; also the title of its test. */
  readonly name: string;
  /** The attacker's requests, in words. */
  readonly attack: string;
  /** The defence that stops it, in words. */
  readonly defence: string;
  run(house: House): Promise<void>;
}

/** A risk of the OWASP API Security Top 10 of 2023 with its attacks. */
export interface Risk {
  readonly id: string;
  readonly title: string;
  readonly attacks: readonly Attack[];
}
