import { expect, test } from "vitest";
import { type Started, started } from "../../../simulator/testing/harness.js";

const NOW = "2026-11-18T12:00:00Z";
const facts = Array.from({ length: 12 }, (_, at) => ({
  id: `E${at + 1}`,
  kind: at < 4 ? "headline" : "conflict",
  fact:
    at % 3 === 0 ? `The border of region ${"abcdefghijkl"[at]} is closed.` : `${at * 20} people of town ${at} left.`,
}));
const user = `Write the brief.\nBEGIN MATERIAL 1f\n${JSON.stringify({ country: { code: "XX" }, evidence: facts })}\nEND MATERIAL 1f`;
const question = {
  model: "any",
  max_tokens: 500,
  messages: [
    { role: "system", content: "Rules." },
    { role: "user", content: user },
  ],
};

interface Completion {
  readonly model: string;
  readonly choices: readonly { readonly message: { readonly content: string } }[];
}

interface Claim {
  readonly section: string;
  readonly text: string;
  readonly cites: readonly string[];
}

async function ask(simulator: Started, body: unknown = question): Promise<Response> {
  const address = `${simulator.baseUrl}/model.simulated.example/v1/chat/completions`;
  return await fetch(address, { method: "POST", body: JSON.stringify(body) });
}

async function claims(simulator: Started): Promise<readonly Claim[]> {
  const { choices } = (await (await ask(simulator)).json()) as Completion;
  return (JSON.parse(choices[0]?.message.content ?? "") as { claims: Claim[] }).claims;
}

test("the model writes a claim for each evidence item, and some of the claims are invented", async () => {
  const all = await claims(await started(NOW));
  expect(all.map(({ cites }) => cites)).toEqual(facts.map(({ id }) => [id]));
  const repeated = all.filter(({ text }, at) => text === facts[at]?.fact);
  expect(repeated.length).toBeGreaterThan(3);
  expect(repeated.length).toBeLessThan(facts.length - 1);
  expect(new Set(all.map(({ section }) => section))).toEqual(new Set(["situation", "risks", "watch"]));
});

test("the model writes the same text for the same prompt, and its answer is marked as simulated", async () => {
  const [first, same] = [await started(NOW), await started(NOW)];
  const text = await (await ask(first)).text();
  expect(text).toBe(await (await ask(same)).text());
  expect((JSON.parse(text) as Completion).model).toBe("simulated-writer/1");
});

test("the model writes no claims without evidence, and refuses an invalid request", async () => {
  const simulator = await started(NOW);
  const hello = await ask(simulator, { messages: [{ role: "user", content: "Hello" }] });
  expect(await hello.json()).toMatchObject({ choices: [{ message: { content: '{"claims":[]}' } }] });
  expect((await ask(simulator, {})).status).toBe(400);
});

test("faults make the model answer in another form, without claims, or with an invalid claim", async () => {
  const simulator = await started(NOW);
  simulator.faults.set({ upstream: "chat-model" }, { kind: "changed" });
  expect(await (await ask(simulator)).json()).not.toHaveProperty("choices");
  simulator.faults.set({ upstream: "chat-model" }, { kind: "empty" });
  expect(await claims(simulator)).toEqual([]);
  simulator.faults.set({ upstream: "chat-model" }, { kind: "bad-row" });
  expect((await claims(simulator)).filter(({ cites }) => !Array.isArray(cites))).toHaveLength(1);
});
