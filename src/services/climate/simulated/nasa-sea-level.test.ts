import { expect, test } from "vitest";
import { started } from "../../../simulator/testing/harness.js";

const PAGE = "https://sealevel.nasa.gov/overlay-global-mean-sea-level";
const textOf = (html: string): string =>
  html
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, "")
    .replace(/<[^>]*>/g, "")
    .replaceAll("&nbsp;", " ");

test("the page states the rise since 1993, the current rate of rise, and the rate in 1993", async () => {
  const page = await (await started("2026-11-18T12:00:00Z")).text(PAGE);
  expect(page).toMatch(/^<!DOCTYPE html>[\s\S]*<script>[\s\S]*<nav>[\s\S]*&amp;[\s\S]*<\/html>\n$/);
  expect(textOf(page)).toMatch(/Rise since 1993: 11\d\.\d millimeters/);
  expect(textOf(page)).toMatch(
    /current .* 0\.17 inches\/year \(0\.42 centimeters\/year\)\. .* \(0\.20 centimeters\) per year in 1993/,
  );
});

test("the sea level rises with the clock", async () => {
  const simulator = await started("2026-11-18T12:00:00Z");
  const rise = async (): Promise<number> => Number(/<strong>([\d.]+)/.exec(await simulator.text(PAGE))?.[1]);
  const before = await rise();
  simulator.clock.set(Date.parse("2027-11-18T12:00:00Z"));
  expect((await rise()) - before).toBeCloseTo(3.3, 1);
});

test("a changed page states neither year nor unit, and an empty page has no numbers", async () => {
  const simulator = await started("2026-11-18T12:00:00Z");
  const broken = async (kind: "changed" | "empty"): Promise<string> => {
    simulator.faults.set({ upstream: "nasa-sea-level" }, { kind });
    return textOf(await simulator.text(PAGE));
  };
  expect(await broken("changed")).not.toMatch(/1993|centimeters|inches/);
  expect(await broken("empty")).not.toMatch(/\d/);
});
