export const threatLevels = ["info", "low", "medium", "high", "critical"] as const;
export type ThreatLevel = (typeof threatLevels)[number];

/** Threat categories. On equal scores, the earlier category wins. */
export const threatCategories = [
  "terrorism",
  "conflict",
  "cyber",
  "military",
  "health",
  "disaster",
  "environmental",
  "infrastructure",
  "protest",
  "crime",
  "diplomatic",
  "economic",
  "tech",
  "general",
] as const;
export type ThreatCategory = (typeof threatCategories)[number];

/** Role of a word class: its effect beyond the category score. Applied by threat-level.ts and threat-evidence.ts. */
export type Role =
  | "looks-back" // a remembered event
  | "obituary"
  | "form" // opinion, review, how-to: the title states the type of article
  | "arena" // sport, stage, screen, home: alarming words are figures of speech there
  | "figure" // always a figure of speech
  | "denial" // did not happen, is over, was an exercise
  | "harmless" // happened and hurt nobody
  | "orderly" // public business: plans, laws, statistics
  | "on-record" // statistics and studies, whose deaths are not current
  | "court"
  | "death"
  | "struck" // a hazard has reached people
  | "accident" // an event that is an emergency at a plant or with a warhead
  | "nuclear"
  | "chemical"
  | "national" // affects a whole country
  | "crippled"
  | "trouble" // a problem; raises the level of a title from low to medium
  | "animal"
  | "worker";

export interface WordClass {
  readonly category?: ThreatCategory;
  /** Weight of one phrase of the class for its category. */
  readonly weight?: number;
  /**
   * Weight that the class adds to its category. It counts only if the title looks back, if the title states the type of
   * article, or if no phrase of the title has a weight.
   */
  readonly past?: number;
  /** Level that the class gives a title to which no other level rule applies. */
  readonly level?: ThreatLevel;
  /** Keeps the level even if the title also mentions public business ("EU agrees new sanctions"). */
  readonly firm?: true;
  readonly role?: Role;
}

export const wordClasses = {
  // Armed conflict
  invasion: { category: "conflict", weight: 9, level: "critical", firm: true },
  genocide: { category: "conflict", weight: 7, level: "critical", firm: true },
  "nuclear use": { category: "conflict", weight: 9, level: "critical", firm: true },
  "mass weapon": { category: "conflict", weight: 4.5, level: "critical", firm: true },
  fighting: { category: "conflict", weight: 5, level: "high" },
  "armed tension": { category: "conflict", weight: 6, level: "medium", firm: true },
  "armed party": { category: "conflict", weight: 3, level: "low" },
  // Terrorism
  "terror attack": { category: "terrorism", weight: 7, level: "high", firm: true },
  "terror plot": { category: "terrorism", weight: 6, level: "medium" },
  "terror group": { category: "terrorism", weight: 5, level: "low" },
  gunmen: { category: "terrorism", weight: 2, level: "high" },
  // Armed forces
  coup: { category: "military", weight: 8, level: "critical", firm: true },
  "military move": { category: "military", weight: 6, level: "medium", firm: true },
  "armed forces": { category: "military", weight: 3, level: "low" },
  // Protest
  crackdown: { category: "protest", weight: 8, level: "high", firm: true },
  protest: { category: "protest", weight: 5, level: "medium", firm: true },
  "protest topic": { category: "protest", weight: 4, level: "low" },
  strike: { category: "protest", weight: 2, level: "medium" },
  // Natural disaster
  quake: { category: "disaster", weight: 6, level: "medium" },
  "great storm": { category: "disaster", weight: 6, level: "medium" },
  hazard: { category: "disaster", weight: 5, level: "medium" },
  weather: { category: "disaster", weight: 3, level: "low" },
  // Diplomacy
  rift: { category: "diplomatic", weight: 6, level: "medium", firm: true },
  sanctions: { category: "diplomatic", weight: 5, level: "medium", firm: true },
  diplomacy: { category: "diplomatic", weight: 3, level: "low" },
  "truce agreed": { category: "diplomatic", weight: 7, level: "low", role: "orderly" },
  agreement: { category: "diplomatic", weight: 1, level: "low", role: "orderly" },
  // Economy
  "economic shock": { category: "economic", weight: 5, level: "medium", firm: true },
  fall: { category: "economic", weight: 2, level: "medium" }, // if sharp, or by five percent or more; low otherwise
  economy: { category: "economic", weight: 3, level: "low" },
  // Cyber
  "cyber attack": { category: "cyber", weight: 8, level: "medium" },
  "cyber topic": { category: "cyber", weight: 5, level: "low" },
  // Health
  pandemic: { category: "health", weight: 8, level: "critical" },
  outbreak: { category: "health", weight: 5, level: "medium" },
  "escaped germ": { category: "health", weight: 6, level: "critical", firm: true },
  "care in trouble": { category: "health", weight: 5, level: "medium", firm: true },
  health: { category: "health", weight: 3, level: "low" },
  // Environment
  pollution: { category: "environmental", weight: 5, level: "medium" },
  environment: { category: "environmental", weight: 3, level: "low" },
  chemical: { category: "environmental", weight: 4, level: "low", role: "chemical" },
  // Crime
  "mass shooting": { category: "crime", weight: 7, level: "high" },
  crime: { category: "crime", weight: 4, level: "medium" },
  "crime topic": { category: "crime", weight: 1, level: "low" },
  trial: { category: "crime", weight: 8, level: "low", role: "court" },
  court: { category: "crime", weight: 2, level: "low", role: "orderly" },
  // Infrastructure
  "transport accident": { category: "infrastructure", weight: 6, level: "medium", firm: true },
  outage: { category: "infrastructure", weight: 5, level: "medium" },
  "national outage": { category: "infrastructure", weight: 7, level: "high" },
  infrastructure: { category: "infrastructure", weight: 3, level: "low" },
  "nuclear plant": { category: "infrastructure", weight: 5, level: "low", role: "nuclear" },
  warhead: { category: "military", weight: 5, level: "low", role: "nuclear" },
  // Technology
  "tech trouble": { category: "tech", weight: 7, level: "medium" },
  tech: { category: "tech", weight: 3, level: "low" },
  gadget: { category: "tech", weight: 4, level: "info" },
  // The rest
  "crowd crush": { category: "general", weight: 8, level: "high" },
  "building fire": { category: "general", weight: 7, level: "medium" },
  "political crisis": { category: "general", weight: 5, level: "medium", firm: true },
  politics: { category: "general", weight: 2, level: "low" },
  sport: { category: "general", weight: 4, level: "info", role: "arena" },
  "work of art": { category: "general", weight: 6, level: "info", role: "arena" },
  stage: { category: "general", weight: 4, level: "info", role: "arena" },
  home: { category: "general", weight: 3, level: "info", role: "arena" },
  // Named past events
  "old war": { category: "conflict", past: 7 },
  "old attack": { category: "terrorism", past: 7 },
  "old disaster": { category: "disaster", past: 7 },
  "old treaty": { category: "diplomatic", past: 7 },
  "old crash": { category: "economic", past: 7 },
  "old spill": { category: "environmental", past: 7 },
  "old protest": { category: "protest", past: 7 },
  "old coup": { category: "military", past: 7 },
  "old crime": { category: "crime", past: 7 },
  "old wreck": { category: "infrastructure", past: 7 },
  "old plague": { category: "health", past: 7 },
  "old hack": { category: "cyber", past: 7 },
  // Mostly without a category of their own
  peril: { level: "high" },
  "public act": { level: "low" },
  "on record": { role: "on-record" },
  "looking back": { role: "looks-back" },
  obituary: { category: "general", weight: 9, role: "obituary" },
  "kind of text": { role: "form" },
  "figure of speech": { category: "general", weight: 9, role: "figure" },
  "figure of trade": { category: "economic", weight: 9, role: "figure" },
  "figure of tech": { category: "tech", weight: 9, role: "figure" },
  denial: { role: "denial" },
  harmless: { role: "harmless" },
  orderly: { role: "orderly" },
  death: { role: "death" },
  struck: { role: "struck" },
  accident: { role: "accident" },
  trouble: { role: "trouble" },
  emergency: { level: "medium", firm: true },
  "national scale": { role: "national" },
  "whole country": {}, // such as "entire nation"; makes an outage nationwide
  crippled: { role: "crippled" },
  animal: { role: "animal" },
  worker: { category: "protest", weight: 0, role: "worker" },
  "no class": {}, // phrases that have no class, although one of their words has one
} as const satisfies Readonly<Record<string, WordClass>>;

export type ClassName = keyof typeof wordClasses;
