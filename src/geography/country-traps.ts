import { ownFile } from "../kit/own-file.js";
import { readWordLists } from "../kit/word-lists.js";

/** Words that look like countries, and words that resolve ambiguous names. Commas separate the items of a list. */

/** Abbreviations, which match only in upper case: "US" is a country, "us" is not. */
export const codeWords: Readonly<Record<string, string>> = {
  US: "US,USA",
  GB: "UK",
  AE: "UAE",
  CD: "DRC",
  CN: "PRC",
  KP: "DPRK",
  KR: "ROK",
  PG: "PNG",
  SA: "KSA",
  NZ: "NZ",
};

/** Phrases that name two countries: shared names and compound adjectives. */
export const pairWords: readonly (readonly [phrases: string, codes: readonly string[]])[] = [
  ["Koreas,two Koreas,both Koreas,the Koreas", ["KP", "KR"]],
  ["Franco German", ["FR", "DE"]],
  ["Sino US,Sino American", ["CN", "US"]],
  ["Sino Indian", ["CN", "IN"]],
  ["Sino Russian", ["CN", "RU"]],
  ["Russo Ukrainian", ["RU", "UA"]],
  ["Anglo Irish", ["GB", "IE"]],
  ["Anglo French", ["GB", "FR"]],
  ["Indo Pakistani,Indo Pak", ["IN", "PK"]],
  ["Israeli Palestinian", ["IL", "PS"]],
];

/**
 * Names of things that begin with the name or adjective of a country or place, such as "Afghan hound": food, animals,
 * plants, clothes, games, illnesses, idioms.
 */
export const calledAfter = readWordLists(ownFile("data/called-after-countries.txt"));

/**
 * Phrases that contain a country's name but do not mean that country, by language. A code after `=` is the country that
 * the phrase does mean.
 */
export const noCountries = readWordLists(ownFile("data/no-countries.txt"));

/**
 * Names of countries or places that can also mean something else, such as a bird or a given name. Each name has a list
 * of words and phrases. If a title contains the name and an item of its list, the name means something else.
 */
export const notBeside: Readonly<Record<string, string>> = {
  turkey:
    "thanksgiving,roast,roasted,oven,stuffing,gravy,bird,birds,stew,cook,cooks,recipe,poultry,flock,flocks,cranberry,frozen,brine,carve,carving,feast,leftovers,basting,butterball,sandwich",
  chad: "baking show,bachelor,bachelorette,dating,girlfriend,boyfriend,quarterback,nickelback,kroeger,contestant,incel,wedding guest,season",
  jordan: "nba,sneakers,sneaker,bulls,rookie card,basketball,shoe,nike,hornets",
  georgia: "actress,singer,bride,model,influencer",
  brussels:
    "eu,e u,european,nato,commission,commissioner,commissioners,bloc,summit,tariffs,tariff,eurozone,eurocrats,antitrust,fines,threatens,proposes,unveils,probe,enlargement,accession,merger,big tech,lawmakers,directive,regulation,trade deal,migration pact,quotas,member states",
  java: "software,oracle,python,developers,programming,code",
  jersey:
    "player,team,retire,retired,nba,nfl,nhl,club,fans,football,soccer,kit,signed,yellow,polka dot,giro,cyclist,sprinter",
  cork: "wine,bottle",
  bermuda: "shorts",
  queens: "drag,king,kings",
  lebanon: "ohio",
  victoria: "queen",
};

/**
 * If a title contains "Georgia" and one of these words, "Georgia" means the American state, unless the title also
 * contains a word of `georgiaGe`.
 */
export const georgiaUs =
  "governor,atlanta,savannah,augusta,macon,athens,fulton,gop,republican,republicans,democrat,democrats,electors,county,sheriff,bulldogs,runoff,peach,peaches,u s,us,medicaid,abortion,warnock,ossoff,kemp,hyundai,stacey,alabama,florida,carolina,tennessee,arizona,nevada,michigan,pennsylvania,wisconsin,ballots,hand count,school shooting,film tax,interstate,senator,statehouse,house speaker,death row,swing state,swing states,savannah river,okefenokee,lawmakers";
export const georgiaGe =
  "tbilisi,batumi,russia,russian,moscow,abkhazia,ossetia,armenia,azerbaijan,caucasus,kremlin,eu,georgian,georgian dream,brussels,nato,turkey,ukraine,baku,yerevan,saakashvili";

/** Given names. After one of them, the name of a city or country is a surname. */
export const givenNames =
  "michael,jack,jeremy,david,john,george,james,robert,mary,sarah,tom,tim,ben,sam,samuel,joe,joan,julie,julia,peter,paul,mark,lucy,kate,emma,anna,alex,chris,dan,daniel,charlie,charles,henry,william,will,bill,bob,barbara,linda,lisa,susan,kim,kelly,kevin,brian,ryan,eric,steve,steven,stephen,scott,gary,larry,frank,andrew,anthony,matthew,josh,joshua,justin,jason,jeff,jeffrey,denzel,kerry,booker,louis,vernon,montell,deandre,barbara,theo,lauren,brittany,jessica,ashley,megan,rachel,hannah,grace,olivia,sophie,amy,jane,joanna,diana,maria,jose,juan,carlos,luis,miguel,whitney,vanessa,nicole,angela,karen,donna,brooklyn,irving,hamilton,jennifer,jerry,harry,eddie,tony,tyler,hugo,dr,mr,mrs,ms,miss,chef,coach,singer,actor,actress,guitarist,rapper,comedian,author,pastor,goalkeeper,midfielder,striker,baby,bobby,billy,jimmy,johnny,danny,tommy";

/**
 * Place names and adjectives that are also personal names. After one of the `givenNames`, they mean a person. In a
 * title in sentence case, most of them also mean a person before a capitalised word that is not one of `notSurnames`.
 */
export const borneByPeople =
  "chad,jordan,georgia,israel,ireland,india,sydney,kenya,austin,dallas,houston,orlando,brooklyn,florence,sofia,virginia,carolina,montana,dakota,savannah,jersey,cuba,holland,england,wales,france,milan,victoria,memphis,boston,lincoln,santiago,brittany,tobago,chelsea,asia,vienna,geneva,valencia,salvador,madeira,paris,london,french,english,welsh,scot,german,roman,norman,washington,kingston,bali,java,cairo,denver,phoenix,rhodes,barron,lisbon,alberta,normandy,ceylon,jamaica,malaya,america,britain,brasil,chile,odessa,berlin,perth";

/** Capitalised words that often follow a country's name and are not surnames. */
export const notSurnames =
  "accuses,agrees,airport,army,and,airlines,bank,beach,border,bridge,bulldogs,cabinet,capital,central,church,city,coast,congress,conservatives,council,county,court,cup,day,defence,defense,dream,east,eastern,election,elections,embassy,ex,fashion,festival,fire,flood,floods,forces,foreign,gas,games,government,governor,grand,guard,hamas,harbour,harbor,heathrow,hezbollah,high,hospital,house,in,international,islands,jets,journal,justice,labour,marathon,mayor,metro,military,minister,ministry,monday,tuesday,wednesday,thursday,friday,saturday,sunday,museum,national,navy,north,northern,of,oil,olympics,on,open,opposition,palace,parliament,party,peace,police,port,power,premier,president,pm,prime,prince,private,prosecutors,protesters,protests,radio,rail,red,republic,republican,republicans,rejects,royal,says,school,sea,senate,senator,south,southern,stadium,state,stock,street,supreme,talks,times,to,tower,trade,tube,underground,union,university,valley,vows,war,warns,water,west,western,week,women,world,zoo,tories,democrats,democrat,district,shore,isles,police,underground,today,tonight,january,february,march,april,may,june,july,august,september,october,november,december";

/** Words that follow "US" in an all-capitals title and show that it means the country. */
export const afterUsInCapitals =
  "senate,congress,house,army,navy,military,president,troops,forces,and,dollar,economy,economic,government,court,supreme,officials,envoy,fed,stocks,sanctions,tariffs,trade,election,border,treasury,state,defense,jobs,inflation,marines,police,judge,consumer,secretary,ambassador,embassy,airstrike,strike,strikes,airstrikes,diplomat,says,led,backed,vs,china,russia,iran,intelligence,vice,special,bomber,open,politics,news";
