import { describe, expect, test } from "vitest";
import { normalText } from "./normal-text.js";

describe("normalText", () => {
  test.each([
    ["trims a text", "  Acme  ", "Acme"],
    ["collapses spaces of every width", "Acme\u00a0\u2003 \u3000Ltd", "Acme Ltd"],
    ["composes a letter and its accent", "Cafe\u0301", "Café"],
    ["keeps the visible characters of every script", "株式会社 Ämne ק 🏭", "株式会社 Ämne ק 🏭"],
  ])("text normalisation %s", (_name, text, value) => {
    expect(normalText(text, 256)).toEqual({ value });
  });

  test.each([
    ["a control character", "A\u0000B"],
    ["a tab", "A\tB"],
    ["a line feed", "A\nB"],
    ["a C1 control", "A\u0085B"],
    ["a zero-width space", "A\u200bB"],
    ["a zero-width joiner", "A\u200dB"],
    ["a word joiner", "A\u2060B"],
    ["a byte order mark", "\ufeffA"],
    ["a right-to-left override", "A\u202eB"],
    ["a bidirectional isolate", "A\u2066B"],
    ["an Arabic letter mark", "A\u061cB"],
    ["a soft hyphen", "A\u00adB"],
    ["a line separator", "A\u2028B"],
    ["a variation selector", "A\ufe0fB"],
    ["a Hangul filler", "A\u3164B"],
    ["a tag character", "A\u{e0041}B"],
    ["a lone surrogate", "A\ud800B"],
    ["a noncharacter", "A\uffffB"],
  ])("text normalisation refuses %s", (_name, text) => {
    expect(normalText(text, 256)).toEqual({ problem: expect.stringContaining("invisible characters") });
  });

  test.each(["", " ", "\u00a0\u2003"])("text normalisation refuses %j, which is empty after trimming", (text) => {
    expect(normalText(text, 256)).toEqual({ problem: "must not be empty" });
  });

  test("the byte limit applies to the normal form, not to the given text", () => {
    expect(normalText("é".repeat(4), 8)).toEqual({ value: "éééé" });
    expect(normalText(`  ${"e\u0301".repeat(4)}  `, 8)).toEqual({ value: "éééé" });
    expect(normalText("é".repeat(5), 8)).toEqual({ problem: "must have at most 8 bytes in UTF-8, got 10" });
    expect(normalText("🏭🏭🏭", 8)).toEqual({ problem: "must have at most 8 bytes in UTF-8, got 12" });
  });
});
