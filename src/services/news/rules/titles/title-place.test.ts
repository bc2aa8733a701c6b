import { expect, test } from "vitest";
import { placeIn } from "./title-place.js";

test.each([
  ["en", "Magnitude 6.1 earthquake off Chile", "Chile"],
  ["en", "Protesters gather in Nairobi, police fire tear gas", "Nairobi"],
  ["en", "Floods in South Korea kill three", "South Korea"],
  ["en", "Kenya: bus crash kills ten", "Kenya"],
  ["en", "Typhoon makes landfall in the Philippines", "Philippines"],
  ["de", "Explosion in Madrid", "Madrid"],
  ["es", "Incendio en Lima", "Lima"],
])("a title in %s names a place: %s", (language, title, name) => {
  const place = placeIn(title, language);
  expect(place?.name).toBe(name);
  expect(Math.abs(place?.latitude ?? 99)).toBeLessThanOrEqual(90);
});

test.each([
  ["en", "Tornado in Georgia destroys homes"],
  ["en", "Militants attack pipeline in Niger Delta"],
  ["en", "Paris Hilton opens shop"],
  ["en", "Turkey prices rise before holidays"],
  ["en", "Flights from Nairobi to London resume"],
  ["en", "Man in china shop breaks a vase"],
  ["en", "Fighting spreads in Indian-held valley"],
  ["zh", "in Chile"],
])("a title in %s names no place: %s", (language, title) => expect(placeIn(title, language)).toBeUndefined());
