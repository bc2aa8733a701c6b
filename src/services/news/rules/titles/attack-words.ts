/**
 * The words by which state-attacks.ts recognises attacks, folded as in a title. English has forms of its own, such as
 * "fires missiles at"; the other languages have only the forms with a verb of attack.
 */
interface AttackWords {
  /** Verbs of attack: "strikes", "bombs". */
  readonly verbs: ReadonlySet<string>;
  /** Words between the country of the attacker and the verb: "Russian drones attack", "US military strikes". */
  readonly forces: ReadonlySet<string>;
  /** Words between the verb and its target: "strikes southern Lebanon", "strikes alleged drug boat". */
  readonly modifiers: ReadonlySet<string>;
  /** Words in the object that show trade, sport, politics or a quarrel: "US hits China with tariffs". */
  readonly harmless: ReadonlySet<string>;
}

const setOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

export const attackWords: Readonly<Record<string, AttackWords>> = {
  en: {
    verbs: setOf(`strike strikes struck hit hits attack attacks attacked bomb bombs bombed bombard bombards shell shells
      pound pounds raid raids`),
    forces: setOf(`s military army forces force troops jets jet fighter fighters warplanes planes bombers drones drone
      missiles missile rockets rocket navy naval air helicopters gunships artillery tanks soldiers commandos backed led
      coalition allied militia militias guard guards`),
    modifiers: setOf(`the a an in on at inside near deep into across against back again with and s north south east west
      northern southern eastern western central coastal occupied neighbouring neighboring rival key major alleged
      suspected drug another second third fourth more two three several dozens multiple new military nuclear oil fuel
      gas power energy aid cargo container commercial targets target positions sites site bases base militant militants
      militia`),
    harmless: setOf(`deal deals accord accords agreement agreements pact pacts treaty truce ceasefire compromise
      partnership alliance bargain tariff tariffs sanction sanctions duty duties levy levies tax taxes fine fines visa
      visas ban bans curbs curb trade lawsuit lawsuits export exports import imports importers exporters quota quotas
      boycott debt fees fee stake bid plan plans policy policies proposal proposals decision ruling court aid record
      records claim claims report remarks comments stance over for off firm firms company companies bank banks
      chipmakers chipmaker maker makers producers giant giants officials spies spy hackers network networks procurement
      morale list blacklist budget bill tycoon tycoons individuals entities oligarch oligarchs steel goods car cars
      chips chip tech solar beef wine currency economy economic market markets stocks shares growth students media apps
      users prices price inflation rate rates charts screens headlines milestone spending prime cup final finals semi semifinal
      semifinals olympics league qualifier qualifiers match test series friendly wickets points tries runs odi t20
      eurovision would could might may unlikely possible imminent looming`),
  },
  de: {
    verbs: setOf("greift greifen attackiert attackieren bombardiert bombardieren beschiesst beschiessen"),
    forces: setOf("armee streitkrafte"),
    modifiers: setOf("den die das der dem im in bei erneut wieder und ziele ziel stellungen"),
    harmless: setOf("zoll zolle zollen sanktionen handel politik verbal scharf wm em finale halbfinale pokal"),
  },
  fr: {
    verbs: setOf("frappe frappent attaque attaquent bombarde bombardent"),
    forces: setOf("l armee"),
    modifiers: setOf("le la les l de des du au en dans nouveau cibles positions"),
    harmless: setOf("tarifs tarif douane taxes taxe sanctions politique propos coupe mondial euro finale demi"),
  },
  es: {
    verbs: setOf("ataca atacan bombardea bombardean"),
    forces: setOf("ejercito"),
    modifiers: setOf("el la los las a al de del en objetivos posiciones"),
    harmless: setOf("aranceles arancel sanciones comercio politica acuerdo copa mundial eurocopa final semifinal"),
  },
  pt: {
    verbs: setOf("ataca atacam bombardeia bombardeiam"),
    forces: setOf("exercito"),
    modifiers: setOf("o a os as ao de do da em no na nos nas alvos posicoes"),
    harmless: setOf("tarifas tarifa sancoes comercio politica acordo copa mundial eurocopa final semifinal"),
  },
};

/** Armed parties that are not states. They attack and are attacked like states. */
export const parties =
  setOf(`hezbollah hisbollah hamas houthi houthis huthi huthis rsf m23 taliban talibans idf irgc nato
  kurdish pkk ypg sdf`);

/** Objects of an attack that need no country: "US strikes boat in Caribbean". */
export const objects =
  setOf(`boat boats vessel vessels ship ships tanker tankers warship frigate convoy camp refinery depot
  depots airfield airbase hospital militants militant rebels positions bases facility facilities`);

/** Words after which a verb of attack means something else: "strikes deal", "hits back", "attacked by". */
export const otherSenses =
  setOf(`deal deals blow balance chord tone note pose gold rich lucky bargain pact by out back up
  off record peak low high for`);

/** Weapons after "with": "attacks Ukraine with drones". */
export const weapons = setOf(`drone drones missile missiles rocket rockets bomb bombs shells artillery airstrike
  airstrikes strikes barrage wave waves salvo jets warplanes`);

/** Words that end the object of a verb. */
export const objectEnds = setOf(`after amid despite before as while hours days following ahead killing kills kill killed
  says say leaving since`);

/** Words before the attacker that make the attack a condition or a question. */
export const conditions = setOf(`possible potential planned threatened feared if whether should unless why how when once
  could may might would wenn ob si se`);

/** Words before "of" or "against" and the attacker: "threat of US attack". */
export const fears = setOf("fear fears threat threats risk risks danger prospect possibility talk guard warns warning");

export const launches = setOf("launch launches launched fire fires fired carry carries carried unleash unleashes");

/** Words between a verb of launching and "at" or "on": "launches hundreds of missiles at". */
export const launched = setOf(`attack attacks strike strikes airstrike airstrikes air missile missiles rocket rockets
  drone drones assault offensive raid raids barrage salvo salvos shells wave massive major large hundreds dozens
  ballistic cruise of more new deadly retaliatory overnight fresh a an out`);

export const aimed = setOf("at on against into");

/** Words before "in": "launches strikes in Yemen" is an attack; "launches drone in Yemen" may be a sale. */
export const struckBy = setOf("strike strikes airstrike airstrikes attack attacks raid raids offensive assault");

export const aircraft = setOf(`jet jets plane planes warplane warplanes aircraft helicopter helicopters fighter fighters
  bomber bombers`);

/** Words before "war" in an outbreak of war between states. Other words make it a "price war" or a "turf war". */
export const warKinds = setOf(
  "a all out full scale open new civil border ground regional gulf nuclear the as and after",
);

export const warRegions = setOf("middle gulf balkans caucasus korean horn europe sahel baltic africa asia peninsula");

export const blasts = setOf("explosion explosions blast blasts");

export const beforeBlast =
  setOf(`powerful huge deadly large massive loud fresh second twin two three several multiple big
  a an the gas mine factory plant bomb major series of strong car market suspected mysterious`);

export const afterBlast = setOf(`rock rocks shake shakes rip rips hit hits heard reported in near at outside kills kill
  injures wounds hurts leaves tears`);
