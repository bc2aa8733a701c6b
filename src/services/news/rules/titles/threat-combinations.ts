import { type PhraseTable, phraseTable } from "../../../../kit/phrases.js";
import type { Word } from "../../../../kit/words.js";
import type { ThreatCategory, ThreatLevel } from "./threat-classes.js";

/**
 * Two cues that together indicate a different category than either does alone: "ransom" indicates crime, but "ransom"
 * with "servers" indicates cyber. Some combinations require a third cue, `and`.
 */
export interface Combination {
  readonly of: readonly [string, string];
  readonly category: ThreatCategory;
  readonly weight: number;
  readonly level: ThreatLevel;
}

/** Comma-separated phrases by cue, as in src/data/threat-words/. A phrase may belong to several cues. */
const cueWords = {
  attacker: `gunmen,attackers,attacker,knifeman,bomber,bombers,jihadist*,militants,militant,islamist*,extremist*,
    insurgents,al shabaab,shabaab,boko haram,abu sayyaf,assailant*,masked men,armed men,kidnappers,bomb,bombs,blast,
    blasts,grenade*,device,explosion,explosions,hombres armados,bewaffnete,hommes armes,homens armados`,
  "gas weapon": `sarin,nerve agent,nerve gas,poison gas,chlorine gas,anthrax,ricin,toxic gas`,
  "soft target": `worshipper*,church,churches,chapel,cathedral,mosque,mosques,synagogue*,temple,shrine,pilgrim*,pupil,
    pupils,schoolgirl*,schoolboy*,dormitory,students,hotel,cafe,nightclub,concert,market,bazaar,mall,shopping centre,
    shopping center,airport,shoppers,commuters,passengers,bus,commuter coach,tram,metro,subway,train,station,letters,
    pedestrians,crowd,wedding,funeral,festival,villagers,travellers,travelers,traders,buses,tourists,aid workers,park,
    rally,bank,embassy,consulate,iglesia,mezquita,kirche,eglise,igreja,schule,escuela,ecole`,
  violence: `gunned down,gun down,mow down,slaughter*,opens fire,open fire,raked,shears,kill,kills,killed,killing,dead,
    dies,die,death,ambush*,shoot*,shot,storm,storms,stormed,seize,seizes,seized,hold,holds,held,snatch*,abduct*,
    kidnap*,burst,bursts,hostage*,attack*,explodes,rips,tears,toll,massacre*,matan,mata,toten,totet,tuent,tue,goes off,
    went off`,
  extorter: `ransom,extort*,hackers,hacker,intruder*,attackers,gang,saboteur*,crooks,thieves,criminals,unknown,
    blackmail*,unbekannte,erpresser,spies,crew,group`,
  data: `server,servers,system,systems,network,networks,computer*,screens,files,records,data,database*,accounts,
    account,passwords,password,login,logins,tokens,emails,inboxes,customer details,details of #,personal details,
    card details,firewall*,router*,software,code,website,site,sites,online,wallet*,crypto bridge,crypto exchange,
    medical records,patient files,daten,servidores,datos,dados,donnees,clientes,clients,kunden,versicherten`,
  leak: `leak,leaks,leaked,exposed,exposes,expose,stolen,steal,steals,stole,theft,for sale,put up for sale,
    dumped online,publish,published,copied,siphon*,drain*,scrambl*,encrypt*,lock,locks,locked,exploit*,hijack*,
    tampered,infiltrat*,penetrat*,erbeuten,erbeutet,vazamento,filtran,roban,expoe,gestohlen,voles,offline,knocks,
    get back,back,compromis*,accessed,lost,note,hole,disables,junk traffic`,
  "digital service": `app,apps,chatbot,platform,website,websites,site,sites,search engine,search,maps,mail,messaging,
    messenger,cloud,streaming,payments,payment,checkout,card payments,booking system,ticketing,login,logins,servers,
    software,social network,video service,assistant,buchungssystem,hebergeur,sitios,sites inaccessibles,hosting,host,
    browser,update`,
  fails: `offline,unreachable,down,fails,fail,failed,collapses,crash,crashes,crashed,locked out,outage,inaccessible,
    inaccessibles,glitch,unavailable,stops working,freezes,frozen,dark,lahm,storung,panne,caida,fora do ar,breaks,
    bricks,hours,worldwide`,
  oil: `crude,oil,diesel,fuel,bunker fuel,tar,petrole,petroleo,ol,soot,flaring,sewage,effluent,tailings,chemicals`,
  spills: `washes,wash,beach,beaches,slick,spill,spills,spilled,leak,leaks,river,rivers,coast,bay,lagoon,reef,
    mangrove*,villages,wells,stream,creek,creeks,shore,shores,lake`,
  soldiers: `soldiers,officers,army,general,generals,colonel,colonels,guards,guard,junta,troops,mutinous,mutineers,
    military,militares,militar,militaires,soldats,armee,tanks,soldaten,captain,major,barracks`,
  "seat of power": `palace,depose*,deponen,depoem,renversent,renverse,sturzen,sturzt,parliament,state television,
    state tv,state radio,on radio,on television,state broadcaster,government,president,head of state,constitution,
    power,borders shut,curfew,names himself,announces itself,names itself,head of transition`,
  takes: `depose*,deponen,depoem,seize,seizes,seized,dissolve,dissolves,dissolved,announces itself,names himself,
    declares himself,proclaims himself,proclaims itself,proclaim,topple,topples,oust,ousts,ousted,detain,detains,
    detained,surround,surrounds,arrest,arrests,take over,takes over,read statement,suspend,suspends,renversent,sturzen,
    overthrow,storm`,
  munition: `shell,shells,shelled,rockets,rocket,missile,missiles,drone,drones,warplanes,warplane,jets,helicopters,
    gunship*,artillery,mortar*,howitzers,bombs,bomb,guns,airstrike*,raketen,rakete,drohnen,misiles,misil,strafe,
    strafes,militia*,rebels,rebel`,
  homes: `apartment*,tower block*,houses,homes,hospital,hospitals,clinic,school,suburb,suburbs,district,quarter,
    neighbourhood*,village,villages,villagers,town,city,port,terminals,camp,market,power station,depot,refinery,
    wohnviertel,barrio,quartier,bairro,civilians,convoy,front,position*,line,overnight,crossing,bridge,pupils`,
  hits: `hit,hits,hitting,struck,strike,strikes,pound,pounds,land,lands,rain,rains,fall on,falls on,kill,kills,killed,
    dead,bomb,bombs,strafe,strafes,shell,flatten*,level,levels,destroy*,schlagen,treffen,toten,tote,impactan,frappent,
    atingem,rampage,burn*,fire on,counted,wounded`,
  crowd: `tens of thousands,thousands,hundreds,crowd,crowds,students,student,activists,campaigners,residents,farmers,
    truckers,drivers,motorists,miners,workers,nurses,teachers,pilots,cabin crew,dockers,women,pensioners,motoristas,
    conductores,etudiants,studenten,bauern,agriculteurs,agricultores,marchers,mourners,cocaleros`,
  "takes a stand": `besiege*,tear gas,fill,fills,streets,street,avenue,square,march,marched,stop work,walk out,
    walked out,walk off,down tools,chant,chants,block,blocks,blocking,occupy,occupies,demand,demanding,chain,glue,
    topples,overnight,tenth night,third night,second night,fifth night,night of,defy,gather,picket,refuse to work,
    bracos,brazos,bras,runway,runways,enfrentamientos,drag,statue,pots`,
  aircraft: `plane,jet,airliner,helicopter,helicopters,aircraft,f 16,f 35,warplane,fighter jet,fighter`,
  "in uniform": `army,navy,air force,military,servicemen,soldiers,airmen,f 16,f 35,marines,marine corps,fighter,
    warplane,crew of frigate,sailors,submarine,warship,barracks,troops`,
  accident: `ditches,ditch,collide,collides,collision,crash,crashes,crashed,down,skids,skid,overshoots,fire,sinks,sank,
    missing,overturns,explosion,blast,goes down,plunges,killed`,
  trade: `trade,tariff*,merger,export,exports,import,imports,customs,investment,wages,wage,pay deal,purchase,stake,
    takeover`,
  dealing: `pact,talks,deal,accord,agreement,sign,signs,agree,agrees,conclude,conclud*,denies,forecast,rail,
    wave through,approve*,clears,nod`,
  drugs: `cocaine,heroin,fentanyl,meth,amphetamine*,cannabis,hashish,ivory,contraband,cigarettes,pangolin*,migrants,
    cocaina,kokain,drogen,weapons,gold bars,rhino horn`,
  found: `found,seize,seizes,seized,intercepted,hidden,haul,stellt,sicher,incautan,saisie,saisit,apreende,apreendem,
    tonnes,tons,kilos,held,worth,tonnen,customs,zoll,discovered`,
  suspects: `teenager,man,men,woman,couple,five,four,three,two,seven,six,suspects,suspect,brothers,detained,arrested,
    detenido,festgenommen,raids,network,network members`,
  extremism: `manifesto,explosives,bomb,bombs,far right,neo nazi,jihad*,yihad*,djihad*,islamic state,is,attack plan,
    plan to attack,terror*,extremist*,pipe bomb*,stadium plot`,
  envoy: `charge d affaires,diplomat,diplomats,diplomatas,diplomates,diplomaten,diplomaticos,consul,konsul,envoy,
    envoys,ambassador,attache,botschafter,embajador,ambassadeur,embaixador,nuncio`,
  leaves: `throws out,kicks out,sent home,home,hours,heures,horas,stunden,leave,partir,expel*,expuls*,weist,weisen,aus,
    summon*,recall*,withdraw*,row,ordered out,out,unwelcome,barred`,
  crop: `maize,crops,crop,harvest,wheat,rice,herders,cattle,growers,farmers,wells,reservoirs,pasture*,grazing,food aid`,
  dries: `wither*,dry,drought,parched,fails,shrivel*,die,low,empty,rain,rains,failed rains,scorched,dust`,
  warhead: `nuclear weapon,nuclear bomb,nuclear device,warhead,atomic bomb,tactical nuclear weapon,nuclear missile`,
  goesOff: `detonated,detonates,explodes,exploded,dropped,used,fired,goes off`,
  breach: `breached,breaches,breach,violat*,broken,frays,unravel*,shaky`,
  truce: `truce,ceasefire,cease fire,armistice,treve,tregua,waffenruhe`,
  agreed: `agreed,agree,agrees,signed,sign,signs,signe,firmado,unterzeichnet,takes effect,holds,extended,fall silent,
    hold`,
  talks: `talks,negotiations,summit,mediation,conference`,
  breakdown: `collapse,collapses,collapsed,stall,stalls,stalled,founder,founders,deadlock*,fail,fails,failed,
    break down,breaks down,broke down,break off,breaks off,suspended,postponed,cancelled,called off,without deal,
    without agreement,without result,walk out,walks out,storm out,boycott,boycotts`,
  gang: `cartel,cartels,gang,gangs,mafia,mob,mobsters,gangsters,triad*,yakuza,camorra`,
  labour: `drivers,workers,nurses,doctors,teachers,pilots,miners,dockers,staff,crews,cabin crew,lecturers,porters,
    cleaners,couriers,civil servants,handlers,union,unions`,
  stoppage: `strike,strikes,striking,walkout,walkouts,stoppage,stoppages,wildcat,picket*`,
  carbon: `carbon,emissions,co2,methane,greenhouse`,
  measured: `output,fell,fall,rose,rise,record,cut,cuts,drop,dropped,halve,halved,tax,price`,
} as const satisfies Readonly<Record<string, string>>;

type Cue = keyof typeof cueWords;

const combinations: readonly (Combination & { readonly of: readonly [Cue, Cue]; readonly and?: Cue })[] = [
  { of: ["attacker", "soft target"], and: "violence", category: "terrorism", weight: 8, level: "high" },
  { of: ["gas weapon", "soft target"], category: "terrorism", weight: 6, level: "high" },
  { of: ["suspects", "extremism"], category: "terrorism", weight: 3, level: "low" },
  { of: ["extorter", "data"], and: "leak", category: "cyber", weight: 6, level: "medium" },
  { of: ["data", "leak"], category: "cyber", weight: 3, level: "medium" },
  { of: ["digital service", "fails"], category: "tech", weight: 4, level: "medium" },
  { of: ["oil", "spills"], category: "environmental", weight: 4, level: "medium" },
  { of: ["soldiers", "seat of power"], and: "takes", category: "military", weight: 9, level: "critical" },
  { of: ["munition", "homes"], and: "hits", category: "conflict", weight: 6, level: "high" },
  { of: ["crowd", "takes a stand"], category: "protest", weight: 4, level: "medium" },
  { of: ["in uniform", "accident"], category: "military", weight: 7, level: "medium" },
  { of: ["trade", "dealing"], category: "economic", weight: 4, level: "low" },
  { of: ["drugs", "found"], category: "crime", weight: 4, level: "medium" },
  { of: ["envoy", "leaves"], category: "diplomatic", weight: 4, level: "medium" },
  { of: ["crop", "dries"], category: "disaster", weight: 5, level: "medium" },
  { of: ["warhead", "goesOff"], category: "conflict", weight: 9, level: "critical" },
  { of: ["truce", "breach"], category: "conflict", weight: 6, level: "medium" },
  { of: ["truce", "agreed"], category: "diplomatic", weight: 5, level: "low" },
  { of: ["talks", "breakdown"], category: "diplomatic", weight: 4, level: "medium" },
  { of: ["gang", "violence"], category: "crime", weight: 3, level: "medium" },
  { of: ["labour", "stoppage"], category: "protest", weight: 3, level: "medium" },
  { of: ["carbon", "measured"], category: "environmental", weight: 4, level: "low" },
];

/**
 * Finds the combinations in a title. A combination needs at least two words; a single word that belongs to both cues is
 * not enough.
 */
export function combinationsIn(words: readonly Word[]): readonly Combination[] {
  const places = new Map<string, Set<number>>();
  const table = cueTable();
  for (let at = 0; at < words.length; at += 1) {
    for (const cue of table.longestAt(words, at)?.values.flat() ?? []) {
      const cuePlaces = places.get(cue);
      if (cuePlaces) cuePlaces.add(at);
      else places.set(cue, new Set([at]));
    }
  }
  const apart = (a: Cue, b: Cue): boolean => {
    const [those, others] = [places.get(a), places.get(b)];
    return those !== undefined && others !== undefined && new Set([...those, ...others]).size > 1;
  };
  return combinations.filter(({ of: [first, second], and }) => apart(first, second) && (!and || places.has(and)));
}

let built: PhraseTable<readonly Cue[]> | undefined;

function cueTable(): PhraseTable<readonly Cue[]> {
  if (built) return built;
  built = phraseTable<readonly Cue[]>();
  for (const [cue, phrases] of Object.entries(cueWords) as [Cue, string][]) {
    for (const phrase of phrases.split(",")) {
      const terms = phrase.trim().split(/\s+/);
      built.set(terms, [...(built.get(terms) ?? []), cue]);
    }
  }
  return built;
}
