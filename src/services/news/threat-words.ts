export const threatLevels = ["info", "low", "medium", "high", "critical"] as const;
export type ThreatLevel = (typeof threatLevels)[number];

/** In the order in which they win when a title says as much of one as of another. */
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

/** What a class of words does besides speaking for a category; threat-class.ts has a rule for each. */
export type Role =
  | "looks-back" // a remembered event
  | "obituary"
  | "form" // opinion, review, how-to: the title says what kind of text it is
  | "arena" // sport, stage, screen, home: alarming words are figures of speech there
  | "figure" // a figure of speech by itself
  | "denial" // did not happen, is over, was an exercise
  | "harmless" // happened and hurt nobody
  | "orderly" // public business: plans, laws, statistics
  | "court"
  | "death"
  | "struck" // a hazard has reached people
  | "accident" // what makes a plant or a warhead an emergency
  | "nuclear"
  | "chemical"
  | "national" // the scale of a country
  | "crippled"
  | "animal"
  | "worker";

export interface WordClass {
  readonly category?: ThreatCategory;
  /** How much one phrase of the class speaks for its category. */
  readonly weight?: number;
  /** How bad a title is of which nothing else is known. */
  readonly level?: ThreatLevel;
  /** The level stands though the title also names public business ("EU agrees new sanctions"). */
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
  fall: { category: "economic", weight: 2, level: "medium" }, // by five percent or more; low otherwise
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
  // No category of their own
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
  emergency: { level: "medium", firm: true },
  "national scale": { role: "national" },
  crippled: { role: "crippled" },
  animal: { role: "animal" },
  worker: { category: "protest", weight: 0, role: "worker" },
  "no class": {}, // phrases whose words would mean something alone
} as const satisfies Readonly<Record<string, WordClass>>;

export type ClassName = keyof typeof wordClasses;
export type WordsByClass = Readonly<Partial<Record<ClassName, string>>>;

/** Phrases by class, separated by commas; "*" is any ending and "#" a number. The longest phrase wins. */
export const englishWords: WordsByClass = {
  invasion: `invade,invades,invaded,invading,invasion,full scale invasion,ground invasion,declares war,declare war,declared war,state of war,
    declaration of war,at war with neighbour,all out war`,
  "nuclear use": `nuclear weapon detonated,detonated over,nuclear weapon used,nuclear weapon explodes,nuclear bomb dropped,nuclear bomb explodes,atomic bomb dropped,nuclear strike,nuclear attack,nuclear missile hits,nuclear war,nuclear blast,nuclear explosion over`,
  genocide: `genocide,ethnic cleansing,genocidal`,
  "mass weapon": `nerve gas,sarin,novichok,mustard gas,chemical weapon,chemical weapons,chemical attack,gas attack,dirty bomb,chlorine bomb*,chlorine attack,
    biological weapon*,bioweapon*,nerve agent,poison gas attack,weaponised anthrax,anthrax attack,radiological attack`,
  fighting: `air strike*,airstrike*,air raid*,air attack*,shelling,shelled,shell hits,shells hit,shells land,shells fall,artillery,bombard*,drone strike*,drone attack*,drones strike*,
    drones hit,missile strike*,missile attack*,missile hits,missiles hit,missiles strike,missile barrage,rocket attack*,rocket fire,rockets hit,rocket barrage,gunship*,offensive,ambush*,firefight*,
    gun battle*,battle for,battles,heavy fighting,fighting,street battles,storm garrison,storms garrison,seize town,seizes town,seize city,captures town,capture town,captures city,capture city,
    overrun*,overran,retake*,retook,recapture*,besieg*,siege of,under siege,barrel bomb*,cluster bomb*,landmine*,mortar fire,mortars,mortar round*,strike kills,strikes kill,strike hits,strikes hit,strike on,strikes on,
    bombs hit,bombs fall,warplanes bomb*,jets bomb*,jets strike,jets hit,jets pound,bombing raid*,ceasefire collapses,truce collapses,ceasefire breaks down,truce breaks down,war crimes in,counteroffensive,counter offensive,
    front line,frontline,front lines,frontlines,trenches,cross border attack,raid on village*,raid on border,raid leaves,clashes kill,clashes between army,clashes between rebels,tribal clashes,ethnic clashes,drone hits,drone kills,hostilities,
    troops fire,tanks roll,tanks enter,tanks shell,village* burned,bomb village,
    drones kill,missile kills,missiles kill,rockets kill,rocket kills,shell kills,shells kill,shelling kills,rebels shell,army shells,troops shell,tanks fire,fierce clashes,clashes rage,war rages,fighting rages,advance on,advances on,advance towards,push into,pushes into,capture village,captures village,seize village,seizes village,encircle*,besieges,pound city,pounds city,pound positions,bombs village,bombed,bombs camp,jets bomb,helicopters attack,raid on camp,attack on village,attack on base,attack on convoy,attack on army,convoy attacked,convoy ambushed,aid convoy hit,hospital bombed,school bombed,exchange of fire kills,sniper*,mine kills,landmine kills,ied,roadside bomb*,roadside blast,drone swarm,bombing campaign,air campaign,strikes kill,strike on hospital,front collapses`,
  "armed tension": `breach of truce,truce violation*,breaking truce,ceasefire violation*,breach of ceasefire,violating ceasefire,violations of ceasefire,violating truce,mass fighters,massing troops,troops mass,mass troops,masses troops,border skirmish*,skirmish*,
    exchange fire,trade fire,exchanged fire,warning shots,stray shell*,stray missile*,stray rocket*,stray drone*,shots fired across,brink of war,drums of war,mobilis* reservists,calls up reservists,calls up reserves,mobilization,mobilisation,
    standoff at border,armed standoff,tensions flare,tension rises,tensions rise,tension mounts,threatens war,threaten war,threatens to attack,threatens strike*,rearm*,
    plan to attack,plans to attack,plan to invade,plans to invade,prepares to attack,troops massing,tanks near border,shots across border,border incident,border clash`,
  "armed party": `rebel*,insurgent*,insurgency,militia*,militiam*,fighters,warring,factions,faction,ceasefire,cease fire,truce,war,wars,warfare,civil war,separatist*,
    guerrilla*,paramilitar*,houthi*,hezbollah,hamas,rsf,m23,combatants,demobilis*,demobiliz*,disarm*,occupied,occupation,war torn,warlord*,troops crossed,
    prisoners of war,buffer zone,armistice,demilitarised,demilitarized,battlefield,combat,bomb shelter*,conflict,gunfire,border troops`,
  "terror attack": `suicide bomb*,suicide attack*,car bomb*,truck bomb*,bomb explodes,bomb goes off,bomb blast*,bomb kills,bombing,bombings,bomb attack*,bomber,bombers,parcel bomb*,letter bomb*,nail bomb,hostage taker*,hostage taking,hostage crisis,hostages held,held hostage,taken hostage,take hostages,takes hostages,
    taking hostages,hostages seized,hold hostages,guests hostage,passengers hostage,behead*,terror attack*,terrorist attack*,terrorist incident,act of terror,terror strike,driven into crowd,drives into crowd,rams crowd,ploughs into crowd,plows into crowd,ramming attack,car ramming,
    driven into christmas market,driven into pedestrians,knife attacker,knife rampage,gunmen storm*,gunmen raid*,gunmen attack*,gunmen seize*,gunmen take*,gunmen open fire,fighters abduct,militants kill*,militants storm*,militants attack*,militants abduct*,militants seize*,
    jihadists kill*,jihadists attack*,jihadists storm*,islamists kill*,insurgents abduct,extremists kill*,hijack* plane,plane hijack*,hijacked,hijackers,set off explosives,grenade attack*,synagogue attack,mosque attack,church attack,attack claimed by,schoolgirls abducted,pupils abducted,pupils kidnapped,
    attackers release,militants set off,terrorists release,attackers storm*,attackers kill*,attackers behead*,kidnappers hold,hold pupils hostage,held at gunpoint,bomb tears through,bomb rips through,blast at church,blast at mosque,blast at temple,blast at shrine,blast rips through market,explosion at mosque,twin blasts,bus bombed,train bombed,shrine bombing,bomb squad called,lone wolf`,
  "terror plot": `bomb plot*,terror plot*,terrorist plot*,plot to attack,plot to bomb,plotting attack*,plotted attack,planning attack,planned attack,explosives found,explosives seized,bomb found,bomb making,foiled attack,foiled plot,foil plot*,foils plot*,thwart* attack,thwart* plot,foil attack,foils attack,
    terror suspect*,terrorism suspect*,terrorist suspect*,terror cell,suspected cell,right cell,terror arrests,terror alert,terror threat,terrorism charges,sleeper cell,explosives cache,suspicious package*,bomb threat*,bomb scare,extremist cell,radicalis*,radicaliz*`,
  "terror group": `militant*,jihad*,islamist*,extremist*,extremism,terror,terrorism,terrorist*,counterterror*,al qaeda,islamic state,isis,daesh,boko haram,iswap,al shabaab,shabaab,cult,far right cell,hostage,hostages,explosives,neo nazi cell,
    attackers,kidnappers,assailants,terror law*,counter terrorism,counter terror,deradicalisation,terror list,terror watch list`,
  gunmen: `gunmen,gunman,armed men,kidnappers`,
  coup: `coup,coups,coup d etat,putsch,martial law,army takes power,army seizes power,military takes power,military seizes power,soldiers seize power,soldiers take power,officers seize power,officers take power,junta takes,seize power,seizes power,seized power,
    takes power,take power,took power,generals seize,generals take over,military takeover,mutinous soldiers,soldiers seize state,soldiers announce,officers announce,ousted by army,overthrown by army,army ousts,army topples,army overthrows,soldiers detain president,tanks surround parliament,putschists,mutiny,power grab by army,army dissolves,military dissolves,toppled by soldiers,presidential guard detains`,
  "military move": `test fires,test fire,test fired,test launch*,missile test*,fires missile*,fires ballistic,launches missile*,launches ballistic,scrambles jets,scramble jets,scrambles fighter*,scrambled jets,jets scrambled,intercepts jets,intercept bombers,intercepts bombers,airspace violation*,violates airspace,violated airspace,enters airspace,moves missiles,
    moves troops,moves tanks,sends warplanes,sends warship*,sends troops,send troops,sends fighter,warplanes across,sends aircraft carrier,deploys troops,deploys missile*,deploys warship*,deploys soldiers,deploys forces,deploy troops,troop movement*,troop build up,troop buildup,military build up,military buildup,masses warships,reinforces border,nuclear test,fighter jet crash*,military plane crash*,military helicopter crash*,
    warship collides,submarine collides,soldiers killed in training,training accident,live fire accident,army helicopter crash*,army truck crash*,ammunition depot,arms depot,puts forces on alert,puts troops on alert,forces on high alert,drone incursion*,sends carrier,warships enter,warships near,sends bombers,bombers near,bombers fly,ballistic missile,hypersonic missile,missiles to,jet crashes in training,trainer jet,submarine missing,naval blockade,
    warships towards,warships toward,puts army on alert,army on alert,missile launch,launches satellite killer,long range missile,cruise missile test,live fire near,spy plane,spy balloon,shadows destroyer,intercepted over,jets intercept*,fighter jets intercept*,buzzes,buzzed,submarine spotted,shoots down drone,shoots down balloon,downs drone,border troops reinforced,reinforces garrison,air defence alert,nuclear capable,military aircraft crash*,military jet crash*,navy ship runs aground,army depot blast,arms dump blast,ammunition blast,barracks fire,troops to border,tanks to border,extra troops,extra battalion`,
  "armed forces": `army,navy,naval,air force,military,soldier*,troop,troops,military exercise*,joint exercise*,joint drill*,naval drill*,military drill*,war game*,
    wargame*,manoeuvre*,fighter jet*,fighter plane*,warplane*,warship*,frigate*,destroyer*,submarine*,aircraft carrier*,missile*,defence ministry,
    defense ministry,defence minister*,defense minister*,defence spending,defense spending,defence budget,defense budget,defence contract,pentagon,
    conscript*,national service,deployment*,deploy,arms deal,arms sale*,weapons,weapon,tank order,tanks,howitzer*,air defence*,air defense*,
    artillery order,battalion*,brigade*,regiment,squadron,marines,general staff,chief of staff,armed forces,armoured,armored,barracks,garrison,
    drone order,drones,f 35,f 16,recruits,reservists,veterans pension,defence white paper,defence review,doctrine,nato,peacekeep*,cadets,commander*,
    defence pact,visiting forces,coast guard,procurement of helicopters,military base,junta,training exercise`,
  crackdown: `open fire on protest*,opens fire on protest*,opened fire on protest*,fire on protesters,fire at protesters,fires on protesters,open fire on crowd,fire on crowd,fire at crowd,shoot at crowd,shoots at crowd,shoot protesters,shot protesters,kill protesters,kills protesters,protesters killed,protesters shot dead,demonstrators killed,demonstrators shot,fire on demonstrators,
    open fire on demonstrators,fire on marchers,live rounds at,live ammunition at,protesters dead,protest crackdown kills,opposition rally kills,shoot strikers,fire on strikers,fire on striking,deadly protests,deadly crackdown,shot at rally,rioting kills,riots kill,deadly riots,deadly riot`,
  protest: `protest*,demonstrat*,march,marches,marchers,marched,rally,rallies against,riot*,unrest,uprising,revolt,walkout*,walk out over,walk off job,
    general strike,strike shuts,strike halts,strike grounds,strike closes,strike paralyses,strike cripples,strike enters,strike over pay,on strike,
    go on strike,goes on strike,rail strike*,train strike*,teachers strike,doctors strike,nurses strike,pilots strike,workers strike,drivers strike,
    dockers strike,miners strike,strike action,strike ballot,strike vote,wildcat strike,hunger strike*,strikers,picket*,union*,trade union*,looted,
    looting,looters,sit in,sit ins,blockade*,blockad*,barricade*,tear gas,water cannon,topple statue,occupy,occupies,occupied town hall,activists block*,
    farmers block*,strike off,boycott*,vigil,civil disobedience,industrial action,stoppage,rampage through,mob,mobs,curfew,anti government,anti austerity,
    truckers block*,take to streets,takes to streets,took to streets,strike called off,
    picket,strike over,strike enters,nurses strike,strike ends,workers down tools,down tools,students occupy,students walk out,sit down protest,rioters,stone throwing,clashes at rally,marchers clash,crowds defy,defy curfew,crowd storms,storm parliament,storms parliament,storm palace,dissent,petrol bombs,effigy,slow march,strike for,mass strike,shutdown strike,hartal,bandh,encampment*,tractors block,tractor protest,road blocks,roadblocks`,
  strike: `strike,striking,walkout`,
  quake: `earthquake*,quake*,aftershock*,tremor*,magnitude #,seismic,temblor,richter`,
  "great storm": `hurricane*,typhoon*,cyclone*,tornado*,twister*,supercell,superstorm,tsunami*,tropical storm,category # storm,storm surge,storm`,
  hazard: `flood,floods,flooding,flooded,floodwater*,flash flood*,landslide*,mudslide*,mud slide,landslip,rockfall,avalanche*,volcan*,erupt*,eruption*,lava,
    ash cloud,magma,wildfire*,wild fire*,bushfire*,forest fire*,brush fire*,drought*,heatwave*,heat wave*,cold wave,cold snap,blizzard*,snowstorm*,
    ice storm,hailstorm*,hail,sandstorm*,dust storm*,monsoon,torrential rain*,heavy rain*,sinkhole*,famine,locust*,glacier lake,dam overflow*,
    river bursts,swollen river,lightning,high winds,gale*,deluge,storms,mud buries,levee*,natural disaster,state of disaster,evacuation order lifted,
    fire is contained,fire contained,fires contained,blaze nears`,
  weather: `weather,snow,rain,rains,meteorolog*,flood defence*,flood defense*,flood barrier*,sea wall,early warning system,seismolog*,hurricane season,
    fire season,typhoon season,disaster relief,disaster fund,disaster agency,rebuild after,el nino,la nina,heat,storm season,relief fund,forecast*,
    seismologist*,volcanologist*,hydrolog*,sensors,early warning,flood maps,flood insurance,storm names,rainfall,snowfall,hot spell,sandbags,relief goods`,
  rift: `expels,expel,expelled,expulsion,recalls envoy,recalls ambassador,recalls its ambassador,recall ambassador,recalls its envoy,recalls diplomats,withdraws ambassador,pulls ambassador,summons,summoned ambassador,cuts ties,cut ties,cuts diplomatic,cut diplomatic,severs,severed ties,breaks off relations,breaks off ties,breaks ties,breaks relations,
    suspends ties,suspends relations,freezes ties,talks collapse*,talks break*,talks fail*,talks stall*,talks end without,talks founder,summit collapse*,summit ends without,walks out,veto,vetoes,vetoed,persona non grata,rift,diplomatic row,diplomatic spat,downgrade* ties,downgrade* relations,closes embassy,shuts embassy,shuts consulate,closes consulate,
    embassy closed,quits treaty,withdraws from treaty,withdraws from pact,pulls out of treaty,pulls out of pact,leaves pact,quits pact,suspends treaty,suspends pact,suspends accord,rejects ultimatum,ultimatum,protest note,diplomatic crisis,bars diplomats,revokes visas,bans diplomats,rejects peace plan,rejects ceasefire,rejects truce,walkout at talks,delegation walks out,pulls out of talks,boycotts talks,boycotts summit,
    ambassador summoned,envoy summoned,diplomats expelled,ambassador expelled,envoy expelled,envoy recalled,ambassador recalled,embassy stormed,consulate stormed,ties severed,ties suspended,relations frozen,talks suspended,talks postponed,talks deadlocked,talks in deadlock,talks cancelled,storms out of talks,bans entry,leaves bloc,quits bloc,withdraws from organisation`,
  sanctions: `sanction,sanctions,sanctioned,embargo,embargoes,blacklist*,asset freeze,freezes assets,travel ban on officials,arms embargo`,
  diplomacy: `talks,summit,summits,treaty,treaties,envoy,envoys,ambassador*,foreign minister*,foreign ministry,diplomat*,diplomacy,peace,peace deal,peace talks,
    peace process,peace plan,accord,pact,bilateral,delegation,mediat*,embassy,consul,consuls,consulate*,security council,general assembly,un envoy,united nations,unga,
    recognis* state,recognise*,recognize*,ratif*,normalis* ties,normaliz* ties,restore ties,resume ties,ties,relations,state visit,border deal,
    border treaty,border demarcation,ceasefire talks,truce talks,ceasefire resolution,g7,g20,brics,asean,african union,arab league,secretary general,
    special envoy,leaders meet,presidents meet,premiers meet,multilateral,joint statement,visa waiver,visa free,credentials,un resolution,resolution,
    enlargement,accession,nuclear talks,nuclear deal,hostage deal,foreign secretary,foreign policy,arms control`,
  "truce agreed": `sign ceasefire,signs ceasefire,signed ceasefire,agree ceasefire,agrees ceasefire,agree to ceasefire,agree on ceasefire,ceasefire deal,ceasefire agreement,ceasefire agreed,ceasefire pact,ceasefire takes effect,ceasefire holds,truce agreed,truce deal,agree truce,agrees truce,agree to truce,sign truce,truce takes effect,truce holds,sign peace,signs peace,sign armistice,extend truce,extend ceasefire,truce extended,hostage exchange,prisoner swap,prisoner exchange`,
  agreement: `agree,agrees,agreed,agreement,sign,signs,signed,conclude,concludes,deal,deals`,
  "economic shock": `plunge*,tumble*,slump*,bankrupt*,insolven*,defaults on,default on,debt default,sovereign default,lay off,lays off,laid off,layoff*,lay offs,job cuts,cuts jobs,cut jobs,to cut # jobs,cuts # jobs,cut # jobs,axe # jobs,axes # jobs,shed # jobs,sheds # jobs,slash # jobs,slashes # jobs,# jobs,# job losses,job losses,jobs go,jobs at risk,thousands of jobs,run on deposits,
    bank run,run on bank*,bank fears,seize* lender,bank collapse*,bank fails,lender fails,lender collapse*,receivership,administration after,files for chapter,chapter 11,files for administration,calls in administrators,recession hits,enters recession,in recession,slides into recession,falls into recession,falls into administration,tariff on,tariffs on,imposes tariff*,slaps,tariffs take effect,export ban,bans exports,import ban,bans imports,export curbs,curbs exports,sell off,selloff,rout,
    market rout,stocks crash,market crash,shares crash,currency crash,crashes to record,devalu*,hyperinflation,profit warning,warns on profit,hits record low,record low,capital controls,currency crisis,debt crisis,banking crisis,liquidity crisis,financial crisis,bailout,bail out,credit downgrade,junk status,reserves run out,trading halted,halts trading,foreclos*,shuts plants,close # plants,closes plants,to close plants,closes factory,to close factory,
    freezes accounts,shortage*,price shock,fuel shortage*,bread shortage*,wipes billions,trade war,energy crisis,collapses into administration,goes bust,liquidation,jobs lost`,
  fall: `falls,fell,drops,sinks,slides,slide,dives,jumps,soars,surges,spikes,crashes,crash,sheds,loses`,
  economy: `economy,economic,economist*,market,markets,stock,stocks,share,shares,bond,bonds,yield*,interest rate*,rate cut*,rate hike*,rate decision,rates,raises rates,cuts rates,holds rates,central bank*,bank of,federal reserve,fed,ecb,monetary,inflation,prices,price,price cap,consumer prices,gdp,growth,recession,unemployment,jobless,payroll*,jobs data,jobs,hiring,wages,wage,trade,trade deal,free trade,trade talks,
    trade surplus,trade deficit,surplus,deficit,exports,export,imports,tariff*,customs union,profit*,earnings,revenue,sales,outlook,guidance,quarterly,dividend*,merger*,acquisition*,takeover*,takeover bid,buyout,acquire*,to buy,buys stake,stake,bid,ipo,listing,investor*,invest*,fund,funds,hedge fund,pension*,tax,taxes,budget deficit,bank,banks,lender*,loan*,debt,mortgage*,housing market,house prices,currency,
    dollar,euro,yen,yuan,peso,rupee,rouble,ruble,lira,pound,bitcoin,crypto,gold,silver,copper,oil price*,crude,oil,brent,opec,gas prices,commodit*,wheat,coffee prices,retail*,retailer*,carmaker*,manufactur*,factory output,factory orders,industrial output,competition authority,antitrust,regulators clear,imf,world bank,eurobond,credit rating,rating agency,moody s,bln,billion deal,stimulus,subsid*,tourism revenue,
    nikkei,dow,ftse,nasdaq,s p 500,dax,wall street,supply chain*,steelmaker*,startup funding,valuation,chief executive,insurer*,minimum wage,cost of living,quarter point,basis points,household spending,retail chain,
    merge,merge with,merges with,to merge,merging,mortgages,rent,rents,profits,factories,orders,industry,sector,consumer confidence,business confidence,startup raises,raises # million,crude futures,futures,treasuries,treasury yields,shareholders,brewer*,grocer*,airline profit,chief financial,trade bloc,customs,tariff talks,export orders,farm subsidies,productivity,gross domestic,wage growth,car sales,iron ore,lithium`,
  "cyber attack": `ransomware,hack,hacks,hacked,hacker,hackers,hacking,data breach*,breached,breaches of data,ddos,denial of service,malware,phishing,cyberattack*,cyber attack*,cyber assault,cyber incident,cyber espionage,cyberespionage,zero day*,data leak*,leaks data,leaked data,leaks passport,leak exposes,data stolen,stolen data,steal data,steals data,records stolen,records exposed,exposes records,
    exposes data,data exposed,exposes passwords,exposes # million,botnet,spyware,trojan,computer virus,computer worm,wiper,intruders in network,network breach,network intrusion,online attack,deface* website*,extortion gang leaks,credential theft,credentials stolen,sim swap,supply chain attack,backdoor,exploited in wild,exploit flaw*,exploits flaw,exploit zero,exploit vulnerab*,accounts compromised,breach exposes,breach at,
    voter rolls breached,rolls breached,keylogger,cyber raid,cyber heist,crypto heist,crypto exchange hack`,
  "cyber topic": `cyber,cybersecurity,cyber security,vulnerab*,password*,passkey*,encryption,encrypted,patch tuesday,security patch,security flaw*,security hole*,security update*,cisa,infosec,firewall*,vpn,two factor,bug bounty,antivirus,data protection,privacy breach,cyber defence,cyber drill,cyber agency,worm,hack day,critical flaw,exploited,ethical hacker*,computer security,security bug*,
    patch,patches,patched,flaw,flaws,bug,security researchers,cyber law,cyber insurance,cyber security,router flaw,hackers sentenced,data protection,data privacy,password manager*,phishing email,spam,scam calls,multi factor,cyber exercise,cyber resilience,cyber strategy,cyber command`,
  pandemic: `declares pandemic,declare pandemic,declared pandemic,pandemic declared,declares a pandemic,declared a pandemic,pandemic`,
  outbreak: `outbreak*,cholera,ebola,measles,mpox,monkeypox,marburg,dengue,malaria,polio,bird flu,avian flu,avian influenza,swine flu,h5n1,h5n5,nipah,lassa,zika,yellow fever,typhoid,meningitis,diphtheria,anthrax,plague,virus,viruses,coronavirus,covid,influenza,flu,smallpox,legionnaires,hantavirus,chikungunya,whooping cough,scabies,tuberculosis,hiv,epidemic*,infection*,infected,infect*,quarantine*,superbug*,
    salmonella,listeria,e coli,botulism,norovirus,food poisoning,fall ill,falls ill,fell ill,taken ill,sickened,sickens,sick after,mystery illness,mysterious illness,disease,variant,new strain,pathogen,rabies,cases double,cases rise,cases surge,cases climb,methanol poisoning,tainted alcohol,tainted,poisoned by,bootleg alcohol`,
  "care in trouble": `hospitals cancel,hospital cancels,blood stocks,hospitals overwhelmed,hospital overwhelmed,wards overflow,drug recalled,drugs recalled,medicine recalled,recalled over,drug shortage*,medicine shortage*,vaccine shortage*,doctor shortage,beds run out,oxygen runs out,recalls drug,recalls pills,recalls baby formula,recalls batch*,pulled from pharmacies,hospitals turn away,health emergency,public health emergency,
    hospital closes,hospitals close,cancel operations,postpone operations,contaminated drug*,contaminated medicine*,contaminated blood,emergency rooms overwhelmed,insulin shortage,run out of insulin,hospitals run out,hospital shut*,
    contaminated medicine*,hospital evacuated,hospitals evacuated,clinic closed,ward closed,maternity ward closes,drug recall,medicine recall,vaccine recall,fake medicine*,counterfeit medicine*,organ shortage,nurse shortage,blood shortage,ambulance queues,emergency ward overwhelmed,intensive care full,beds full,cancelled operations`,
  "escaped germ": `virus escapes,pathogen escapes,germ escapes,escapes from laboratory,escapes from weapons laboratory,lab leak,laboratory leak,anthrax leak,smallpox returns,smallpox case*`,
  health: `health,hospital*,clinic*,vaccin*,drug,drugs,drugmaker*,drug price*,medicine*,medical,medic,medics,doctor*,nurse,nurses,surgeon*,surgery,cancer*,heart,
    stroke,diabetes,obesity,dementia,alzheimer*,trial drug,clinical trial*,statin*,insulin,antibiotic*,pharma*,therapy,therapies,treatment,treated,treats,tumour*,
    mental health,midwi*,maternal,infant mortality,life expectancy,smoking,vaping,pill,pills,jab,jabs,newborn*,who,world health organization,fda approves,
    ema,medicines agency,health ministry,health minister,nhs,abortion,fertility,ivf,gene therapy,organ donor*,transplant*,ambulance*,pharmac*,sleep,diet,
    walking,immunis*,immuniz*,screening,virologist*,epidemiolog*,cough syrup,wellbeing,blood pressure,asthma,patients,hospital patient,
    flu vaccine*,flu jab*,flu shot*,flu season,malaria vaccine*,polio vaccine*,measles vaccine*,covid vaccine*,covid jab*,hiv drug*,dengue vaccine*,vaccine rollout,trial finds,drug trial*,vaccine trial*,heart attack*,asthma attack*,medical trial,disease research,gene editing,health insurance,waiting lists,waiting times,maternity,dentist*,optician*,allerg*,hearing aid*,arthritis,migraine,gut,vitamin*,calorie*,sugar tax,obese,ageing,longevity,menopause,autism,adhd,drugs agency,drug regulator`,
  pollution: `oil spill*,fuel spill*,chemical spill*,oil slick*,crude spill*,spill*,spills,pollut*,smog,toxic,toxin*,sewage,effluent,tailings,discharge,contaminat*,hazardous air,air quality,air turns,acid,heavy metals,arsenic,lead poisoning,mercury,pfas,forever chemicals,fish die,fish kill*,dead fish,algae bloom*,algal bloom*,red tide,coral bleaching,bleaching,illegal dumping,dumped waste,toxic waste,asbestos,
    oil leak*,fuel leak*,fuel oil,pipeline leak*,leaks oil,leaks into river,slick,die off,mass die off,whales stranded,ash pond,wastewater,dump fire,landfill fire,poisoned river,river turns,groundwater,
    factory leak*,turns river,turns red,turns black,not to drink,do not drink,boil water,poisons river,fouls,tar balls,fumes,haze,slurry,oil washes,washes ashore,dead seals,mass deaths of,leak at refinery,air pollution,noxious,contaminated water,contaminated soil,lead levels,chemical discharge`,
  environment: `environment*,climate,emission*,carbon,greenhouse,global warming,species,endangered,extinct*,biodiversity,wildlife,conservation*,deforest*,rainforest,
    forest,forests,reforest*,rewild*,coral,reef,reefs,ocean*,plastic*,recycl*,waste,clean air,national park,nature reserve,sanctuary,tiger*,elephant*,
    rhino*,whale*,otter*,puffin*,wolves,bees,pollinator*,bird,birds,sea level*,glacier*,ice sheet,sea ice,methane,net zero,cop30,cop31,pesticide*,
    fishing quota*,whaling,ivory,poach*,habitat*,wetland*,peat*,mangrove*,trees,canal wildlife,verges,radioactive waste,waste store,water quality,
    river clean up,solar,renewable*,ozone,invasive species,salmon,seals,turtles,marine life,rivers,radiation leak,butterfl*,meadow*,waste site,
    recycle,litter*,park rangers,rangers,marine park,fisheries,overfishing,drilling ban,fossil fuel*,coal phase out,carbon tax,carbon market,green belt,hedgehog*,beaver*,lynx,wolf,bear,bears,owl,owls,sea turtle*,monkey*,gorilla*,orangutan*,jaguar*,leopard*,pangolin*,vulture*,insect*,soil,tree planting,heat pump*,clean energy,environment agency,environment ministry,air pollution limits,nature,ecosystem*,ice melt,permafrost,arctic ice,antarctic ice`,
  chemical: `chemical plant,chemical works,chemical factory,chemicals plant,chemical warehouse,pesticide plant,fertiliser plant,fertilizer plant,gas leak,toxic gas,toxic cloud,chlorine,chlorine gas,ammonia,ammonia leak,cyanide,phosgene,chemical cloud,toxic fumes,chemical leak,chemical release,chemical tank,chemical,chemicals,hydrogen fluoride,petrochemical plant`,
  "mass shooting": `mass shooting*,school shooting*,shooting at school,shooting at high school,shooting at university,shooting spree,shooting rampage,opens fire in,opens fire at,open fire in bar,open fire at party,massacre*,gunman kills*,gunman opens fire,shooting leaves,shooting kills,mass stabbing,stabbing spree,mass killing,gunmen kill*,kill spree,killing spree,gang attack,gangs kill*,gang kills`,
  crime: `murder*,shot dead,shoots dead,gunned down,stabb*,stabbed to death,killing of,homicide*,kidnap*,abduct*,robber*,robbed,burglar*,thief,thieves,theft,heist*,stolen,steal,steals,stole,fraud*,swindl*,scam*,ponzi,arrest,arrests,arrested,detains,detained,detain,drug bust,drug ring,cocaine,heroin,fentanyl,meth,methamphetamine,smuggl*,traffick*,gang,gangs,cartel*,rape,rapist,raped,sexual assault,sexual abuse,arson,
    arsonist*,launder*,brib*,embezzl*,corruption,graft,extort*,mafia,mob boss,organised crime,organized crime,serial killer,manhunt,shooting,shooter,assault,assaulted,poisoning,poisoner,forger*,counterfeit*,seize drugs,police seize,seizes cocaine,seize tonnes,child abuse,human remains,body found,missing girl,ransom,vandal*,hitman,contract killing,assassinat*,money mule*,art theft,jewel*,organ trafficking,poachers arrested,drug lord,kingpin,insider trading,tax evasion,
    prosecutors seek,poisoner,killer,killers,torture*,slavery,looted art,pickpocket*,carjack*,hostage in bank,raid nets,bust,busts,raids,handcuff*,mugging,blackmail*,bomb hoax,threatened school,bank robber*,fugitive*,on the run,escaped prisoner*,jailbreak,prison break,gangland,drug haul,haul,forgery,fake passports,identity theft,stalk*,grooming,paedophil*,pedophil*,bounty,gold smugglers`,
  "crime topic": `police,crime,crimes,criminal*,prison*,inmate*,jail,prosecut*,detective*,knife crime,gun control,gun law,drug policy,burglaries,offender*,suspect*,investigat*,probe,inquiry,inquest,warrant,law enforcement,interpol,europol,victim*`,
  trial: `trial,trials,on trial,goes on trial,go on trial,stands trial,retrial,sentence,sentenced,sentences,jailed,jails,imprison*,convict*,conviction,verdict,acquit*,pleads,plead,pleaded,guilty,not guilty,charged with,charged over,indict*,extradit*,life term,life sentence,death penalty,death row,appeals court,court of appeal,appeal court,court upholds,court clears,cleared of,jury,jurors,defendant*,testif*,testimony,hague tribunal,war crimes tribunal,
    war crimes court,tribunal,parole,court hears,bail,in the dock,court acquits,court convicts,court jails,court frees,faces trial,accused of,plea deal,courtroom,years in prison,years for,court hands,executed for,hangs,war crimes trial,icc,
    prosecutors seek,seek life,years for,life for,retried,appeals conviction,appeals against,appeal against,loses appeal,wins appeal,overturns conviction,conviction overturned,quashes conviction,sentencing,arraigned,pleads not guilty,charges dropped,found guilty,faces charges,in court over,in court on,appears in court,war crimes suspect,plea,probation,community service,house arrest`,
  court: `court,courts,judge,judges,lawsuit*,sues,sue,ruling,rules that,supreme court,high court,constitutional court,class action`,
  "transport accident": `derail*,plane crash*,jet crash*,airliner crash*,aircraft crash*,helicopter crash*,helicopter carrying,train crash*,trains collide,trains crash,
    train collides,train hits,bus crash*,bus plunges,coach crash*,bus falls,bus overturns,bus collides,truck crash*,lorry crash*,lorry overturns,
    car crash*,crash on,pile up,pileup,collision,collide,collides,collided,capsiz*,ferry sinks,boat sinks,ship sinks,ferry with,sinks off,boat overturns,
    ferry fire,shipwreck*,runs aground,ran aground,skids off,overshoots runway,overran runway,emergency landing,near miss,crash lands,crash landing,
    jet crashes,plane crashes,crashes into,crashes on,crashes at,crashes near,crashes in,crashes after,crashes off,plane goes down,plane goes missing,
    plane missing,bridge collapse*,collapsed bridge,dam collapse*,dam fails,dam bursts,tunnel collapse*,mine collapse*,mine blast,mine explosion,
    mine flood*,building collapse*,crane collapse*,level crossing,migrant boat,cable car,jumbo jet,overpass collapse*,viaduct collapse*,ship hits bridge,
    tanker explodes,tanker truck,gas pipeline explodes,pipeline explosion,pipeline blast,bus catches fire,train fire,plane catches fire,runway collision,
    tanker and,freighter and,
    tram crash*,metro crash*,ferry crash*,boat capsizes,boats collide,ship collides,ships collide,plane hits,jet hits,plane overturns,train derail*,crash kills,crash leaves,bus crash,minibus,crash between,truck hits,truck plows,truck ploughs into bus,lorry hits,hot air balloon,light aircraft,glider,elevator plunges,gondola,lift plunges,off runway,bridge falls,roof collapse*,stand collapses,scaffolding collapse*,mine cave in,rail crash*,passenger jet crash*,airliner goes down,airliner with,plane with,helicopter down,ferry capsizes,ferry catches fire,cruise ship`,
  outage: `outage*,power cut*,power failure*,blackout*,power out,without power,lose power,without electricity,without water,water cut,load shedding,rolling blackouts,air traffic control failure,air traffic failure,signal failure,signalling failure,flights cancelled,flights canceled,cancels flights,cancel flights,flights grounded,grounds flights,delays flights,delays hundreds,flight delays,trains halted,trains cancelled,train chaos,airport closed,airport shut,
    airport closes,closes airport,shuts airport,closes runway,cable cut,cables cut,cable damage*,cable severed,undersea cable,subsea cable,internet slows,internet down,phone network down,network failure,mobile network down,grid failure,grid collapse*,gas supply cut,pipe burst,burst main,water main,runway closed,bridge closed,closes bridge,road closed,port closed,port shut,stranded passengers,passengers stranded,travellers stranded,canal blocked,blocks canal,
    substation fire,metro shut,rail chaos,bridge cracks,gridlock,trains stop,stuck in tunnel,lines down,
    in the dark,homes in the dark,without heating,without gas,phones down,internet cut,internet outage,broadband outage,water shortage*,taps dry,taps run dry,rail strike chaos,flights diverted,airport evacuated,flights suspended,suspends flights,trains suspended,train services suspended,line closed,closed after crack*,cracks found,lane closures,delays for,lift fails,ferries cancelled,ferry service suspended,port closes,bridge shut,tunnel shut,tunnel closed,motorway shut,motorway closed,road collapses,road washed away,rail line buckle*`,
  "national outage": `nationwide blackout,national blackout,countrywide blackout,nationwide power cut,nationwide outage,national grid collapse*,plunges country,plunges nation,plunges whole,country without power,nation without power,whole country without,entire country without,plunged into darkness,into darkness,grid collapses leaving,millions without power,blackout across country`,
  infrastructure: `power grid,grid,electricity,power line*,power plant*,power station*,power supply,railway*,rail,rail line,train,trains,tram,trams,metro,subway,high speed line,high speed rail,bridge*,port,ports,harbour*,airport*,airspace,air traffic,airline*,flight*,runway,telecom*,mobile network,5g network,broadband,undersea,road,roads,motorway*,highway*,expressway,tunnel*,dam,dams,pipeline*,water supply,waterworks,sewer*,bus,buses,ferry,ferries,
    shipping lane*,container ship,cargo ship,freighter,tanker,canal,hydropower,hydroelectric,wind farm*,lng terminal,substation*,interconnector,commuter*,passenger*,transport,transit,infrastructure,helicopter,aviation,jet,plane,aircraft,lorry,locks,lighthouse,derailment,crash investigators,traffic,gas network,sleeper train,
    runway,terminal,second runway,interchange,railway station,bullet train,hydrogen train,ring road,bypass,charging point*,toll,tolls,cycle lane*,power cable,transmission line*,gas terminal,power link,desalination,reservoir*,street lights,lighthouse*,sleeper trains,airline route,air route,freight,cargo,ports authority,bus lane*,footbridge,level crossings,gas pipeline,fibre network,mast,masts`,
  "nuclear plant": `nuclear plant,nuclear power,nuclear power station,nuclear power plant,nuclear station,nuclear reactor,reactor*,reactor core,atomic plant,atomic power,nuclear,nuclear site,nuclear regulator,nuclear fuel,uranium,fukushima,chernobyl,spent fuel,nuclear complex`,
  warhead: `nuclear warhead*,warhead*,nuclear weapon*,nuclear bomb*,nuclear missile*,tactical nuclear,nuclear submarine*,nuclear arsenal,atomic bomb,
    hydrogen bomb,nuclear device,nuclear armed,nuclear drill`,
  "tech trouble": `cloud outage*,service outage*,software outage,software fault,software glitch,software bug,software update crash*,computer failure,computer glitch,it failure,it outage,app outage,website down,websites down,takes down websites,takes down thousands,takes down sites,social network down,platform down,goes offline,apps offline,sites offline,servers down,servers crash,rocket explodes,rocket explosion,rocket fails,rocket crashes,launch fails,launch failure,
    satellite lost,loses satellite,loses contact,loses control,contact with satellite,contact with probe,lander crashes,lander lost,spacecraft lost,blocks chatbot,bans chatbot,bans app,blocks app,ban chatbot,chatbot banned,recalls phones,battery fires,suspends robotaxi*,payment outage,payments outage,card outage,data centre fire,data center fire,data centre outage,chip shortage*,satellite collision,space debris hits,outage hits,outage at,down for hours,outage takes,global outage,worldwide outage`,
  tech: `ai,a i,artificial intelligence,chatbot*,algorithm*,machine learning,deepfake*,chip,chips,chipmaker*,semiconductor*,software,cloud,cloud computing,app,apps,platform*,social media,smartphone*,tech giant*,tech firm*,technolog*,startup*,start up,robot*,robotaxi*,self driving,driverless,quantum,satellite*,space,space agency,spacecraft,rocket*,booster,moon,mars,lunar,orbit,astronaut*,nasa,esa,telescope,lander,launch pad,5g,6g,internet,web,online safety,
    search engine,browser*,computer*,supercomputer,data centre*,data center*,open source,database,programming,developer*,video game*,metaverse,virtual reality,e commerce,digital,drone delivery,blockchain,standards body,wireless,fibre,starship,
    chatbot safety,engineers,researchers,scientists build,engineer,data centers,3d print*,neural,language model*,gpu,gpus,facial recognition,biometric*,cyber cab,electric vehicle software,search giant,messaging app,online platforms,app makers,tech company,tech companies,gamers,controller,gaming,space telescope,space walk,spacewalk,asteroid,comet,venus,jupiter,exoplanet,rover,crew capsule,space capsule,reusable rocket,antitrust search`,
  gadget: `tablet*,laptop*,phone,phones,phone makers,headphone*,earbud*,smartwatch*,smart speaker*,camera*,console*,keyboard*,gadget*,washing machine,vacuum,television,tv set,e reader,router*,version #,operating system,wearable*,smart home,barista,electric bike,e bike,screen,charger*,features,app store,emoji*,thinner,unveils phone,foldable`,
  "crowd crush": `crowd crush,crush at,crush in,crush and heat,stampede,crowd surge,crush kills,die in crush`,
  "building fire": `hotel fire,nightclub fire,apartment fire,tower fire,tower block fire,factory fire,market fire,warehouse fire,gutted by fire,destroyed by fire,damaged by fire,hospital fire,school fire,shopping mall fire,mall fire,house fire,fire at,fire in,fire guts,fire destroys,fire kills,blaze at,blaze in,blaze kills,blaze guts,blaze destroys,fire tears through,fire rips,fire sweeps,gas explosion,gas blast,explosion at,fireworks factory,care home fire,dormitory fire,fire breaks out`,
  "political crisis": `constitutional crisis,political crisis,impeach*,no confidence,government collapses,government falls,coalition collapses,coalition falls,barred from,barred from running,banned from running,disputed election,contested election,election annulled,annuls election,election postponed,suspends parliament,dissolves parliament,refuses to sign,refuses to step down,refuses to concede,opposition leader arrested,opposition leader jailed,state of emergency,shutdown looms,government shutdown,
    resigns amid,quits amid,resigns over,resigns after,deadlock,caretaker government,snap election called,ousts president,ousts prime minister,power vacuum,vote rigging,electoral fraud,shots at candidate,
    loses confidence vote,loses vote of confidence,confidence vote lost,government toppled,government ousted,no confidence vote,quits over,steps down over,resigns over scandal,president impeached,post election unrest,election result rejected,ballot boxes stolen,lawmakers brawl,brawl in parliament,hung parliament,emergency powers,bans opposition,opposition banned,party banned,bans party`,
  politics: `parliament*,election*,vote,votes,voter*,voting,poll,polls,ballot*,referendum,president,presidential,prime minister,premier,cabinet,minister*,senate,
    senator*,congress,lawmaker*,assembly,government,coalition,opposition,ruling party,party,mayor,governor,legislat*,bill,constitution*,king,queen,prince,
    monarch*,census,citizenship,reshuffle*,inaugurat*,sworn in,swears in,chancellor,speaker,city council,council,municipal,candidate*,recount,political,
    policy,school*,education,university,immigration,migrants,asylum,church,pope,bishop*,teachers pay,nationality,housing,state funeral,refugee*,
    election campaign`,
  sport: `striker,goalkeeper,keeper,midfielder,winger,defender,goal,goals,football,footballer*,soccer,rugby,cricket,tennis,golf,boxing,boxer,basketball,
    baseball,hockey,handball,volleyball,cycling,cyclist,darts,snooker,chess,marathon,sprinter,swimmer*,athletics,olympi*,paralympi*,medal*,world cup,
    champions league,premier league,league,derby,match,quarter final,semi final,finals,playoff*,tournament,championship*,champion*,coach,squad,rookie,
    innings,wicket*,batsman,bowler*,batters,scorer,hat trick,penalty shootout,shootout,transfer window,transfer,ajax,tour de france,grand prix,formula 1,
    qualifier,qualifying,touchdown,quarterback,home run,title race,relegat*,stadium,fans,rival club,beat,beats,thrash*,clean sheet,rally driver,referee,
    wimbledon,pitcher,teammate,dressing room,cup final,darts final,final set,cup tie,final whistle,
    goalless,penalty,penalties,free kick,hat tricks,wins title,title defence,title defense,top of table,table toppers,into third round,third round,second round,last 16,last eight,quarterfinal*,semifinal*,finals,underdog*,grandmaster,prodigy,wrestl*,judo,karate,swim,swims,rower*,rowing,skier*,skiing,skating,surfer*,surfing,jockey*,horse race,derby winner,grand slam,ryder cup,super bowl,nba,nfl,mlb,nhl,uefa,fifa,ioc,pole vault*,sprint,decathlon,gymnast*,fencer,ping pong,table tennis,bowling,pool player,opponents,crowd favourite,home crowd,locker room,substitute,own goals,injury time,extra time,kick about,fly half,scrum,try scorer,century against,test match,ashes,all rounder,paceman,spinner,seamers`,
  "work of art": `film,films,movie*,series,sequel,novel,novelist,memoir,poem*,documentary,biopic,exhibition,exhibit,musical,opera,dramatis*,dramatiz*,drama,stage play,play about,new play,miniseries,graphic novel`,
  stage: `season finale,finale,book,books,bestseller*,poet,poets,theatre,theater,ballet,concert,gig,album,song,songs,singer,band,bands,pop,pop star,pop rivals,
    rapper,rap,dj,festival,comedian,comedy,comic,actor,actress,director,podcast,museum,gallery,painting,painter,sculpt*,artist*,award,awards,oscar*,
    grammy*,statuettes,talent show,reality show,tv show,soap,sitcom,celebrit*,stars,model,fashion,catwalk,designer,box office,blockbuster,trailer,cinema,
    screenplay,radio play,game show,baking show,quiz show,viral,video,meme*,influencer,karaoke,choir,orchestra,pianist,violinist,dance,dancer*,circus,
    magician,streaming,episode*,fans of,beloved,auditions,netflix,puppet*,stand up,cast,share stage,share a stage,rock star,tv star,stars in,
    author*,fashion week,catwalks,finalist,contestant*,playwright,soprano,tenor,broadway,west end show,bollywood,hollywood star,pop song,remix,dj set,vinyl,chart topping,number one single,eurovision,talent contest,fancy dress,quizmaster,stunt,tiktok star,youtube star,vlogger*,novels,bookshop*,library,libraries,ballad*,lyrics,duet,encore,red carpet,premiere,screening,curator,portrait*,mural*,photographer*,emmy*,bafta*,tony awards,booker prize,turner prize,palme d or,box set,cliffhanger,plot twist`,
  home: `recipe*,kitchen,cook,cooking,chef,chefs,baker*,bake,cake,cakes,cookie*,pie,soup,pizza,burger*,curry,chilli,chili,garlic,onion,sauce,wine,beer,coffee,café,cafe,cafes,tea,breakfast,lunch,dinner,restaurant*,garden*,gardener*,allotment,lawn,flower*,tulip*,wardrobe,sofa,decor,furniture,toy,toys,toddler*,parents,parenting,baby boom,wedding*,bride,holiday,holidays,snaps,puppy,puppies,dog,dogs,cat,cats,kitten*,hamster*,giraffe*,panda*,penguin*,zoo,parrot*,
    hairdress*,beauty,make up,skincare,yoga,knit*,crossword*,shoppers,bargain*,black friday,sale,christmas,halloween,valentine*,horoscope*,selfie*,teenager s bedroom,office party,pub,pubs,village fete,bakery,supermarket aisle,chocolate,ice cream,perfume,shoes,dress,handbag*,picnic,beach reads,weekend,pets,goldfish,neighbour s hedge,carrot,pumpkin*,marrow,sandwich,marmalade,cheese,sourdough,cushions`,
  "looking back": `on this day,this day in,anniversary,years on,years after,years since,years later,year after the,year on,decade after,decades after,decade on,
    decades on,a decade since,decades since,decades later,decade later,century after,century on,centuries after,century since,century later,years ago,
    decades ago,century ago,remembering,remembers,remembered,remember the,commemorat*,look back,looking back,looks back,lessons of,legacy of,the legacy,
    veterans remember,veterans recall,survivors tell,survivors recall,survivors remember,recalls its,recall the,recalls the day,revisited,revisiting,
    in memoriam,history of,a history,from the archive,from the archives,years of the,in pictures from,the day that,the night that,untold story,
    what happened to,war diary,war diaries,relive*,how the war,centenary,bicentenary,half a century,eyewitness to history,left behind,retrospective,
    memorial service`,
  obituary: `obituary,obituaries,dies at,dies aged,died aged,dead at,dies peacefully,has died aged,funeral of actor,tributes to actor,life remembered`,
  "kind of text": `opinion,comment,editorial,column,op ed,analysis,explainer,explained,quiz,review,podcast,interview,profile,photo essay,in pictures,gallery of,ask the,ask a,a guide to,guide,guide to,how to,tips,five tips,five charts,five things,five ways,things to know,what to know,what you need to know,everything you need,the case for,the case against,letters,letter to,inside the,behind the scenes,a day with,a day in the life,meet the,day in the life,long read,essay,
    crossword,tested,we tried,we tested,hands on,first look,q a,newsletter,watch,fact check,how i,my life,in praise of,why i,book club,best of,the best,which,why,advice,what is,what are,who are,who is,feature,notebook,travel,a beginner s guide,beginner s guide,checklist,listen,myths,masterclass,should we,should you,can you,
    inside,meet,fifty ways,three ways,ten ways,seven ways,ten tips,three tips,seven tips,our pick*,pick of,top ten,top five,in numbers,in charts,in photos,photos,primer,cheat sheet,myth busting,cartoon,obits,agony aunt,diary,sketch,the big idea,the big read,column:,live q a,ten novels,ten books,five books,the art of,a love letter,in defence of,in defense of,viewpoint,perspective,commentary,rules for,lessons from,a short history,short history,brief history,a brief history,the secret life,the science of,the joy of`,
  "figure of speech": `killer heels,killer smile,killer recipe,killer bee,dressed to kill,life hack*,hack your,hacks for,baby boom,fever hits,goes viral,went viral,
    war of words,culture war*,star wars,cold war kids,battle of the bands,battle of the sexes,landslide victory,landslide win,in a landslide,
    landslide rookie,landslide for,wins by landslide,electoral landslide,storms into final,storm of protest,storm in a teacup,takes by storm,
    took by storm,perfect storm,brainstorm*,bombshell,drops bombshell,photobomb*,bath bomb*,box office bomb,bombs at box,sex bomb,charm offensive,
    coup for,coup de theatre,casting coup,transfer coup,pulls off coup,scores coup,major coup,quite a coup,publishing coup,steal the show,steals the show,
    stole the show,steals hearts,steal hearts,a steal,daylight robbery,on fire this season,catches fire on dance floor,sparks fly,nuclear meltdown,
    in meltdown,has meltdown,meltdown over,meltdown on,goes nuclear,nuclear family,nuclear option,time bomb,explosive start,explosive form,
    explosive memoir,explosion of colour,explosion of flavour,avalanche of,flood of,floods of tears,deluge of,tsunami of,tidal wave of,
    earthquake in fashion,political earthquake,political tsunami,seismic shift,epidemic of loneliness,epidemic of,contagious laugh,crash diet,
    crash course,gatecrash*,crash out,crashes out,crash the party,crashes wedding,crashes party,sinks rivals,sinking feeling,buried in paperwork,
    blitz through,army of fans,army of volunteers,guerrilla gardening,guerrilla knitting,rebel with,style rebel,riot of colour,riot of,online riot,
    run riot,runs riot,laugh riot,hostage to fortune,held hostage by weather,sniper s alley,photo shoot,shoots to top,shoot to fame,shoot out,
    penalty shootout,trigger happy,murder on the dancefloor,murdered that,murders song,murder ballad,murder mystery,crime against fashion,fashion police,
    fashion crime,fashion crimes,crimes against,grammar police,highway robbery,smoking gun,silver bullet,dodges bullet,bite the bullet,faithful executed,
    toxic relationship,toxic masculinity,toxic boss,poisoned chalice,poison pen,lightning fast,lightning start,whirlwind romance,whirlwind tour,
    heat of battle,battle for title,title battle,battle of wits,battle against bulge,battle against weeds,ratings battle,uphill battle,losing battle,
    ratings war,streaming war*,burger war*,pizza war*,cola war*,chip shop war,war on weeds,war on slugs,war on clutter,war on waistlines,declares war on litter,declares war on potholes,declares war on weeds,declares war on plastic,declares war on sugar,declares war on slugs,declares war on rats,declares war on spam,declare war on obesity,war on drugs,war on plastic,war on sugar,at war over,at war with the weeds,turf war over,tug of war,civil war over hedge,call a ceasefire,calls a ceasefire,
    truce in feud,pop feud,under siege from fans,besieged by fans,invades privacy,invasion of privacy,pitch invasion,british invasion,space invaders,
    invaded by tourists,tourist invasion,ambushed with cake,ambush marketing,blackout curtains,striker s drought,goal drought,goalscoring drought,
    trophy drought,title drought,ends drought,drought ends,try drought,win drought,wicket drought,runs drought,attack of the,heart attack on a plate,
    panic attack,attack minded,attack trio,counter attack goal,striking distance,lucky strike,strikes gold,strikes a chord,strike gold,late strike,
    early strike,strike partner,winning strike,stunning strike,strike wins,strike seals,thunderbolt from,fires home,fires hat trick,bulls eye,
    take no prisoners,kills joy,killjoy,buzzkill,kills romance,kill time,killing time,killing it,dead heat,dead end,dead tired,dead ringer,dead centre,
    drop dead gorgeous,die hard,die hards,to die for,died laughing,dying for,dying art,death by chocolate,slow death,death metal,over my dead,monster hit,
    smash hit,hit parade,blast from the past,having a blast,has a blast,full blast,blast off,bomb cyclone of,ghost town,catastrophe in kitchen,
    disaster for fashion,recipe for disaster,disaster strikes kitchen,culinary disaster,fashion disaster,date disaster,fire sale,sparks joy,ring of fire,
    melts hearts,melt hearts,virus of negativity,bug bears,earworm,house of horrors,train wreck,car crash tv,car crash interview,crashes computer,
    political football,own goal,knockout blow,punches above,bloodbath at box,massacre on pitch,slaughter* by,slaughters opponents,annihilat*,thrashing,
    demolition derby,storm in parliament,storm over holiday,storms to victory,storms to title,storms to win,storms past,drowning in debt,
    drowning in emails,shoots for stars,
    under siege from,burger war heats,tourists invade,invade village,invade catwalk,invade gardens,murders a,crushes champion,crushes rivals,crush on,have a crush,girl crush,candy crush,declares war on weeds,war on plastic toys,battle over parking,battle of bake,bitter feud,attack of nerves,attack of giggles,invasion of cats,invade wardrobe*,invade high street,explosive derby,explosive finale,explosive duel,nuclear row,hostage to,kidnapped by cartoon,killer serve,killer punch,killer instinct,killer pass,killer app for cooks,killer soup,killer abs,killer dress,killer look,killer sudoku,killer queen,gunning for,guns for,shot in arm,long shot,shot at title,shoots down rumours,trigger warning,bulletproof fashion,bombed on stage,bombs on stage,bombs with critics,bombed with critics`,
  "figure of trade": `price war*,bidding war*,talent war*,war for talent,currency war*,supermarket war*,fare war*,discount war*,price battle*,takeover battle,proxy battle,boardroom coup,boardroom battle,boardroom war,hostile bid,poison pill,nuclear option for banks,killer app for banks,cash burn,price explosion,bull run,
    grocers burger war,burger war*,coffee war*,beer war*,wage war with rivals,delivery war*,toy war*,battle for shoppers,battle for customers,battle for control of,war for customers,war for shoppers,milk war*,airline fare war*`,
  "figure of tech": `killer feature*,killer app*,browser war*,console war*,format war*,chip war*,phone war*,phone makers at war,platform war*,app war*,screen of death,blue screen of death,death of the password,growth hack*,hackathon*,exploding phones sales,smartphone war*,streaming device war,cloud war*,ai arms race,arms race in ai,robot army,robot invasion,robot uprising,rise of the robots,code red at,war over the notch,
    gamers at war,console fans at war,coders at war,developers at war,emoji war*,charger war*,battle of phones,battle of smartphones,search war*,streaming tech war,editor war*,video format war`,
  denial: `denies,deny,denied reports,denied that,denying,rules out,rule out,ruled out,ruling out,no evidence,finds no,find no,found no,false alarm*,hoax*,
    fake news,debunk*,unfounded,baseless,untrue,not true,rumour false,rumors false,false report*,called off,calls off,call off,cancelled hours before,
    averted,averts,avert,averting,all clear,lifted,lifts,lift,stand down,stands down,is over,outbreak over,declared over,end of outbreak,emergency ends,
    ends emergency,declares end,declared free of,ebola free,polio free,free of,drill,drills simulate*,simulates,simulate,simulated,simulation,rehears*,
    practise,practises,practice evacuation,exercise tests,tests readiness,mock,dry run,as a test,sent in error,sent by mistake,by mistake,issued in error,
    controlled explosion,controlled blast,controlled demolition,was training,was exercise,training exercise,was drill,was a,was steam,were fireworks,
    was firework*,turns out,turned out,contained,under control,downgraded,lowered,lower alert,eased,eases alert,withdrawn,withdraws threat,reopens after,
    reopen after,returned to normal,back to normal,restored after,power restored,service restored,safe to drink,safe after,found safe,found alive,
    passes off peacefully,passed off peacefully,peacefully,no threat,no danger,no risk,no need,no plan*,not planning,no sign*,no trace,no link,
    no contamination,no leak,no radiation,no release,no bomb,no explosives,no new cases,no new,no attack,no breach,no data taken,no data lost,data safe,
    no outbreak,no coup,no invasion,no troops,no recession,no default,no recount,no arrests,no strike,no shortage,no cyberattack,no hack,no foul play,
    not terrorism,not terror*,not linked,not a terror*,not attack,not a bomb,not contagious,not bird flu,not ebola,test negative,tests negative,
    tested negative,negative for,cleared of,court clears,clears man,clears two,cleared,drops charges,charges dropped,acquit*,exonerat*,rejects claim*,
    reject claim*,rejects report*,dismisses report*,dismisses claim*,dismisses rumours,dismisses talk,dismisses fears,scotches rumours,quashes rumours,
    plays down,subsides,recedes,receding,abates,weakens to,fizzles,misses coast,spares,passes without,steers clear,holds back flood,defused,
    disarmed safely,made safe,deescalat*,stood down,suspended strike,strike suspended,strike averted,strike ends,ends strike,end strike,end of strike,
    end bus,to end strike,suspend strike,peaceful march,registered march,resolved,evacuation order lifted,residents return,planned refuelling,
    planned maintenance,scheduled maintenance,scheduled test,siren test,test of sirens,warning system test,warning test,strike called off,
    fire is contained,fire contained,fires contained,
    cancelled after,canceled after,alert cancelled,alert canceled,warning cancelled,warning canceled,warning withdrawn,alert lifted,alert ends,planned detonation,planned explosion,planned blast,planned demolition,untrue,rumours untrue,was false,proved false,prank,prank call,misread,malfunction triggered,wrongly,mistaken for,mistook,mistaken,nothing found,nothing suspicious,harmless,not dangerous,not a threat,unlikely,no breach,refutes,refuted,disputes claim*,rebuts,deny plan*,denies plan*,denies attack*,denies strike*,test of alert,tabletop exercise,stage drill,stages drill,hold drill,holds drill,practice drill,evacuation drill,fire drill,earthquake drill,exercise simulates,returns to service,back online,back in service,reopened`,
  harmless: `no injuries,no casualties,no one hurt,no one injured,nobody hurt,nobody injured,nobody was hurt,none hurt,no deaths,no damage,no major damage,no one killed,all survive,survive as,survive after,survive crash,all on board survive,unharmed,unhurt,without injury,escape unhurt,escapes unhurt,walk away,walks away,all safe,crew safe,crews safe,passengers safe,lands safely,landed safely,all rescued,all crew rescued,everyone safe,empty field,open sea,hurts nobody,hurt nobody,no victims,no fatalities`,
  orderly: `report,reports,published,publishes,publish,study,survey,statistics,figures show,data show,data shows,census,review of,final report,annual report,plan,plans,planned,proposal,proposes,propose*,draft,drafts,bill,law,laws,act,approve,approves,approved,approval,passes,pass,adopts,adopt,endorse*,consultation,guidelines,strategy,licence,license,permit*,to build,to open,opens,reopens,inaugurates,last year,last season,last month s,by 2030,from 2030,by 2035,by 2040,by 2050,from 2027,from 2028,appoint*,names,named,elects,campaign,
    ceremony,training course,budget,fund for,funding,pledge*,grant,conference,forum,registers,catalogue,inspect*,watchdog,auditor*,regulator*,hand in,hearing,inquiry finds,inquiry opens,tender,contract,orders new,to buy,buys,purchase*,first female,renew*,extends,resume,resumes,reopening,restoration,target,targets,goal of,commission,committee,council approves,tests begin,trials begin,drills with,joint drills,annual drills,exercise with,exercises with,begin exercise*,hold exercise*,holds exercise*`,
  death: `kill,kills,killed,killing,killings,dead,die,dies,died,dying,death,deaths,death toll,toll,bodies,body,fatal,fatally,fatalities,lives,perish*,drown,drowned,drowns,casualties,slain,victims,massacre*,behead*,corpses,lose their lives,lost their lives,feared dead,presumed dead,deadly,shot dead,gunned down,slaughtered,pulled from,fatality,burned to death,deadliest,executed,gunman kills*,strike kills,strikes kill,bomb kills,fire kills,blaze kills,militants kill*,jihadists kill*,gunmen kill*,shooting kills,gangs kill*,gang kills,extremists kill*,islamists kill*,clashes kill,drone kills,crush kills,die in crush,opposition rally kills,protesters killed,demonstrators killed,kill protesters,kills protesters,protesters shot dead`,
  struck: `strikes,strike off,hits,hit,slams,slam,makes landfall,made landfall,landfall,batter*,pounds,pummel*,ravage*,tears through,tore through,sweeps,swept,devastat*,flattens,flattened,lashes,rips,ripped,buries,buried,engulf*,swallow*,barrels,rocks,shakes,jolts,roars,wreaks,submerge*,inundate*,crashes into,smashes,destroys,destroyed,levels,wipes out,cuts off`,
  accident: `fire,on fire,catches fire,blast,blasts,explosion*,explodes,exploded,explode,blows up,leak,leaks,leaked,leaking,release,releases,released,melt,melts,melted,meltdown,melting,core melts,detonat*,evacuated,evacuation,evacuated over,escape,escapes,escaped,cloud over,gas cloud,radiation leak,radiation released,radioactive release,radioactive cloud,dropped on,launched at,used against,used on,sends cloud,collapses,ruptures,rupture,set off,sets off,accident,disaster,spreads over,isolated,blaze,burns,hit by missile,hit by shell*`,
  emergency: `evacuat*,emergency declared,declares emergency,declare emergency,state of emergency,emergency as,emergency over,flee,fled homes,flees,fleeing,missing,injured,wounded,injures,wounds,hurt,stranded,trapped,displac*,shuts schools,closes schools,close schools,schools shut,blast,explosion*,explodes,crisis,collapses,collapse,seize,seized,seizes,shuts down,unsafe,on high alert,red alert,warning issued,threatens,chaos,disrupt*,postpones surgery,shut off,attack,attacks,attacked,clash,clashes,rescued from,intercepted`,
  "national scale": `national,national scale,nationwide,nation,country,countrywide,government,ministries,ministry,treasury,grid,power grid,trains,railways,airports,hospitals,health service,health system,banks and,banks,national emergency,parliament,electricity,water supply,across country,state services,central bank,emergency services,payment system`,
  crippled: `cripples,cripple,crippled,knocks out,knock out,knocked out,halts,halt,halted,shuts,shut down,shuts down,paralyses,paralyzes,paralyse,paralysed,paralyzed,brings down,brought down,takes down,plunges,disables,disabled,freezes,wipes,black out,blacks out,grinds to a halt,collapse,collapses`,
  animal: `fish,fishes,bees,birds,cattle,hens,poultry,chickens,ducks,seals,whales,dolphins,turtles,trees,sheep,cows,pigs,deer,coral,seabirds,livestock,trout,salmon,crops,otters,puffins,sea lions,horses,camels,elephants,vultures,herds`,
  worker: `union,unions,workers,drivers,teachers,doctors,nurses,pilots,dockers,miners,pay,staff,crew,train,trains,bus,airport,rail,metro,walkout,strikers,firefighters,postal,civil servants,cleaners,bin,ports,schools,lecturers,cabin,baggage,truckers,stevedores`,
  "no class": `6g trials,field trials,trial run,free trial,trial flight,time trial,time trials,trial by,trial balloon,war film,war films,war memorial,war museum,fire service,fire chief,fire brigade,firefighters,police academy,peace prize,death star,security forces,air traffic controllers,price fall,world bank,bank holiday,blood bank,food bank,food banks,river bank,west bank,left bank,power station play,space heater,stock cube*,chicken stock,christmas market,world war,cold war,trade unions congress,european union,african union,soviet union,student union,civil union,rugby union,press release,new release,album release,releases album,releases single,film release,crude awakening,to march,in march,by march,since march,from march,until march,of march,march #,
    market town,local school,flat share,oil painting,oil paintings,virgin oil,olive oil,drug store,bright star,rock star,rock stars,press conference,news conference,interest in,film studio,party leader,party conference,security service,play a role,play down,play off,plays role,concert hall,strike a balance,strike deal,strikes deal,strike a deal,strikes a deal,strike pact,strike accord,oil worker*,oil workers,fire fighters,battle creek,conflict of interest,art of war,show of force,star witness,crash barrier,crash test*,states that,field hospital,
    shot put,head of state,record number,police station,field marshal,drop off,coach station,bus station,train station,space station,sleep in,as they sleep,in their sleep,
    trial finds,drug trial,drug trials,vaccine trial,vaccine trials,medical trial,trial of vaccine,trial of drug,trial of new drug,trial shows,shock result,shock win,shock defeat,heart attack,heart attacks,asthma attack*,panic attack*,under attack from critics`,
};

export const spanishWords: WordsByClass = {
  invasion: "invade,invaden,invadio,invasion,declara la guerra,declaran la guerra,declaracion de guerra,guerra abierta",
  genocide: "genocidio,limpieza etnica",
  "mass weapon":
    "armas quimicas,arma quimica,ataque quimico,gas sarin,bomba sucia,gas nervioso,arma biologica,armas biologicas",
  fighting:
    "bombarde*,ataque aereo,ataques aereos,combate,combates,ofensiva,artilleria,misil impacta,drones atacan,ataque con drones,ataque con misiles,enfrentamientos armados,asedio,emboscada,proyectiles,bombas caen,frente de batalla,batalla por",
  "armed tension":
    "violacion del alto el fuego,violacion de la tregua,rompe la tregua,rompen la tregua,escaramuza*,tension en la frontera,intercambio de disparos,movilizacion militar",
  "armed party":
    "rebelde*,guerrilla*,guerriller*,milicia*,insurgent*,alto el fuego,tregua,guerra,disidencias,disidentes,eln,farc,paramilitar*,faccion*,separatista*,desmoviliz*,conflicto",
  "terror attack":
    "atentado,atentados,atentado suicida,coche bomba,carro bomba,terrorista suicida,toma de rehenes,rehenes,ataque terrorista,ataque yihadista,explota bomba,bomba estalla,hombres armados irrumpen,decapita*,atropello masivo,secuestran a alumnos",
  "terror plot":
    "celula yihadista,celula terrorista,complot,plan terrorista,explosivos hallados,amenaza de bomba,desarticula celula,presuntos yihadistas",
  "terror group": "terrorista*,terrorismo,yihadista*,extremista*,estado islamico,al qaeda,boko haram",
  gunmen: "hombres armados,pistoleros,encapuchados",
  coup: "golpe de estado,golpe militar,militares toman el poder,ejercito toma el poder,toman el poder,ley marcial,golpistas,asonada,cuartelazo,junta militar asume,militares detienen al presidente",
  "military move":
    "prueba de misil*,ensayo de misil*,lanza misil*,dispara misil*,despliega tropas,despliegue de tropas,envia tropas,refuerza la frontera,despliega buques,violacion del espacio aereo,accidente de avion militar,helicoptero militar,misil balistico,desplegara soldados,moviliza tropas,despliega soldados",
  "armed forces":
    "ejercito,armada,fuerza aerea,militar,militares,soldado*,tropas,maniobras,ejercicios militares,ejercicio militar,ministerio de defensa,fragata*,submarino*,cazas,aviones de combate,misil,misiles,armamento,servicio militar,defensa,fuerzas armadas,otan",
  crackdown:
    "disparan contra manifestantes,dispara contra manifestantes,abren fuego contra manifestantes,abre fuego contra manifestantes,disparan a manifestantes,disparan contra la multitud,manifestantes muertos,muertos en protestas,muertos en las protestas,represion deja",
  protest:
    "protesta*,manifestacion*,manifestante*,manifiest*,marcha,marchan,marchas,huelga*,huelguista*,paro nacional,paro general,paro,disturbio*,revuelta*,saqueo*,bloqueo*,bloquean,cacerolazo*,sindicato*,barricada*,gases lacrimogenos,tractorada,estallido social,concentracion",
  quake: "terremoto*,sismo*,seismo*,temblor*,replica,replicas,magnitud",
  "great storm": "huracan*,tifon*,ciclon*,tornado*,tsunami*,tormenta tropical,tormenta,dana",
  hazard:
    "inundacion*,inunda,inundan,riada*,alud,aludes,deslizamiento*,derrumbe*,avalancha*,volcan*,erupcion*,lava,incendio forestal,incendios forestales,sequia*,ola de calor,ola de frio,lluvias torrenciales,lluvias,desborda*,granizo,crecida,temporal,nevada",
  weather: "meteorolog*,lluvia,clima,nieve,calor,aemet,pronostico",
  rift: "expulsa,expulsan,expulsion,llama a consultas,retira embajador,retira a su embajador,rompe relaciones,rompen relaciones,ruptura de relaciones,fracasan las negociaciones,veto,veta,persona non grata,crisis diplomatica,cierra embajada,cierra su embajada,convoca al embajador,abandona las negociaciones,se rompen las conversaciones",
  sanctions: "sancion*,sanciones,embargo",
  diplomacy:
    "embajador*,embajada,cumbre,tratado*,dialogo,negociacion*,conversaciones,dialogos,diplomatic*,diplomacia,canciller*,acuerdo de paz,paz,ministro de exteriores,ministros de exteriores,relaciones,onu,consejo de seguridad,bilateral,visita de estado,mediacion,delegacion,cooperacion,enviado,frontera,exteriores,alto el fuego acordado,firman alto el fuego,acuerdan alto el fuego,firman tregua",
  agreement: "acuerdo,acuerdan,acuerda,firman,firma,pacto,suscriben,pactan",
  "economic shock":
    "se desploma*,desplome,quiebra,bancarrota,despid*,despido*,recorta # empleos,ere,suspension de pagos,default,impago,recesion,aranceles,arancel,devalua*,hiperinflacion,corralito,cierra fabrica,cierre de planta,caida de la bolsa,crisis economica,hundimiento,concurso de acreedores,escasez,desabastecimiento,se hunde la bolsa,rescate bancario",
  fall: "cae,caen,baja,sube,suben,pierde,se dispara",
  economy:
    "economia,economic*,bolsa,ibex,mercado*,inflacion,ipc,precios,pib,tasa de interes,tipos de interes,tasas,tasa,banco central,banco de,bce,desempleo,paro registrado,empleo,salari*,exportacion*,importacion*,comercio,beneficio*,ganancias,ventas,inversion*,fusion,opa,dolar,peso,euro,deuda,bonos,presupuesto*,impuesto*,petroleo,crudo,oro,turismo,banca,banco,trimestre,puntos basicos,superavit,deficit",
  "cyber attack":
    "ciberataque*,hacker*,hackea*,hackeo,piratas informaticos,pirateo,ransomware,robo de datos,filtracion de datos,filtran datos,fuga de datos,secuestro de datos,phishing,malware,brecha de datos,ataque informatico,virus informatico",
  "cyber topic": "ciberseguridad,contrasena*,vulnerabilidad*,ciber*",
  pandemic: "pandemia,declara la pandemia,declara pandemia,declara una pandemia",
  outbreak:
    "brote*,colera,dengue,ebola,sarampion,gripe aviar,gripe,virus,viruela,epidemia,contagio*,contagiad*,intoxica*,intoxicacion,cuarentena,malaria,fiebre amarilla,infeccion*,coronavirus,covid,legionela,salmonela,meningitis,infectad*,variante,rabia,chikungunya",
  "care in trouble":
    "retiran del mercado,retiran medicamento*,retira lote*,hospitales colapsados,desabastecimiento de medicamentos,emergencia sanitaria,hospitales saturados,falta de medicamentos,suspenden cirugias",
  health:
    "salud,hospital*,vacuna*,medicament*,farmac*,medico*,medica*,enfermer*,sanidad,sanitari*,paciente*,cancer,cirugia*,tratamiento*,oms,ensayo clinico,enfermedad*,diabetes,sueno",
  pollution:
    "derrame*,vertido*,contamina*,toxic*,aguas residuales,peces muertos,mortandad,marea negra,fuga de petroleo,calidad del aire,smog,relave*",
  environment:
    "medio ambiente,ambiental*,climatic*,emision*,especie*,biodiversidad,deforesta*,bosque*,residuos,reciclaje,plastico*,fauna,parque natural,lince*,carbono,cambio climatico,renovable*,arrecife*,tortugas,oso,lobo",
  chemical: "planta quimica,fabrica quimica,fuga de gas,gas toxico,nube toxica,cloro,amoniaco,cianuro,quimic*",
  "mass shooting": "tiroteo,tiroteo masivo,masacre*,matanza,multihomicidio,asesinan a #",
  crime:
    "asesina*,homicidi*,asesinato*,matan a,a tiros,apunala*,secuestr*,robo,roban,robaron,atraco,fraude*,estafa*,detenido*,detienen,detenidos,arrest*,cocaina,droga,drogas,narco*,contraband*,trafico de,cartel,pandilla*,mafia,violacion,feminicidio*,lavado de dinero,blanqueo,soborno*,corrupcion,extorsion*,incautan,decomisan,incauta,sicario*,banda,ladron*,hallan cuerpo,tonelada* de",
  "crime topic": "policia*,crimen,delito*,delincuen*,fiscal*,carcel,prision,preso*,investiga*",
  trial:
    "juicio,juzga*,condena*,condenan,sentencia*,absuel*,tribunal,culpable,acusad*,imputad*,fallo judicial,audiencia nacional,extradi*,anos de prision,anos de carcel,cadena perpetua,recurso,jurado",
  court: "juez,jueza,corte,corte suprema,tribunal supremo,tribunal constitucional,demanda judicial",
  "transport accident":
    "descarril*,accidente de avion,accidente aereo,avion se estrella,se estrella,accidente de tren,choque de trenes,chocan,choque,colision,naufragi*,vuelca,volco,volcadura,accidente de autobus,derrumbe de puente,colapsa puente,puente colapsa,se derrumba,cae avion,avion con,helicoptero cae,accidente,patera,cayuco,se hunde,explosion en mina,derrumbe en mina",
  outage:
    "apagon*,corte de luz,cortes de luz,sin luz,sin agua,averia*,vuelos cancelados,cancela vuelos,cierra el aeropuerto,trenes parados,interrump*,corte de energia,caos ferroviario,catenaria,cierre del aeropuerto",
  "national outage":
    "apagon nacional,apagon general,apagon masivo,todo el pais sin luz,deja sin luz a todo,pais a oscuras",
  infrastructure:
    "tren,trenes,ave,ferrocarril*,aeropuerto*,puerto,puente*,carretera*,autopista*,metro,electric*,red electrica,vuelo*,avion,aerolinea*,telecom*,presa,autobus*,linea de alta velocidad,tuneles,tunel,central electrica,obras,transporte",
  "nuclear plant": "central nuclear,planta nuclear,reactor*,nuclear",
  warhead: "ojiva*,arma nuclear,armas nucleares,bomba nuclear,misil nuclear",
  "tech trouble":
    "caida de la nube,caida mundial,caida de servicios,fallo informatico,fallo de software,caida de whatsapp,caida global,cohete explota,prohibe chatbot",
  tech: "inteligencia artificial,ia,chip,chips,software,tecnolog*,aplicacion,satelite*,espacial,cohete*,robot*,internet,digital*,startup*,algoritmo*,nasa,nube,semiconductor*,redes sociales",
  gadget:
    "movil,moviles,tableta*,portatil*,auricular*,camara,camaras,consola*,pantalla,reloj inteligente,telefono*,bateria,sistema operativo,altavoz",
  "crowd crush": "estampida,avalancha humana,aplastamiento",
  "building fire": "incendio en,incendio de,incendio,explosion de gas",
  "political crisis":
    "crisis politica,crisis constitucional,mocion de censura,destitu*,crisis de gobierno,vacancia,inhabilita*,estado de excepcion,juicio politico",
  politics:
    "congreso,senado,parlamento,elecciones,eleccion,electoral*,presidente,presidenta,gobierno,ministr*,ley,ley de,diputad*,alcalde*,partido,votacion,vota,votan,referendum,consulta popular,constitucion*,oposicion,rey,reina,coalicion,legislativ*,ayuntamiento,escuela*,universidad*,vivienda,censo,papa,gabinete",
  sport:
    "gol,goles,liga,partido de,delantero,portero,entrenador,seleccion,mundial,copa,campeon*,final,semifinal,derbi,derby,equipo,futbol,tenis,baloncesto,ciclis*,jugador*,fichaje,barca,real madrid,atletico,estadio,temporada,clasico,aficion,medalla*,olimpic*,victoria,vence,empata,golea*",
  stage:
    "pelicula*,serie,series,cine,actor,actriz,director,cantante,disco,album,cancion,concierto,festival,novela,libro,libros,teatro,museo,exposicion,premio*,oscar,goya,musical,estreno*,gira,concurso,televisi*,famos*,estrella,obra,opera,artista*,gala,escenario,taquilla,moda",
  home: "receta*,cocina,restaurante*,chef,tortilla,vino,cafe,jardin,gato*,perro*,mascota*,boda*,vacaciones,navidad,rebajas,bebe,pastel,pan,queso,sofa,zoo,tapas,huevo,patata",
  "looking back":
    "aniversario,anos despues,anos de la,anos del,anos desde,tal dia como hoy,un dia como hoy,recuerda,recuerdan,recordando,en memoria,memoria historica,conmemora*,decadas despues,decada despues,hace # anos,siglo despues,homenaje,a # anos",
  obituary:
    "muere a los,fallece a los,obituario,muere el actor,muere la actriz,fallece el actor,muere el cantante,fallece",
  "kind of text":
    "opinion,analisis,entrevista,editorial,columna,resena,guia,como,consejos,trucos,por que,claves,las claves,que es,quien es,probamos,test,fotogaleria,video,podcast,cinco,diez,los mejores,las mejores,tribuna,cronica,reportaje,critica",
  "figure of speech":
    "terremoto politico,terremoto en el vestuario,bomba en el mercado,bomba informativa,guerra de egos,tormenta en el vestuario,lluvia de goles,avalancha de,ola de,tsunami de,explosion de sabor,asalta el liderato,fusila,ataque de risa,fiebre por,fiebre del,se hace viral,viral,arrasa,guerra en la cocina,batalla de,fichaje bomba,golpe de efecto,golpe de timon,golpe en la liga,masacre en el campo,sequia goleadora",
  "figure of trade": "guerra de precios,guerra comercial entre supermercados",
  "figure of tech": "guerra de navegadores,guerra de consolas",
  denial:
    "desmiente*,desmienten,niega,niegan,descarta,descartan,falsa alarma,simulacro*,simula,falso,bulo,sin indicios,levanta*,desconvoca*,desconvocada,cancelan huelga,no hay,fin de la alerta,fin del brote,controlado,estabilizado,absuel*,desactiva*,sin riesgo,ensayo de evacuacion,rumores",
  harmless: "sin heridos,sin victimas,sin danos,ilesos,ileso,no hay heridos,sin causar danos",
  orderly:
    "informe,estudio,plan,ley,aprueba,aprueban,proyecto,presupuesto,encuesta,estadistica*,publica,inaugura*,contrato,licitacion,reforma,anuncia,consulta,prev*,abre,reabre,nombra,elige,segun el informe,anual",
  death:
    "muertos,muerto,muertas,muerta,muere,mueren,murieron,fallecid*,fallecen,victimas,mata,matan,mato,mataron,mortal,mortales,cadaveres,cuerpos,perecen,asesinados,asesinan,masacre*,vidas,ahogad*,victimas mortales,asesinan a #,matan a,homicidi*",
  struck: "sacude,golpea,azota,arrasa,toca tierra,impacta,devasta*,sepulta,destruye,castiga",
  accident: "incendio,explosion,fuga,escape,fusion,detona*,estalla,evacua*,arde,explota,accidente,libera,nube",
  emergency:
    "evacua*,emergencia,estado de emergencia,desaparecid*,herid*,atrapad*,desplazad*,alerta roja,explosion,crisis,ataque,ataca,alarma,damnificados",
  "national scale": "nacional,todo el pais,pais,gobierno,ministerio*,hospitales,trenes,aeropuertos,bancos",
  crippled: "paraliza*,colapsa*,tumba,bloquea,detiene,deja fuera",
  animal: "peces,aves,abejas,ballenas,ganado,vacas,delfines,tortugas",
};
