import { choice, optionalText, text, whole } from "../../contract/setting.js";

/** The address of an OpenAI-style endpoint. Without it, briefs are written without a model. */
export const modelUrl = {
  ...optionalText(
    "VIGIL_MODEL_URL",
    "Base address of an OpenAI-style endpoint that writes country briefs, such as `http://127.0.0.1:11434/v1`; the address may be private. Without it, briefs are written from the evidence alone.",
  ),
  read: (value: string): string | undefined => {
    if (value === "") return undefined;
    const url = URL.canParse(value) ? new URL(value) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol)) throw new Error("must be an http or https address");
    if (url.username !== "" || url.password !== "")
      throw new Error("must not contain a user name; set the key in VIGIL_MODEL_KEY");
    return value.replace(/(?<!\/)\/+$/, "");
  },
};

export const modelName = text("VIGIL_MODEL_NAME", "llama3.1", "The requested model, as the endpoint names it.");

/**
 * Time limit for a model's text, including the second attempt. If the model takes longer, the answer is an empty brief.
 */
export const modelTimeoutMs = whole(
  "VIGIL_MODEL_TIMEOUT_MS",
  14_000,
  { min: 1_000, max: 120_000, unit: "ms" },
  "Longest time that a caller waits for the model's text, including a second attempt.",
);

export const modelTokensMax = whole(
  "VIGIL_MODEL_TOKENS_MAX",
  1_100,
  { min: 200, max: 16_000, unit: "tokens" },
  "Maximum length of the text that the model may write, in tokens. For a reasoning model the limit includes the reasoning, which takes a few thousand tokens.",
);

export const modelKind = choice(
  "VIGIL_MODEL_KIND",
  ["chat", "reasoning"],
  "Kind of the model, which decides the parameters of the request: reasoning models of OpenAI refuse `max_tokens` and a temperature, and accept `max_completion_tokens`.",
);

export const modelSettings = [modelUrl, modelName, modelTimeoutMs, modelTokensMax, modelKind] as const;
