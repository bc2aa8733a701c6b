/**
 * The words by which state-attacks.ts recognises attacks, folded as in a title. English has forms of its own, such as
 * "fires missiles at"; the other languages have only the forms with a verb of attack.
 */
interface AttackWords {
  /** Verbs that mean violence if a country, a party or a military object follows: "bombs", "strikes". */
  readonly direct: ReadonlySet<string>;
  /** Verbs that also mean trade, weather and quarrels: "hits", "attacks". They need evidence in the title. */
  readonly vague: ReadonlySet<string>;
  /** Forms of these verbs that are also nouns or plurals. They count only after a force: "jets hit", "Houthis attack". */
  readonly directBase: ReadonlySet<string>;
  readonly vagueBase: ReadonlySet<string>;
  readonly articles: ReadonlySet<string>;
  /** Armies and troops as attackers: "US forces strike", "l'armée israélienne bombarde". */
  readonly troops: ReadonlySet<string>;
  /** Words between the verb and its target: "strikes southern Lebanon", "strikes alleged drug boat". */
  readonly modifiers: ReadonlySet<string>;
  /** Targets whose attack needs no further evidence: "hits Iranian targets". */
  readonly targets: ReadonlySet<string>;
  /** Words that may follow the target. Any other word makes the country part of a longer object ("India trade deal"). */
  readonly followers: ReadonlySet<string>;
}

const setOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));
const nothing: ReadonlySet<string> = new Set();

export const attackWords: Readonly<Record<string, AttackWords>> = {
  en: {
    direct: setOf("strikes struck bombs bombed bombards bombarded shells shelled"),
    vague: setOf("hits attacks attacked raids raided pounds pounded"),
    directBase: setOf("strike bomb bombard shell"),
    vagueBase: setOf("hit attack raid pound"),
    articles: setOf("the"),
    troops: setOf("military army forces troops soldiers commandos navy"),
    modifiers: setOf(`the a an north south east west northern southern eastern western central coastal occupied
      neighbouring neighboring rival key major alleged suspected drug another second third fourth more two three four
      five several dozens hundreds multiple of new military nuclear oil fuel gas power energy missile radar cargo
      container commercial`),
    targets: setOf("targets airfield airfields airbase airbases militants warship warships barracks"),
    followers: setOf(`in near on with after amid despite over as for during before ahead following from at again
      overnight hours days while since into inside killing wounding injuring leaving destroying targeting hitting kills
      monday tuesday wednesday thursday friday saturday sunday today using off`),
  },
  de: {
    direct: setOf("bombardiert bombardieren beschiesst beschiessen"),
    vague: setOf("greift greifen attackiert attackieren"),
    directBase: nothing,
    vagueBase: nothing,
    articles: setOf("die der das"),
    troops: setOf("armee streitkrafte"),
    modifiers: setOf("den die das der dem im in bei erneut wieder"),
    targets: setOf("ziele stellungen"),
    followers: setOf("an mit im in nach bei erneut am trotz"),
  },
  fr: {
    direct: setOf("bombarde bombardent"),
    vague: setOf("frappe frappent attaque attaquent"),
    directBase: nothing,
    vagueBase: nothing,
    articles: setOf("l la le les"),
    troops: setOf("armee"),
    modifiers: setOf("le la les l des du de au en dans"),
    targets: setOf("cibles"),
    followers: setOf("avec apres dans en malgre pour"),
  },
  es: {
    direct: setOf("bombardea bombardean"),
    vague: setOf("ataca atacan"),
    directBase: nothing,
    vagueBase: nothing,
    articles: setOf("el la los las"),
    troops: setOf("ejercito"),
    modifiers: setOf("el la los las a al de del en"),
    targets: setOf("objetivos"),
    followers: setOf("con tras en pese por"),
  },
  pt: {
    direct: setOf("bombardeia bombardeiam"),
    vague: setOf("ataca atacam"),
    directBase: nothing,
    vagueBase: nothing,
    articles: setOf("o a os as"),
    troops: setOf("exercito"),
    modifiers: setOf("o a os as ao de do da em no na"),
    targets: setOf("alvos"),
    followers: setOf("com apos em no na apesar por"),
  },
};

/** Armed parties that are not states. They attack and are attacked like states. */
export const parties = setOf(
  "hezbollah hisbollah hamas houthi houthis huthi huthis rsf m23 idf irgc pkk ypg sdf isis daesh shabaab",
);

/**
 * Pairs of states that fire at each other in 2026, as ISO 3166-1 alpha-2 codes in alphabetical order. Between them,
 * "attacks" and "hits" mean violence. India and Pakistan, the Koreas and the United States are left out, because their
 * titles about sport, trade and quarrels are more frequent.
 */
export const atWar = setOf("RU-UA IL-IR IL-PS IL-LB IL-SY IL-YE");

/** Weapons as attackers: "Russian drones attack Odesa". */
export const weaponForces = setOf(`jets warplanes bombers drone drones missile missiles rockets gunships helicopters
  artillery airstrike airstrikes`);

/** Words that may stand between a country and its force: "Israeli air force jets". They are no evidence. */
export const forceParts = setOf(`air strike strikes attack attacks raid raids fire backed led allied fighter fighters
  force naval coalition ballistic cruise special rebels militants militia`);

/** Military objects, which need no country after "strikes" or "bombs": "US strikes boat in Caribbean". */
export const objects = setOf(`boat boats vessel vessels ship ships tanker tankers warship warships frigate convoy camp
  refinery refineries depot depots airfield airfields airbase airbases airport hospital militants militant rebels
  positions base bases facility facilities targets target site sites barracks capital port troops forces infrastructure
  grid territory border`);

/** Words in which a verb of attack is a figure of speech for trade or a quarrel: "hits China with tariffs". */
export const quarrels = setOf(`tariff tariffs sanction sanctions duty duties levy levies tax taxes fine fines visa visas
  ban bans curb curbs trade lawsuit lawsuits export exports import imports quota quotas boycott debt fee fees budget
  bill ruling economy economic market markets stocks inflation price prices chips steel comments remarks stance policy
  policies proposal proposals decision claim claims criticism rhetoric row speech letter report plan plans hackers
  cyber zoll zolle sanktionen verbal politik tarifs douane aranceles sanciones tarifas sancoes`);

/** Agreements, which are figures of speech unless they come after "after" or "despite". */
export const agreements = setOf("deal deals accord accords agreement agreements pact pacts treaty truce ceasefire");
export const beforeAgreements = setOf("after amid despite before hours days following since");

/** Places and texts in which a country attacks another in words, in sport or in fiction: "at UN", "in letter". */
export const venues = setOf(`un icj icc wto court courts tribunal hague letter speech interview assembly parliament cup
  final finals semifinal semifinals quarterfinal olympics games league qualifier qualifiers match friendly opener half
  minute minutes innings championship championships eurovision netflix film drama thriller series novel museum game
  movie documentary simulation exercise drill wargame poll book play list lists roster blacklist
  gold silver medal medals title cyberattack cyberattacks cyber hack hacks hacking
  onu cij cpi omc igh gericht gerichtshof tribunal corte cour brief lettre carta rede discours discurso em wm finale
  pokal coupe mondial copa mundial eurocopa`);

/** Words before a venue, at most three words away. */
export const beforeVenues = setOf("at in on before from to into for with devant a au en na no vor bei im beim de la");

export const weapons = setOf(`drone drones missile missiles rocket rockets bomb bombs shells artillery airstrike
  airstrikes strike strikes salvo warplanes jets`);
export const beforeWeapons = setOf("with using in by mit avec con com");

export const launches = setOf("launches launched fires fired carries carried unleashes unleashed");
export const launchesBase = setOf("launch fire carry unleash");

/** Words between a verb of launching and "at" or "on": "launches hundreds of missiles at". */
export const launched = setOf(`attack attacks strike strikes airstrike airstrikes air missile missiles rocket rockets
  drone drones assault offensive barrage salvo salvos shells wave waves massive major large hundreds dozens ballistic
  cruise of more new deadly retaliatory overnight fresh a an out and two three several`);
/** Words of `launched` that show the weapon. A single missile or drone may be a test or a product. */
export const launchedWeapons = setOf("strikes airstrike airstrikes missiles rockets drones shells ballistic");
export const aimed = setOf("at on against into");

export const aircraft = setOf(`jet jets plane planes warplane warplanes aircraft helicopter helicopters fighter fighters
  bomber bombers`);

export const blasts = setOf("explosion explosions blast blasts");

export const beforeBlast =
  setOf(`powerful huge deadly large massive loud fresh second twin two three several multiple big a an bomb mysterious
  suspected`);

export const blastShakes = setOf("rock rocks shake shakes rip rips");
export const blastIn = setOf("in near at outside");
