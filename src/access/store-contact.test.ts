import { expect, test } from "vitest";
import { MINUTE_MS, SECOND_MS } from "../kit/clock.js";
import { type ManualClock, manualClock } from "../kit/manual-clock.js";
import { StoreContact } from "./store-contact.js";

const PATIENCE_MS = SECOND_MS;
const lost = (): Promise<string> => Promise.reject(Object.assign(new Error("refused"), { code: "ECONNREFUSED" }));
const stored = async (): Promise<string> => "stored";
const never = (): Promise<string> => {
  throw new Error("a lost store must not be queried");
};

function opened(rememberedMs = MINUTE_MS): { readonly clock: ManualClock; readonly contact: StoreContact } {
  const clock = manualClock(0);
  return { clock, contact: new StoreContact({ clock, rememberedMs, monotonic: clock.now }) };
}

test("a store that answers is queried every time", async () => {
  const { contact } = opened();
  expect(await contact.askOr(stored, "remembered")).toBe("stored");
  expect(await contact.ask(stored)).toBe("stored");
});

test("a query to a lost store returns the remembered value, and the next calls return it without a query", async () => {
  const { contact } = opened();
  expect(await contact.askOr(lost, "remembered")).toBe("remembered");
  expect(contact.askOr(never, "remembered")).toBe("remembered");
});

test("`ask` also queries a lost store; if the query succeeds, the store is no longer lost", async () => {
  const { contact } = opened();
  await expect(contact.ask(lost)).rejects.toThrow("refused");
  expect(contact.askOr(never, "remembered")).toBe("remembered");
  await contact.ask(stored);
  expect(await contact.askOr(stored, "remembered")).toBe("stored");
});

test("a failed statement does not count as losing the store", async () => {
  const { contact } = opened();
  const faulty = (): Promise<string> => Promise.reject(new Error("no such column"));
  await expect(contact.askOr(faulty, "remembered")).rejects.toThrow("no such column");
  expect(await contact.askOr(stored, "remembered")).toBe("stored");
});

test("a query that hangs returns the remembered value after a second, and the next calls return it immediately", async () => {
  const { clock, contact } = opened();
  let answer: (text: string) => void = () => undefined;
  const hanging = (): Promise<string> => new Promise((resolve) => (answer = resolve));
  const patient = contact.askOr(hanging, "remembered");
  clock.advance(PATIENCE_MS);
  expect(await patient).toBe("remembered");
  expect(contact.askOr(never, "remembered")).toBe("remembered");
  answer("late");
  await expect.poll(() => contact.askOr(stored, "remembered")).toBe("stored");
});

test("remembered values are used for the given time after the last successful check", async () => {
  const { clock, contact } = opened();
  clock.advance(10 * SECOND_MS);
  await contact.check(stored);
  // Answers to other queries do not confirm the remembered values.
  clock.advance(10 * SECOND_MS);
  await contact.ask(stored);
  clock.advance(MINUTE_MS - 10 * SECOND_MS - 1);
  await expect(contact.check(lost)).rejects.toThrow("refused");
  expect(contact.askOr(lost, "remembered")).toBe("remembered");
  clock.advance(1);
  await expect(contact.askOr(lost, "remembered")).rejects.toThrow("refused");
});

test("the age of remembered values counts from the beginning of the last check", async () => {
  const { clock, contact } = opened();
  await contact.check(async () => clock.advance(MINUTE_MS));
  await expect(contact.askOr(lost, "remembered")).rejects.toThrow("refused");
});

test("no remembered value is used if `rememberedMs` is 0", async () => {
  const { contact } = opened(0);
  await expect(contact.askOr(lost, "remembered")).rejects.toThrow("refused");
});
