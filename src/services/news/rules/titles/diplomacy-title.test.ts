import { expect, test } from "vitest";
import { isDiplomacyTitle } from "./diplomacy-title.js";

test.each([
  ["en", "Ceasefire holds for a third day"],
  ["en", "Leaders gather for NATO summit in The Hague"],
  ["en", "US envoy arrives for nuclear talks"],
  ["en", "Tanker seized in Strait of Hormuz"],
  ["en", "EU agrees new sanctions"],
  ["fr", "Le cessez-le-feu prolongé d'une semaine"],
  ["de", "Außenministerin reist nach Kiew"],
  ["es", "La tregua se rompe en el norte"],
  ["ru", "Переговоры о перемирии продолжаются"],
  ["ar", "بدء محادثات وقف إطلاق النار"],
  ["zh", "双方同意停火三天"],
  ["ja", "停戦交渉が再開"],
  ["nl", "Hulp bereikt Gaza"],
])("a title in %s is about diplomacy: %s", (language, title) => expect(isDiplomacyTitle(title, language)).toBe(true));

test.each([
  ["en", "Developers meet at AI summit"],
  ["en", "Climber reaches summit of Everest"],
  ["en", "Chip maker raises forecast"],
  ["en", "Intruce software released"],
  ["de", "Botschafterstadt wächst"],
  ["xx", "Waffenruhe"],
])("a title in %s is not about diplomacy: %s", (language, title) =>
  expect(isDiplomacyTitle(title, language)).toBe(false),
);
