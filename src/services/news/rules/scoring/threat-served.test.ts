import { describe, expect, test } from "vitest";
import { appliedLevel, isAlert, servedThreat } from "./threat-served.js";

test.each([
  ["info", false],
  ["low", false],
  ["medium", false],
  ["high", true],
  ["critical", true],
] as const)("%s is an alert: %s", (level, expected) => expect(isAlert(level)).toBe(expected));

describe("the served threat", () => {
  test("has the classified level with the source `keyword`", () => {
    expect(servedThreat({ level: "medium", category: "protest", confidence: 0.8 }, "medium")).toEqual({
      level: "THREAT_LEVEL_MEDIUM",
      category: "protest",
      confidence: 0.8,
      source: "keyword",
    });
  });

  test("has the source `entities` for a lifted level", () => {
    expect(servedThreat({ level: "info", category: "diplomatic", confidence: 0.6 }, "high")).toEqual({
      level: "THREAT_LEVEL_HIGH",
      category: "diplomatic",
      confidence: 0.6,
      source: "entities",
    });
  });

  test("has an unspecified level for info, and is absent for info in the category `general`", () => {
    expect(servedThreat({ level: "info", category: "health", confidence: 0.7 }, "info")?.level).toBe(
      "THREAT_LEVEL_UNSPECIFIED",
    );
    expect(servedThreat({ level: "info", category: "general", confidence: 0.3 }, "info")).toBeUndefined();
  });
});

describe("lifting", () => {
  test("three reliable publishers lift a diplomacy story to high, and two do not", () => {
    expect(appliedLevel("info", { isDiplomacy: true, reliablePublishers: 3 })).toBe("high");
    expect(appliedLevel("medium", { isDiplomacy: true, reliablePublishers: 3 })).toBe("high");
    expect(appliedLevel("medium", { isDiplomacy: true, reliablePublishers: 2 })).toBe("medium");
  });

  test("other stories keep their level", () => {
    expect(appliedLevel("low", { isDiplomacy: false, reliablePublishers: 30 })).toBe("low");
  });

  test("a critical story is not lowered", () => {
    expect(appliedLevel("critical", { isDiplomacy: true, reliablePublishers: 3 })).toBe("critical");
  });
});
