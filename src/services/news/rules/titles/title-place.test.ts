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
  ["en", "Floods in Lahore, Pakistan", "Lahore"],
  ["en", "Fire in Atlanta, Georgia", "Atlanta"],
  ["en", "Protest in Tbilisi, Georgia", "Tbilisi"],
  ["en", "Fire in Vancouver, B.C., kills two", "Vancouver"],
  ["en", "March in Washington, DC", "Washington"],
  ["en", "Police in Birmingham, UK, arrest two", "Birmingham"],
  ["en", "Blast in Kabul, Afghan officials say", "Kabul"],
  ["en", "20 killed in Gaza, Israel says target was commander", "Gaza"],
  ["en", "Storm hits coast near Melbourne, Victoria", "Melbourne"],
  ["en", "US envoy in Cairo for talks", "Cairo"],
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
  ["en", "Shooting in Birmingham, Alabama, kills three"],
  ["en", "Shooting in Birmingham, Ala."],
  ["en", "Fire in Paris, Texas"],
  ["en", "Storm near Melbourne, Florida"],
  ["en", "Explosion in Naples, Florida"],
  ["en", "Crash in London, Ontario"],
  ["en", "Protest in Tripoli, Lebanon"],
  ["en", "Protest in Tripoli (Lebanon)"],
  ["en", "Blast in Hyderabad, Pakistan"],
  ["en", "Californian police free hostages in San José"],
  ["en", "Blackout in Santiago de Cuba"],
  ["en", "Fire in Vancouver, Washington"],
  ["en", "Fire in Vancouver, WA"],
  ["en", "Fire in Athens, Georgia"],
  ["en", "Fire in Athens, GA"],
  ["en", "Fire in Atlanta, Texas"],
  ["en", "Floods in Spain, Portugal"],
  ["es", "Sismo en Córdoba, Colombia"],
])("a title in %s names no place: %s", (language, title) => expect(placeIn(title, language)).toBeUndefined());
