/** What looks like a country and is none, and what decides where one word may be two. Lists are separated by commas. */

/** Abbreviations, in capitals only: "US" is a country, "us" is not. */
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

/** Names of two countries at once, and first parts of compound adjectives. */
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

/** Things called after a country, by its adjective or name: food, animals, plants, clothes, games, illnesses, idioms. */
export const calledAfter: Readonly<Record<string, string>> = {
  afghan: "hound,hounds,rug,rugs,blanket",
  alaskan: "malamute",
  american:
    "airlines,express,idol,football,pie,cheese,bulldog,pit bull,eagle outfitters,dream,staffordshire,psycho,beauty,ninja warrior,shorthair,horror story,girl doll,apparel,football league",
  america: "s cup",
  argentine: "tango",
  australian: "shepherd,shepherds",
  belgian: "waffle,waffles,malinois,shepherd,endive",
  bengal: "cat,cats,tiger,tigers",
  bermuda: "shorts,triangle,grass",
  boston: "terrier,cream pie,dynamics,scientific,consulting",
  brazil: "nut,nuts",
  brazilian: "wax,waxing,butt lift,jiu jitsu,blowout",
  british: "shorthair,baking show,bake off,summer time",
  brussels: "sprout,sprouts,griffon",
  bombay: "mix,duck,sapphire,potatoes",
  buffalo: "wings",
  california: "roll,rolls,dreamin",
  canada: "goose,geese,dry",
  canadian: "bacon,tuxedo,club whisky",
  cayenne: "pepper",
  chile: "con carne,pepper,peppers,relleno,rellenos,sauce,powder,flakes,verde,en nogada,poblano",
  chinese:
    "whispers,checkers,chequers,lantern festival,takeaway,takeaways,new year recipes,new year recipe,new year menu,five spice,cabbage,burn,gooseberry,crested,fire drill,zodiac,medicine ball",
  china: "teacup,tea set,shop",
  cologne: "that,for men,for women,with,bottle,brand,brands,scent",
  cuban: "sandwich,sandwiches,heels,heel,cigar lounge",
  cyprus: "tree,trees",
  danish: "pastry,pastries,oil,butter cookies,modern,bacon",
  delhi: "belly",
  dutch: "oven,ovens,courage,auction,door,elm,baby pancake,uncle,angle,tilt,rabbit",
  egyptian: "cotton,mau,goose",
  english:
    "breakfast,breakfasts,muffin,muffins,bulldog,bulldogs,setter,setters,mustard,channel,ivy,literature,language,lesson,lessons,spelling,grammar,dictionary,teacher,teachers,translation,translations,subtitles,accent,cocker,springer,speaking",
  florentine: "steak,biscuits",
  florence: "nightingale,pugh,welch",
  french:
    "toast,fries,fry,horn,horns,kiss,kisses,kissing,bulldog,bulldogs,bean,beans,dressing,door,doors,window,windows,braid,braids,manicure,onion,polish,plait,connection,lesson,lessons,knot,marigold,lavender,curve,cricket,tuck,lop,cuff,cuffs,grammar,language,vanilla,poodle,lilac,speaking",
  german: "shepherd,shepherds,measles,pointer,chocolate cake,potato salad,language,lessons",
  geneva: "convention,conventions,gin",
  georgian:
    "house,houses,mansion,mansions,terrace,terraces,townhouse,townhouses,architecture,era,silver,square,furniture,windows,facade,rectory",
  greek:
    "yogurt,yogurts,yoghurt,salad,salads,mythology,myth,myths,tragedy,chorus,god,gods,goddess,alphabet,letter,letters,dressing,to me,philosopher,philosophers,macedonia =GR",
  guernsey: "cow,cows,cattle",
  guinea: "pig,pigs,fowl,fowls,hen,hens,worm,baboon",
  hamburg: "steak",
  havana: "brown,syndrome,club",
  hungarian: "goulash,vizsla",
  india: "ink,pale ale,rubber",
  indian: "ocean,summer,wells,ink,motorcycle,motorcycles,giver,runner ducks,hemp",
  irish: "setter,setters,wolfhound,wolfhounds,stew,coffee,coffees,terrier,moss,goodbye,sea,soda bread",
  israel: "folau,adesanya",
  italian: "dressing,greyhound,ice,job remake,meringue,seasoning,sausage,parsley,stallion",
  jamaica: "inn",
  jamaican: "patty",
  japan: "ware",
  japanese:
    "knotweed,maple,maples,beetle,beetles,spitz,encephalitis,bobtail,garden,gardens,eel,chin,anemone,quince,wineberry",
  java: "script,developer,developers,programming,update,code,beans,runtime,applet,sparrow",
  jersey:
    "cow,cows,cattle,city =US,boys,royal potatoes,dress,fabric,number,numbers,sales,retirement,swap,milk,cream,bulls",
  jerusalem: "artichoke,artichokes,syndrome",
  jordan:
    "almonds,brand,brands,shoes,sneakers,sneaker,retro,air,peterson,peele,spieth,pickford,henderson,belfort,river",
  korean: "war,barbecue,bbq,fried chicken,peninsula",
  lebanon: "bologna",
  lima: "bean,beans",
  london: "breed,broil,fog,pride,gin,plane tree",
  madeira: "cake,cakes,wine",
  macedonia: "salad,salads",
  maltese: "falcon,cross,terrier,terriers,tiger,shih tzu,puppy",
  manchester: "terrier",
  manila: "envelope,envelopes,folder,folders,clam,clams,hemp",
  manx: "cat,cats,shearwater,shearwaters",
  mexican: "wave,standoff,hairless,stand off,jumping bean,jumping beans,tetra,sunflower",
  mongolian: "beef,barbecue",
  moroccan: "oil,tagine,mint tea,lamb",
  moscow: "mule,mules",
  nassau: "county =US,grouper",
  neapolitan: "ice cream,mastiff",
  new: "mexico =US",
  newfoundland: "dog,dogs",
  norfolk: "broads =GB",
  norway: "spruce,spruces,maple,maples,rat,rats,lobster",
  norwegian: "forest cat,forest cats,wood,cruise line,elkhound",
  oxford: "comma,shoes",
  panama: "hat,hats,disease,papers",
  paris:
    "hilton,agreement,accord,accords,climate agreement,climate accord,climate deal,climate goals,climate pact,climate goal,jackson,club debt,buns,mushroom",
  parma: "ham,violet",
  peking: "duck,opera",
  persian: "cat,cats,rug,rugs,gulf,carpet,carpets,lamb,new year",
  peru: "assado,recheado,de natal,no forno",
  philadelphia: "cheese,cream cheese",
  polish: "your,the,up,sausage,remover,off",
  polynesian: "sauce",
  portuguese: "man of war,man o war,water dog,water dogs,tart,tarts,egg tart,egg tarts,custard,language",
  rhodes: "scholar,scholars,scholarship,scholarships,must fall",
  rio: "tinto,grande,ferdinand",
  roman: "holiday,numerals",
  romanian: "deadlift,deadlifts",
  russian:
    "roulette,doll,dolls,dressing,salad,blue,blues,sage,twist,twists,olive,ballet class,language,standard vodka,tea cakes",
  sardinia: "tin",
  scotch: "egg,whisky",
  scottish: "fold,folds,terrier,terriers,deerfold",
  shanghai: "surprise,noon",
  siamese: "cat,cats,twin,twins",
  siberian: "husky,huskies,iris,cat,cats",
  singapore: "sling,slings,noodles,math",
  spanish:
    "flu,omelette,omelet,omelettes,moss,fly,rice,onion,onions,inquisition,language,lesson,lessons,mackerel,guitar,chestnut,bluebell,bluebells,speaking,subtitles,water dog,influenza",
  swedish: "meatball,meatballs,massage,massages,fish,house mafia,death cleaning,chef",
  swiss: "army knife,army knives,cheese,chard,roll,rolls,ball,steak,mountain dog,family robinson,meringue,miniatures",
  sydney: "sweeney,funnel web,rock oyster",
  thai: "curry,curries,massage,massages,green curry,red curry,boxing,basil,noodles,ridgeback",
  tibetan: "mastiff,terrier,spaniel,singing bowl",
  turkey:
    "trot,trots,sandwich,sandwiches,breast,dinner,dinners,stuffing,leg,legs,burger,burgers,bacon,recall,vulture,vultures,farmers,farmer,farm,farms,hunting,recipe,recipes,leftovers,baster,meat,meatballs,stew,curry,chili,gravy,hunters,pardon,carcass,fryer,fryers,sausage,sausages,soup,tail",
  turkish:
    "delight,delights,bath,baths,coffee,coffees,van cat,get up,towel,towels,angora,pepper,slippers,eggs,barber,barbers",
  venetian: "blind,blinds,red,plaster",
  venice: "biennale pavilion",
  vienna: "convention,sausage,sausages,whirls,lager,beef",
  virgin: "olive oil,atlantic,media,australia,galactic",
  virginia: "woolf,creeper,giuffre,madsen,ham",
  washington: "irving,post,post s,examiner",
  wellington: "boot,boots,bomber",
  welsh: "rarebit,corgi,corgis,terrier,cakes,dresser,onion",
  westminster: "dog show,kennel club",
  york: "peppermint",
  yorkshire: "terrier,terriers,pudding,puddings,tea",
};

/** The same the other way round, and whatever else is none. A code after `=` says which country it is after all. */
export const noCountry = `
bone china,fine china,good china,blue china,wedding china,best china,bull in a china shop,wild turkey,cold turkey,roast turkey,
frozen turkey,christmas turkey,thanksgiving turkey,deep fried turkey,ground turkey,smoked turkey,stuffed turkey,your turkey,
michael jordan,air jordan,jordan river,river jordan,jordan valley,hanging chad,mr chad,
bank of america,captain america,miss america,copa america,voice of america,latin america,latin american,latin americans,
south america,south american,south americans,north america,north american,north americans,central america,
central american,central americans,the americas,mesoamerican,organization of american states,
organisation of american states,army of america,
west indies,west indian,west indians,east indies,
soviet georgia,roman empire,ottoman turkey,nazi germany,east india company,
south china sea,east china sea,sea of japan,english channel,irish sea,indian ocean,norwegian sea,north sea,persian gulf,
niger river,river niger,congo river,river congo,congo basin,lake chad,lake chad basin,lake malawi,lake geneva,lake victoria,
indo pacific,indian subcontinent,greater china,korean peninsula,arabian peninsula,iberian peninsula,sinai peninsula =EG,
georgia tech =US,georgia power =US,georgia bulldogs =US,georgia southern =US,university of georgia =US,georgia o keeffe,
georgia runoff =US,georgia primary =US,georgia governor =US,georgia senate =US,georgia senator =US,south georgia college =US,
georgia peach =US,georgia peaches =US,georgia secretary of state =US,georgia election interference =US,georgia legislature =US,
new england =US,new orleans =US,new britain =PG,new ireland =PG,new guinea =PG,new london =US,
new jersey =US,new castle,east london =GB,little havana =US,
nova scotia =CA,bank of nova scotia,south wales =GB,prince of wales,princess of wales,duke of york,jimmy wales,
tour de france,air france klm =FR,indiana jones,hannah montana,joe montana,virginia woolf,
brooklyn nine nine,dallas buyers club,austin powers,austin butler,
jack london,denzel washington,george washington,kerry washington,booker t washington,washington post,whitney houston,orlando bloom,
wall street journal,new york times,new york post,los angeles times,
times of india,times of israel,financial times,
georgetown university =US,brown university,washington university =US,boston university =US,new york university =US,
cambridge analytica,
last tango in paris,emily in paris,an american in paris,from russia with love,lawrence of arabia,plaster of paris,
brit awards,brit award,
treaty of rome,treaty of versailles,treaty of lisbon,lisbon treaty,rome statute,bretton woods,kyoto protocol,
montreal protocol,minsk agreements,minsk accords,oslo accords,dayton accords,abraham accords,warsaw pact,minsk agreement,
paris agreement,geneva conventions,geneva convention,vienna convention,vienna conventions,basel committee,basel iii,
budapest memorandum,maastricht treaty,dublin regulation,hague convention,havana syndrome,cairo declaration,
good friday agreement,camp david accords,washington consensus,
learn english,learning english,speak english,speaks english,speaking english,in english,teach english,teaching english,
plain english,broken english,old english,middle english,learn french,learning french,speak french,speaks french,in french,
learn german,learning german,speak german,in german,learn spanish,learning spanish,speak spanish,in spanish,
learn chinese,learning chinese,in chinese,learn russian,learning russian,in russian,learn japanese,learning japanese,
in japanese,learn italian,learning italian,in italian,learn portuguese,in portuguese,learn welsh,learning welsh,in welsh,
learn arabic,learn korean,learning korean,in korean,learn dutch,learning dutch,excuse my french,pardon my french,going dutch,go dutch,
double dutch,pennsylvania dutch =US,nail polish,shoe polish,spit and polish,
greek macedonia =GR,macedonia region of greece =GR,alexander of macedonia,
spanish town =JM,mexico city =MX,panama city beach =US,panama city florida =US,kuwait city =KW,guatemala city =GT,
london ontario =CA,paris texas =US,peru indiana =US,lebanon pennsylvania =US,moscow idaho =US,athens georgia =US,
rome georgia =US,augusta georgia =US,cairo georgia =US,vienna georgia =US,dublin georgia =US,columbus georgia =US,macon georgia =US,
st petersburg florida =US,birmingham alabama =US,manchester new hampshire =US,liberia costa rica =CR,granada nicaragua =NI,
cuba new mexico =US,mexico missouri =US,lima ohio =US,toledo ohio =US,naples florida =US,melbourne florida =US,
jamaica queens =US,berlin new hampshire =US,santiago de cuba =CU,cordoba spain =ES,tripoli lebanon =LB,perth scotland =GB,
brest belarus =BY,la paz mexico =MX,guadalajara spain =ES,victoria british columbia =CA,
hyderabad sindh =PK,valencia venezuela =VE,merida venezuela =VE,san jose california =US,san jose costa rica =CR,
trinidad cuba =CU,trinidad bolivia =BO,santa cruz bolivia =BO,odessa texas =US,
saudi aramco =SA,bank of china =CN,bank of ireland =IE,air china =CN,china daily =CN,china evergrande =CN,
british petroleum,american eagle,american red cross =US,air canada =CA,swiss re =CH,british american tobacco,
dutch east indies,java sea,java man,coral sea,tasman sea,bali nine,swedish house mafia,
hurricane florence,tropical storm florence,storm florence,hurricane georgia,
el nino,la nina,rio tinto,rio grande valley =US,rio grande,san juan capistrano =US,santiago bernabeu =ES,

`;

/** The same in other languages. */
export const noCountryIn: Readonly<Record<string, string>> = {
  es: "conejillo de indias,conejillos de indias,ensaladilla rusa,ensalada rusa,montana rusa,montanas rusas,ruleta rusa,tortilla francesa,tostada francesa,tostadas francesas,chile en nogada,chiles en nogada,chile con carne,chile verde,chile rojo,chile poblano,chile relleno,chile habanero,chile jalapeno,salsa de chile,tinta china,porcelana china,pastor aleman,bulldog frances,bulldog ingles,gripe espanola,llave inglesa,sarampion aleman,jardin japones,america latina,america del sur,america del norte,mar de china,mar de la china,oceano indico,golfo de mexico,aprender ingles,clases de ingles,en ingles,en frances,en espanol,en aleman,pavo,hora inglesa,despedirse a la francesa,cafe turco,bano turco,cabeza de turco,tarta alemana,trenza francesa,manicura francesa,acuerdo de paris,convencion de ginebra,convenios de ginebra,suerte china,muro chino,cuento chino,sombrero panama,cuerno frances,islas virgenes estadounidenses =VI,islas virgenes britanicas =VG,samoa americana =AS,nuevo mexico =US,ciudad de mexico =MX,guayana francesa =GF,polinesia francesa =PF",
  fr: "cochon d inde,cochons d inde,montagnes russes,montagne russe,roulette russe,salade russe,poupee russe,poupees russes,berger allemand,bergers allemands,bouledogue francais,cle anglaise,creme anglaise,filer a l anglaise,capote anglaise,jardin anglais,jardin japonais,grippe espagnole,cafe turc,bain turc,tete de turc,ombres chinoises,casse tete chinois,porcelaine de chine,encre de chine,mer de chine,mer de chine meridionale,ocean indien,golfe du mexique,golfe de guinee,amerique latine,amerique du sud,amerique du nord,en anglais,en francais,en allemand,en espagnol,cours d anglais,apprendre l anglais,accord de paris,conventions de geneve,convention de geneve,rose d inde,oeillet d inde,noix du bresil,toile de jouy,telephone arabe,travail d arabe,pain perdu,oignon de roscoff,guyane francaise =GF,polynesie francaise =PF,nouveau mexique =US,chocolat suisse,couteau suisse,petit suisse,petits suisses,lac tchad,marque de france,samoa americaines =AS,iles vierges americaines =VI,iles vierges britanniques =VG,la reunion =RE",
  de: "wiener wurstchen,wiener schnitzel,wiener melange,wiener wurst,wiener kongress,berliner pfannkuchen,frankfurter wurstchen,hamburger rezept,deutscher schaferhund,deutsche schaferhunde,russisch roulette,russisches roulette,russische eier,spanische grippe,spanische wand,chinesische mauer =CN,turkischer honig,turkischer kaffee,turkisches bad,schweizer taschenmesser,schweizer kase,franzosische bulldogge,englischer garten,irish stew,danisches bettenlager,ungarisches gulasch,hollandische sosse,indischer ozean,indischen ozean,sudchinesisches meer,sudchinesischen meer,golf von mexiko,golf von oman,golf von guinea,lateinamerika,sudamerika,nordamerika,auf deutsch,auf englisch,auf franzosisch,deutsch lernen,englisch lernen,pariser abkommen,pariser klimaabkommen,genfer konvention,genfer konventionen,deutsche bank,deutsche telekom,new mexico =US,mexiko stadt =MX,tschadsee,amerikanisch samoa =AS,amerikanische jungferninseln =VI,britische jungferninseln =VG,franzosisch guayana =GF,meerschweinchen,paranuss,schwarzwalder,jersey kuh,jersey stoff",
  pt: "porquinho da india,porquinhos da india,porco da india,montanha russa,montanhas russas,roleta russa,salada russa,boneca russa,pastor alemao,buldogue frances,chave inglesa,a francesa,peru assado,peru recheado,peru de natal,peru no forno,peito de peru,castanha do para,gripe espanhola,negocio da china,tinta da china,cha da china,galinha da india,galinha d angola,mar da china,mar do sul da china,oceano indico,golfo do mexico,america latina,america do sul,america do norte,em ingles,em frances,em espanhol,em portugues,aulas de ingles,aprender ingles,acordo de paris,convencao de genebra,convencoes de genebra,chapeu panama,banho turco,cafe turco,pao frances,arroz a grega,guiana francesa =GF,polinesia francesa =PF,novo mexico =US,cidade do mexico =MX,samoa americana =AS,ilhas virgens americanas =VI,ilhas virgens britanicas =VG",
  it: "fico d india,fichi d india,porcellino d india,porcellini d india,montagne russe,montagna russa,insalata russa,roulette russa,bambola russa,pastore tedesco,pastori tedeschi,bulldog francese,chiave inglese,zuppa inglese,giardino all inglese,influenza spagnola,inchiostro di china,noce del brasile,noci del brasile,mar cinese,mar cinese meridionale,oceano indiano,golfo del messico,golfo persico,america latina,sud america,nord america,in inglese,in francese,in tedesco,in spagnolo,corso di inglese,accordo di parigi,accordi di parigi,convenzione di ginebra,convenzioni di ginevra,convenzione di ginevra,cappello panama,bagno turco,caffe turco,fumare come un turco,guyana francese =GF,polinesia francese =PF,nuovo messico =US,citta del messico =MX,samoa americane =AS,isole vergini americane =VI,isole vergini britanniche =VG,chewing gum americana,cane da pastore tedesco,portoghesi sui bus",
};

/** A word that is another thing when any of these stand in the title: the bird, the man, the state. */
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

/** Georgia is the American state beside these, unless something says Caucasus. */
export const georgiaUs =
  "governor,atlanta,savannah,augusta,macon,athens,fulton,gop,republican,republicans,democrat,democrats,electors,county,sheriff,bulldogs,runoff,peach,peaches,u s,us,medicaid,abortion,warnock,ossoff,kemp,hyundai,stacey,alabama,florida,carolina,tennessee,arizona,nevada,michigan,pennsylvania,wisconsin,ballots,hand count,school shooting,film tax,interstate,senator,statehouse,house speaker,death row,swing state,swing states,savannah river,okefenokee,lawmakers";
export const georgiaGe =
  "tbilisi,batumi,russia,russian,moscow,abkhazia,ossetia,armenia,azerbaijan,caucasus,kremlin,eu,georgian,georgian dream,brussels,nato,turkey,ukraine,baku,yerevan,saakashvili";

/** Before a city or country that is also a surname, these are given names. */
export const givenNames =
  "michael,jack,jeremy,david,john,george,james,robert,mary,sarah,tom,tim,ben,sam,samuel,joe,joan,julie,julia,peter,paul,mark,lucy,kate,emma,anna,alex,chris,dan,daniel,charlie,charles,henry,william,will,bill,bob,barbara,linda,lisa,susan,kim,kelly,kevin,brian,ryan,eric,steve,steven,stephen,scott,gary,larry,frank,andrew,anthony,matthew,josh,joshua,justin,jason,jeff,jeffrey,denzel,kerry,booker,louis,vernon,montell,deandre,barbara,theo,lauren,brittany,jessica,ashley,megan,rachel,hannah,grace,olivia,sophie,amy,jane,joanna,diana,maria,jose,juan,carlos,luis,miguel,whitney,vanessa,nicole,angela,karen,donna,brooklyn,irving,hamilton,jennifer,jerry,harry,eddie,tony,tyler,hugo,dr,mr,mrs,ms,miss,chef,coach,singer,actor,actress,guitarist,rapper,comedian,author,pastor,goalkeeper,midfielder,striker,baby,bobby,billy,jimmy,johnny,danny,tommy";

/** Names that people bear: beside an unknown word with a capital, they are somebody. */
export const borneByPeople =
  "chad,jordan,georgia,israel,ireland,india,sydney,kenya,austin,dallas,houston,orlando,brooklyn,florence,sofia,virginia,carolina,montana,dakota,savannah,jersey,cuba,holland,england,wales,france,milan,victoria,memphis,boston,lincoln,santiago,brittany,tobago,chelsea,asia,vienna,geneva,valencia,salvador,madeira,paris,london,french,english,welsh,scot,german,roman,norman,washington,kingston,bali,java,cairo,denver,phoenix,rhodes,barron,lisbon,alberta,normandy,ceylon,jamaica,malaya,america,britain,brasil,chile,odessa,berlin,perth";

/** Words with a capital that may well follow a country's name: no surnames. */
export const notSurnames =
  "accuses,agrees,airport,army,and,airlines,bank,beach,border,bridge,bulldogs,cabinet,capital,central,church,city,coast,congress,conservatives,council,county,court,cup,day,defence,defense,dream,east,eastern,election,elections,embassy,ex,fashion,festival,fire,flood,floods,forces,foreign,gas,games,government,governor,grand,guard,hamas,harbour,harbor,heathrow,hezbollah,high,hospital,house,in,international,islands,jets,journal,justice,labour,marathon,mayor,metro,military,minister,ministry,monday,tuesday,wednesday,thursday,friday,saturday,sunday,museum,national,navy,north,northern,of,oil,olympics,on,open,opposition,palace,parliament,party,peace,police,port,power,premier,president,pm,prime,prince,private,prosecutors,protesters,protests,radio,rail,red,republic,republican,republicans,rejects,royal,says,school,sea,senate,senator,south,southern,stadium,state,stock,street,supreme,talks,times,to,tower,trade,tube,underground,union,university,valley,vows,war,warns,water,west,western,week,women,world,zoo,tories,democrats,democrat,district,shore,isles,police,underground,today,tonight,january,february,march,april,may,june,july,august,september,october,november,december";

/** After "US" in a title of capitals, these show that the country is meant. */
export const afterUsInCapitals =
  "senate,congress,house,army,navy,military,president,troops,forces,and,dollar,economy,economic,government,court,supreme,officials,envoy,fed,stocks,sanctions,tariffs,trade,election,border,treasury,state,defense,jobs,inflation,marines,police,judge,consumer,secretary,ambassador,embassy,airstrike,strike,strikes,airstrikes,diplomat,says,led,backed,vs,china,russia,iran,intelligence,vice,special,bomber,open,politics,news";
