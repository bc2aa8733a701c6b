/** Grounds for a publisher's risk profile, each with its reason. Rows of src/data/feeds.csv refer to them by name. */
export const riskGrounds = {
  charter: { profile: "low", reason: "public broadcaster whose charter asks for impartial news and corrections" },
  agency: { profile: "low", reason: "news agency whose reports other outlets print; sends out corrections" },
  standards: { profile: "low", reason: "newsroom with published standards; has a record of corrections" },
  record: { profile: "low", reason: "publishes its own decisions, figures or observations first-hand" },
  reviewed: { profile: "low", reason: "peer-reviewed journal; corrects and retracts in public" },
  research: { profile: "low", reason: "research institute that names its sources, and the authors of its views" },
  governing: { profile: "medium", reason: "speaks for a government about its own acts" },
  statefunded: { profile: "medium", reason: "funded by a state, with editors who are not its officials" },
  restricted: { profile: "medium", reason: "works where the state can close or punish an outlet for what it prints" },
  partisan: { profile: "medium", reason: "partisan: reports from a declared or evident political side" },
  advocacy: { profile: "medium", reason: "campaigns or lobbies on what it reports about" },
  tabloid: { profile: "medium", reason: "popular press: headlines go further than the text below them" },
  aggregator: { profile: "medium", reason: "aggregator: passes on what others publish or readers hand in" },
  contributors: { profile: "medium", reason: "opinion and outside contributors beside or instead of a newsroom" },
  speakers: { profile: "medium", reason: "talks by invited speakers, who answer for their own claims" },
  preprints: { profile: "medium", reason: "research without peer review" },
  corporate: { profile: "medium", reason: "an organisation writing about its own work" },
  investor: { profile: "medium", reason: "an investor writing about companies it may hold" },
  trade: { profile: "medium", reason: "trade press: relies in part on announcements by the companies it covers" },
  state: { profile: "high", reason: "state-controlled: a government owns it or directs what it says" },
} as const;

export type RiskGround = keyof typeof riskGrounds;
