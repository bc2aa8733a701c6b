import type { WordsByClass } from "./threat-classes.js";

export const frenchWords: WordsByClass = {
  invasion:
    "envahit,envahissent,envahi,invasion,declare la guerre,declaration de guerre,franchit la frontiere,en guerre",
  genocide: "genocide,nettoyage ethnique",
  "mass weapon": "armes chimiques,arme chimique,attaque chimique,gaz sarin,gaz neurotoxique,bombe sale,arme biologique",
  fighting:
    "frappe aerienne,frappes aeriennes,frappes,frappe de drone,bombarde*,raid aerien,raids aeriens,combats,combat,offensive,obus,tirs d artillerie,artillerie,attaque de drones,missile frappe,embuscade*,assiege*,affrontements armes,roquettes,ligne de front",
  "armed tension":
    "violation de la treve,violation du cessez le feu,escarmouche*,tension a la frontiere,echange de tirs,tirs de sommation,mobilisation generale",
  "armed party":
    "rebelle*,milice*,cessez le feu,treve,guerre,insurges,groupes armes,groupe arme,belligerants,separatiste*,faction*,m23,casques bleus,conflit",
  "terror attack":
    "attentat*,attentat suicide,voiture piegee,prise d otages,otages,kamikaze,attaque terroriste,attaque jihadiste,attaque djihadiste,decapite*,enlevement d eleves,voiture belier,attaque au couteau,hommes armes attaquent,explosion d une bombe",
  "terror plot":
    "projet d attentat,complot,cellule terroriste,explosifs decouverts,attentat dejoue,alerte a la bombe,projet terroriste",
  "terror group":
    "terroriste*,terrorisme,jihadiste*,djihadiste*,islamiste*,etat islamique,al qaida,boko haram,extremiste*",
  coup: "coup d etat,putsch,putschiste*,loi martiale,militaires prennent le pouvoir,armee prend le pouvoir,prennent le pouvoir,prend le pouvoir,junte prend,mutinerie,officiers annoncent,soldats annoncent,mutins,dissolution du gouvernement",
  "military move":
    "envoie deux,envoie un,envoie des,deploie,depeche,tir de missile,tire un missile,essai de missile,deploie des troupes,deploie des soldats,envoie des troupes,violation de l espace aerien,renforce sa frontiere,missile balistique,crash d un avion militaire,deploiement de troupes,avions de chasse decollent,intercepte*",
  "armed forces":
    "armee,marine nationale,militaire*,soldats,soldat,troupes,exercice militaire,exercices militaires,manoeuvres,ministere des armees,defense,fregate*,sous marin*,porte avions,rafale,avion de chasse,avions de chasse,missile*,otan,service militaire,reservistes,forces armees,legion",
  crackdown:
    "tire sur la foule,tirent sur la foule,ouvre le feu sur,ouvrent le feu sur,tire sur les manifestants,tirent sur les manifestants,tirs sur des manifestants,manifestants tues,repression fait,tirs a balles reelles",
  protest:
    "debraye*,grevent,bloquees,operation escargot,rassemblement*,manifest*,greve,greves,grevistes,greviste,emeute*,cortege*,mobilisation,blocage*,bloquent,syndicat*,marche pour,marche contre,marche blanche,defile*,debrayage,pillage*,barricade*,gaz lacrymogene*,gilets jaunes,colere des agriculteurs,soulevement,preavis de greve,descendent dans la rue",
  quake: "seisme au,seismes,seisme*,tremblement de terre,secousse*,magnitude,replique",
  "great storm": "ouragan*,typhon*,cyclone*,tornade*,tsunami*,tempete",
  hazard:
    "inondation*,crue,crues,glissement de terrain,coulee de boue,eboulement,avalanche*,volcan*,eruption*,lave,incendie de foret,feu de foret,feux de foret,feux de forets,secheresse*,canicule*,orages,pluies torrentielles,intemperies,grele,vague de froid",
  weather: "meteo,pluie,neige,vigilance,meteo france,digue*,chaleur",
  rift: "heures a deux diplomates,donne 72 heures,donne 48 heures,quitter le pays,expulse,expulsent,expulsion,rappelle son ambassadeur,convoque l ambassadeur,rompt ses relations,rupture des relations,persona non grata,echec des negociations,veto,crise diplomatique,ferme son ambassade,claque la porte,gele ses relations",
  sanctions: "sanction*,embargo,gel des avoirs",
  diplomacy:
    "ambassade*,ambassadeur*,ambassadrice,sommet,traite,negociation*,pourparlers,diplomat*,diplomatie,affaires etrangeres,accord de paix,paix,mediation,onu,conseil de securite,visite d etat,dialogue,bilateral*,cooperation,emissaire,relations,g7,renouer",
  agreement: "accord,accords,signent,signe,concluent,s entendent",
  "economic shock":
    "s effondre,effondrement,chute libre,faillite,depot de bilan,liquidation,redressement judiciaire,plan social,licencie*,licenciement*,suppression de postes,suppressions de postes,supprime # postes,supprimer # postes,# postes,suppressions d emplois,defaut de paiement,recession,droits de douane,krach,devalu*,penurie*,plonge,plongent,degringole*,dette degradee,fermeture d usine,ferme son usine",
  fall: "chute,recule,bondit,flambe,grimpe,perd,baisse,hausse",
  economy:
    "emplois,usine*,smic,interet,interets,fonds,actionnaires,recettes,commerces,agroalimentaire,economie,economique*,bourse,cac 40,marche,marches,inflation,prix,pib,taux,taux directeur*,bce,banque centrale,banque de france,chomage,emploi*,salaire*,export*,import*,commerce,benefice*,chiffre d affaires,resultats,croissance,fusion,rachat,opa,dette,budget,impot*,euro,dollar,petrole,or,investissement*,entreprise*,livret a,pouvoir d achat,trimestre,banque,fiscal*,retraites",
  "cyber attack":
    "cyberattaque*,piratage*,pirate informatique,pirates informatiques,pirate*,ransomware,rancongiciel*,fuite de donnees,vol de donnees,donnees volees,hacker*,hackeurs,hameconnage,logiciel malveillant",
  "cyber topic": "cybersecurite,mot de passe,mots de passe,vulnerabilite*,faille,failles,anssi,cyber*",
  pandemic: "pandemie",
  outbreak:
    "epidemie*,cholera,rougeole,ebola,dengue,grippe aviaire,grippe,virus,variole,paludisme,contamine*,infection*,quarantaine,intoxication*,foyer,foyers,covid,coronavirus,listeria,salmonelle*,mpox,meningite,chikungunya,bronchiolite,cas de,legionellose,peste",
  "care in trouble":
    "rappel de lots,rappel de medicament*,penurie de medicaments,hopitaux satures,urgences saturees,urgences fermees,medicament retire,rupture de stock,hopitaux debordes",
  health:
    "hopital,soignants,ars,epidemiolog*,generique*,sante,hopital,hopitaux,vaccin*,medicament*,medecin*,infirmier*,infirmiere*,patients,cancer,chirurgie,oms,traitement*,maladie*,pharma*,clinique*,urgences,essai clinique,diabete,sommeil,soins",
  pollution:
    "maree noire,pollution*,pollue*,toxique*,eaux usees,deversement,fuite de petrole,qualite de l air,poissons morts,nappe,pfas,rejet*",
  environment:
    "environnement*,climat,climatique*,emission*,espece*,biodiversite,deforestation,foret,forets,dechets,plastique*,recyclage,carbone,faune,parc national,loup,loups,ours,oiseaux,abeilles,rechauffement,pesticide*,renouvelable*,corail,oceans",
  chemical:
    "usine chimique,usine de pesticides,fuite de gaz,gaz toxique,nuage toxique,chlore,ammoniac,cyanure,chimique*,seveso",
  "mass shooting": "fusillade*,tuerie*,massacre*",
  crime:
    "homme abattu,abattue,tue par balle*,coups de couteau,rixe,saisis,saisit,drogue saisie,stupefiants,meurtre*,assassin*,homicide*,abattu*,poignarde*,enlev*,vol de,vols,braquage*,cambriol*,fraude*,escroquer*,arnaque*,arrete,arretes,arrestation*,interpell*,garde a vue,cocaine,drogue*,narcotrafic*,trafic*,saisie de,tonnes de cocaine,viol,violeur,blanchiment,corruption,mafia,reglement de comptes,feminicide*,voleur*,derobe*,faussaire*,mis en examen,incendie criminel,empoisonn*,trafiquant*,coup de filet,passeurs",
  "crime topic": "police,policier*,criminel*,crime*,delinquance,prison,detenu*,parquet,enquete",
  trial:
    "proces,juge*,condamne*,acquitte*,verdict,tribunal,cour d assises,assises,jugement,reclusion,peine de prison,ans de prison,accuse de,accuse*,appel,relaxe*,perpetuite,cour d appel,extrad*,requis*,comparu*",
  court: "justice,conseil d etat,cour de cassation,plainte,conseil constitutionnel",
  "transport accident":
    "deraill*,deraille,crash,s ecrase,accident de train,accident d avion,accident de car,accident de bus,collision,naufrage*,chavire*,percute*,carambolage,s effondre un pont,effondrement d un pont,pont s effondre,accident,sortie de piste,tunnel s effondre,coule",
  outage:
    "panne,pannes,panne geante,coupure de courant,coupures de courant,coupure*,prive de courant,prives d electricite,sans electricite,trafic interrompu,interrompu,trains supprimes,vols annules,perturb*,retards,aeroport ferme,incident technique,black out",
  "national outage":
    "black out national,panne generale d electricite,pays plonge dans le noir,pays prive d electricite,dans le noir",
  infrastructure:
    "pont,ponts,periphererique,rail,voies,cables,chemin de fer,train*,tgv,sncf,ratp,metro,gare*,aeroport*,pont,ponts,autoroute*,route,routes,tunnel,port,electricite,edf,reseau electrique,tramway*,ligne a grande vitesse,ligne,vol,avion*,ferry,compagnie aerienne,transport*,fibre,canal,barrage,chantier*,helicoptere",
  "nuclear plant": "centrale nucleaire,reacteur*,nucleaire,epr,centrale",
  warhead: "ogive*,arme nucleaire,armes nucleaires,bombe atomique,bombe nucleaire",
  "tech trouble":
    "sites inaccessibles,panne geante chez,hebergeur,serveurs en panne,panne de reseau social,panne mondiale,panne informatique,panne de cloud,bug informatique,panne de service,fusee explose,explosion de la fusee,bloque le chatbot",
  tech: "velo electrique,voiture autonome,navigateur,jeu video,sonde,fusee,calculateur,intelligence artificielle,ia,puce,puces,logiciel*,technolog*,application*,satellite*,spatial*,fusee*,ariane*,robot*,internet,numerique*,start up,startup,algorithme*,reseaux sociaux,tiktok,quantique,cloud,lune,mars",
  gadget:
    "smartphone*,telephone*,tablette*,ordinateur*,casque*,ecouteurs,appareil photo,camera*,console*,ecran,montre connectee,enceinte*,aspirateur*,batterie",
  "crowd crush": "bousculade*,mouvement de foule,ecrases par la foule",
  "building fire": "incendie,explosion de gaz,incendie dans",
  "political crisis":
    "crise politique,motion de censure,destitution,chute du gouvernement,crise constitutionnelle,demissionne,gouvernement renverse,ineligib*,etat d exception",
  politics:
    "parlement,assemblee,assemblee nationale,senat,depute*,election*,electoral*,vote,votent,scrutin,president,presidente,presidentielle,gouvernement,ministre*,loi,maire*,municipales,referendum,parti,coalition,remaniement,constitution*,budget,opposition,roi,reine,legislatives,ecole*,universite*,logement,recensement,premier ministre,chancelier,pape",
  sport:
    "but,buts,ligue,ligue 1,match,finale,demi finale,coupe,champion*,entraineur,selectionneur,equipe,football,rugby,tennis,cycliste*,joueur*,attaquant,gardien de but,stade,derby,transfert*,psg,om,supporters,medaille*,olympi*,tour de france,victoire,xv de france,mondial,mercato,saison",
  stage:
    "film,films,serie,cinema,acteur,actrice,realisateur,chanteur,chanteuse,album,concert*,festival,roman,romans,livre*,theatre,musee*,exposition*,prix litteraire,oscar*,cesar,comedie*,tournee,chanson,opera,artiste*,humoriste*,jury,palme,tele realite,emission tele,mode,defile de mode,vedette*,star,stars",
  home: "recette*,cuisine,restaurant*,chef,vin,cafe,jardin*,chat,chats,chien,chiens,mariage*,vacances,noel,soldes,bebe*,gateau*,fromage*,jouet*,rayon,barbecue,boulanger*,chocolat,zoo",
  "looking back":
    "anniversaire,ans apres,ans deja,ans plus tard,il y a # ans,ce jour la,se souvient,se souviennent,souvenir*,hommage,commemor*,memoire,decennies apres,siecle apres,retour sur,# ans du,# ans de",
  obituary:
    "est mort a,s est eteint,mort de l acteur,mort de l actrice,mort du chanteur,deces de,disparition de,necrologie,mort a l age,est decede",
  "kind of text":
    "test,comparatif,on a essaye,notre avis,essai,dossier,enquete,recit,mode d emploi,idees recues,opinion,tribune,editorial,chronique,analyse,entretien,interview,portrait,reportage,critique,guide,conseils,astuces,pourquoi,comment,quel,quelle,on a teste,teste,test,nous avons teste,notre test,podcast,quiz,en images,cinq,dix,decryptage,que faire,faut il,billet,les cles",
  "figure of speech":
    "guerre des nerfs,guerre des ego,guerre des gauches,tempete dans un verre,tempete mediatique,seisme politique,seisme au,bombe du mercato,bombe sur le mercato,avalanche de,pluie de buts,tsunami de,explosion de saveurs,crise de nerfs,fait un carton,coup de theatre,fait sensation,viral*,massacre au karaoke,bataille de boules,fievre acheteuse,invasion de touristes,assassine la concurrence,raz de maree electoral",
  "figure of trade": "guerre des prix,guerre commerciale entre enseignes,bataille boursiere",
  "figure of tech": "guerre des consoles,guerre des navigateurs",
  denial:
    "dement,fausse alerte,sans lien,rouvre,de retour,leve son,levee de,dement,dementent,dementi,nie,nient,ecarte,ecarte la piste,exclut,fausse alerte,exercice,simule,simulation,aucun,aucune,pas de,leve,levee,greve levee,levent,annule,annulee,suspendue,fin de l alerte,fin de l epidemie,canular,rumeur*,infonde*,maitrise,sous controle,acquitte*,desamorce*,sans danger,retour a la normale,retablie,retabli,intox",
  harmless:
    "sans faire de blesse,sans faire de victime,aucun blesse,aucune victime,pas de blesse,pas de victime,indemne*,sains et saufs,sans degats,aucun degat",
  orderly:
    "rapport,etude,plan,loi,adopte,adoptent,approuve*,projet de loi,projet,statistiques,publie*,inaugur*,contrat,appel d offres,reforme,enquete publique,annuel,annonce,nomme,elit,prevoit,rouvre,bilan annuel,consultation,insee,vote le",
  death:
    "mort,morts,morte,mortes,tue,tues,tuent,tuant,deces,victimes,meurt,meurent,mortel*,cadavre*,corps,perissent,massacre*,noyes,decedes,bilan,coute la vie,manifestants tues,fusillade mortelle",
  struck: "frappe,touche,secoue,balaie,devaste*,ravage*,touche terre,detruit,ensevelit,emporte",
  accident: "explosion,fuite,incendie,feu,rejet,evacue*,fusion,explose,detone*,accident,en feu,nuage,s echappe,brule",
  emergency:
    "evacu*,etat d urgence,urgence,disparu*,blesse,blesses,bless*,coince*,piege*,deplaces,crise,attaque,alerte rouge,explosion,sinistres",
  "national scale": "national*,tout le pays,pays,gouvernement,ministeres,hopitaux,trains,aeroports,banques",
  crippled: "paralyse*,bloque*,met hors service,a l arret,interrompt",
  animal: "poissons,oiseaux,abeilles,baleines,moutons,vaches,bovins,dauphins,canards",
  "old war": "verdun,debarquement,normandie,algerie,dien bien phu",
  "old disaster": "malpasset,frejus,xynthia,vaison",
  "old attack": "bataclan,charlie,rue des rosiers,nice",
  "truce agreed": "accord de cessez le feu,cessez le feu signe,treve signee,cessez le feu entre en vigueur",
};

export const germanWords: WordsByClass = {
  invasion:
    "invasion,einmarsch,marschiert ein,marschieren ein,marschiert in,marschieren in,uberfallt nachbar*,erklart krieg,kriegserklarung,angriffskrieg,rucken ein",
  genocide: "volkermord,genozid,ethnische sauberung*",
  "mass weapon": "chemiewaffe*,giftgas*,giftgasangriff*,nervengas,sarin,schmutzige bombe,biowaffe*",
  fighting:
    "raketen schlagen,raketen auf,drohnen auf,schlagen in,wohnviertel,bomben auf,luftangriff*,luftschlag*,beschuss,beschiess*,artillerie*,drohnenangriff*,raketenangriff*,raketenbeschuss,gefecht*,kampfe,kampf um,offensive,belager*,front,bombardier*,bombardement,angriff auf stadt,hinterhalt,schlacht*,granaten,rakete trifft,drohne trifft,raketen treffen",
  "armed tension":
    "waffenruhe gebrochen,bruch der waffenruhe,verletzung der waffenruhe,scharmutzel,schusswechsel,grenzgefecht,mobilmachung,warnschusse,truppenaufmarsch",
  "armed party":
    "rebell*,miliz*,waffenruhe,waffenstillstand,feuerpause,krieg,burgerkrieg,aufstandisch*,separatist*,huthi*,hisbollah,hamas,kriegspartei*,konflikt",
  "terror attack":
    "anschlag,anschlage,terroranschlag*,selbstmordanschlag*,selbstmordattentat*,autobombe*,geiselnahme*,geiseln,attentat*,bombenanschlag*,messerangriff,messerattacke,amokfahrt,enthaupt*,islamisten toten,entfuhren schuler*,sprengstoffanschlag*,halten fahrgaste,drohen mit sprengung",
  "terror plot":
    "anschlagsplan*,terrorverdacht*,terrorzelle,sprengstofffund,bombendrohung*,anschlag geplant,geplanter anschlag,anschlag vereitelt,terroralarm",
  "terror group": "terror*,dschihadist*,islamist*,islamischer staat,extremist*,rechtsterror*,al kaida,boko haram",
  coup: "putsch*,militarputsch*,staatsstreich*,kriegsrecht,militar ubernimmt,armee ubernimmt,ubernimmt die macht,ubernehmen die macht,militarjunta,meuterei",
  "military move":
    "raketentest*,testet rakete*,feuert rakete*,schiesst rakete*,verlegt truppen,verlegt soldaten,truppenverlegung*,luftraumverletzung*,abfangjager,alarmrotte,kampfjet absturz,kampfjets steigen,verletzt luftraum,marinemanover vor,schickt kriegsschiff*,schickt truppen,entsendet,ballistisch*",
  "armed forces":
    "armee,bundeswehr,militar*,soldat*,truppe,truppen,manover,ubung der,kampfjet*,kriegsschiff*,fregatte*,u boot*,panzer*,rakete,raketen,verteidigungsminister*,verteidigungsministerium,verteidigungsetat,wehrpflicht,wehrdienst,rustung*,luftwaffe,marine,nato,streitkrafte,verteidigung*,drohnen,eurofighter,kaserne*,minensuchboot*,transportflugzeug der luftwaffe",
  crackdown:
    "schiesst auf demonstrant*,schiessen auf demonstrant*,schusse auf demonstrant*,feuert auf demonstrant*,eroffnet das feuer,schiesst in die menge,schiessen in die menge,demonstranten getotet,tote bei protesten",
  protest:
    "arbeitsniederlegung,legen die arbeit,lokfuhrer,bauernprotest*,protest*,demonstr*,demo,demos,streik*,warnstreik*,generalstreik,ausstand,kundgebung*,krawall*,unruhen,randale*,ausschreitung*,blockier*,blockade*,plunder*,besetz*,gewerkschaft*,aufstand,marsch,marschieren,tranengas,wasserwerfer,barrikaden,legen arbeit nieder,klimakleber,aktivisten",
  quake: "erdbeben,beben,nachbeben,seebeben,magnitude,starke",
  "great storm": "hurrikan*,taifun*,zyklon*,wirbelsturm*,tornado*,tsunami*,orkan*,tropensturm*,sturm,sturmflut*",
  hazard:
    "pegel,flutwelle,hagelsturm,schneemassen,waldbrandgefahr,uberflutungen,steinschlag,dammbruch,hochwasser*,uberschwemm*,uberflut*,flut,sturzflut*,erdrutsch*,schlammlawine*,lawine*,vulkan*,ausbruch des vulkans,lava,waldbrand*,waldbrande*,buschfeuer*,flachenbrand,durre*,hitzewelle*,unwetter*,starkregen,hagel*,kaltewelle,bergsturz,felssturz,schneesturm,schneechaos,trockenheit",
  weather: "wetter*,regen,schnee,hitze,deich*,meteorolog*,hochwasserschutz,warnsystem",
  rift: "weist russischen,weist diplomat*,konsul aus,botschafter aus,diplomaten aus,weist zwei diplomaten,weist diplomaten,diplomaten aus,ausweis* diplomat*,ausweisung,ruft botschafter,botschafter einbestellt,bestellt botschafter,bestellt ein,beziehungen abgebrochen,bricht beziehungen,gesprache gescheitert,verhandlungen gescheitert,gesprache scheitern,veto,diplomatische krise,schliesst botschaft,botschafter zuruck,kundigt vertrag,abbruch der beziehungen",
  sanctions: "sanktion*,embargo,strafmassnahmen,sanktionspaket*",
  diplomacy:
    "konsul*,grundlagenvertrag,vertrag,aussenminister*,gipfel*,gesprache,verhandlung*,botschaft*,abkommen,diplomat*,staatsbesuch,botschaft*,gipfel,gipfeltreffen,treffen,vertrag,grenzvertrag,staatsvertrag,freundschaftsvertrag,abkommen,friedensabkommen,verhandl*,gesprache,friedensgesprache,diplomat*,aussenminister*,auswartiges amt,frieden,friedens*,un sicherheitsrat,sicherheitsrat,staatsbesuch,vermittl*,beziehungen,gesandte*,delegation,uno,resolution,bilateral*,beitrittsgesprach*",
  agreement: "einigen,einigung,unterzeichn*,vereinbar*,einigt",
  "economic shock":
    "stellenabbau,streicht # stellen,entlasst,insolvenz*,pleite*,rezession,kurssturz,einbruch,zolle,strafzolle,kurzarbeit,werk schliesst,insolven*,pleite,bankrott,zahlungsunfahig*,entlass*,kundigungen,stellenabbau*,streicht # stellen,streichen # stellen,# stellen,# arbeitsplatze,# jobs,baut # stellen,stellen ab,stellenstreich*,kurssturz*,borsencrash,einbruch,bricht ein,brechen ein,sturzt ab,sturzen,absturz der,zolle,strafzolle*,rezession,staatspleite,abwert*,gewinnwarnung*,werksschliess*,schliesst werk*,kurzarbeit,exportverbot,lieferengpass*,engpass*,kurzt # stellen,kapitalflucht",
  fall: "fallt,sinkt,springt,steigt,verliert,klettert",
  economy:
    "tarif*,tarifabschluss,lohn,lohne,gehalter,discounter*,preisschlacht,umsatz,gewinn,quartal*,inflation,teuerung,zinsen,leitzins,ezb,export*,industrie,auftrage*,konjunktur,wirtschaft*,borse,dax,aktie*,handel,haushalt,steuer*,rente,fusion,ubernahme,mietpreis*,wirtschaft*,konjunktur*,borse*,dax,aktie*,aktien*,kurs,kurse,inflation*,teuerung,preise,preis,bip,leitzins*,zins*,ezb,notenbank*,zentralbank*,bundesbank,arbeitslos*,arbeitsmarkt,lohn*,lohne,tarif*,export*,import*,handel*,handelsuberschuss,gewinn*,umsatz*,quartal*,ubernahme*,fusion*,euro,dollar,olpreis*,rohol,gold,schulden*,haushalt*,steuer*,rente*,rentenreform,unternehmen,konzern*,bank,banken,milliarden,millionen,kartellamt,autozulieferer,autobauer,immobilien*,aufschwung",
  "cyber attack":
    "hacker*,erbeuten daten,daten von,datenleck*,datendiebstahl,cyberangriff*,erpressungssoftware,schadsoftware,gehackt,cyberangriff*,hacker*,hackerangriff*,gehackt*,ransomware,datenleck*,datenpanne*,datendiebstahl,erpressersoftware,schadsoftware,phishing,trojaner,cyberattacke*,daten gestohlen,ddos*,sicherheitslucke ausgenutzt",
  "cyber topic":
    "cybersicherheit,it sicherheit,passwort*,passworter,sicherheitslucke*,bsi,verschlussel*,cyber*,datenschutz",
  pandemic: "pandemie,pandemie aus",
  outbreak:
    "ausbruch,seuche*,epidemie*,cholera,masern,ebola,denguefieber,dengue,vogelgrippe,grippe*,virus,viren,infektion*,infiziert*,erkrank*,quarantane,salmonell*,corona*,covid,keim*,keime,ehec,maul und klauenseuche,schweinepest,mpox,affenpocken,tollwut,malaria,lebensmittelvergiftung*,legionellen,west nil virus",
  "care in trouble":
    "arzneimittelmangel,medikamentenmangel,ruckruf von,medikament zuruck*,kliniken uberlastet,notaufnahme geschlossen,klinik schliesst,krankenhaus schliesst,lieferengpass bei medikament*,verschieb* operationen",
  health:
    "klinik*,krankenhaus*,arzt*,arzte*,pflege*,impf*,medikament*,kasse,patienten,gesundheit*,krankenhaus*,krankenhauser,klinik*,impf*,impfstoff*,medikament*,arznei*,arzt,arzte*,pflege*,patient*,krebs*,studie zu,who,therapie*,krankenkasse*,herz*,diabetes,behandlung,operation*,schlaf,apotheke*,krankheit*,hausarzt*,demenz",
  pollution:
    "olpest,olteppich,verschmutz*,verseuch*,giftig*,gift,gulle*,gulleunfall,fischsterben,abwasser,chemieunfall,smog,feinstaub,kontamin*,umweltskandal,tote fische,ol lauft,oder katastrophe,mikroplastik,luftqualitat,olfilm",
  environment:
    "klima*,umwelt*,wolf,wolfe,wald,co2,naturschutz,artenschutz*,energiewende,umwelt*,klima*,emission*,co2*,arten*,artenschutz,wald,walder,waldsterben,naturschutz*,plastik*,mull*,recycling,nationalpark*,wolf,wolfe,bienen*,vogel,gletscher*,erneuerbare*,windkraft,treibhausgas*,erderwarmung,biber,luchs*,insekten*,moore,pestizid*",
  chemical:
    "chemiewerk*,chemiefabrik*,chemiepark,giftwolke*,chlorgas,ammoniak,gasleck,gasaustritt,zyanid,chemikalien*,chemie*",
  "mass shooting": "amoklauf*,massaker,massenschiess*,schusse in schule,schiesserei*,bluttat",
  crime:
    "heroin,kokain,sicher,festnahme*,festgenommen,razzia*,messerstecher*,erschossen,mord*,raub*,uberfall*,einbruch,betrug*,schmuggel*,schleuser*,diebe,diebstahl,tater,bande,mord,morde,mordfall*,morder,ermord*,erschoss*,erstoch*,totschlag,entfuhr*,uberfall*,raub*,rauber,raububerfall,einbruch in,einbrecher,diebstahl,dieb,diebe,betrug*,betruger*,festgenommen,festnahme*,nimmt fest,nehmen fest,verhaft*,kokain,drogen*,schmuggel*,schmuggler,schleuser*,vergewaltig*,geldwasche*,korruption*,bestechung,mafia,clan*,razzia*,falscher*,brandstift*,erpress*,leiche,messerstecher*,geldautomat*,gesprengt*,sicherstell*,gestohlen*,kunstraub,stehlen,stiehlt,gestohlen",
  "crime topic": "polizei,polizist*,kriminal*,ermittl*,staatsanwalt*,haft,gefangnis,tater,verdachtig*,straftat*,bka",
  trial:
    "prozess,prozesse,prozessauftakt,urteil,urteile,verurteil*,freispruch,freigesprochen,angeklagt*,anklage,gericht verurteilt,landgericht,lebenslang,haftstrafe*,jahre haft,jahren haft,jahre gefangnis,berufung,revision,strafgericht,vor gericht,ausgeliefert,bewahrung,schuldig",
  court: "gericht,gerichte,richter,bundesgerichtshof,bgh,klage,klagt,eugh,bundesverfassungsgericht,verfassungsgericht",
  "transport accident":
    "entgleis*,zugungluck*,flugzeugabsturz*,flugzeug abgesturzt,absturz,sturzt ab,abgesturzt,zusammenstoss*,kollision,kollidier*,busungluck*,busunfall*,unfall,unfalle,massenkarambolage,fahrungluck,fahre sinkt,fahre gesunken,schiffsungluck*,kentert*,gekentert,gesunken,brucke eingesturzt,bruckeneinsturz,einsturz,eingesturzt,notlandung,hubschrauberabsturz,grubenungluck,seilbahn*",
  outage:
    "stromausfall*,blackout,ausfall,ausfalle,ausgefallen,storung,storungen,gesperrt,sperrung*,gestrichen,flughafen gesperrt,ohne strom,netzausfall,zugausfalle,fluge gestrichen,kabelbrand,kabelschaden,zugverkehr,stellwerk*,seekabel,stillstand,bahnchaos",
  "national outage":
    "landesweiter stromausfall,landesweiter blackout,ganzes land ohne strom,land ohne strom,im dunkeln,legt land lahm",
  infrastructure:
    "bahn,bahnstrecke,brucke*,autobahn*,flughafen*,strom*,zug,zuge,s bahn,u bahn,hafen,netz*,gleise,bahn,deutsche bahn,zug,zuge,ice,strecke,bahnstrecke,bahnhof*,sanierung,brucke*,autobahn*,a1,flughafen*,flug,fluge,flugzeug*,hafen*,strom*,stromnetz,netz,kraftwerk*,strasse*,tunnel*,u bahn,s bahn,strassenbahn*,bus,busse,lufthansa,verkehr*,glasfaser,kanal,schleuse,talsperre,fahre,wasserversorgung,pipeline*,leitung*,nahverkehr,deutschlandticket",
  "nuclear plant": "atomkraftwerk*,kernkraftwerk*,akw,reaktor*,atommull*,kernenergie,atomkraft",
  warhead: "atomwaffe*,atombombe*,sprengkopf*,sprengkopfe,nuklearwaffe*",
  "tech trouble":
    "legt buchungssystem,buchungssystem lahm,cloud ausfall,server ausfall,softwarepanne,it panne,it storung,it panne,cloud ausfall,weltweiter ausfall,weltweite storung,softwarefehler,softwarepanne,rakete explodiert,dienste ausgefallen,seiten ausgefallen,satellit verloren",
  tech: "mahroboter,ki,kunstliche intelligenz,software,chip*,roboter,satellit*,rakete startet,raumfahrt,internet,app,buchungssystem,smartphone*,ki,kunstliche intelligenz,chip*,chips,software,technolog*,app,apps,satellit*,raumfahrt,weltraum*,esa,nasa,robot*,internet,digital*,startup*,start up,algorithm*,cloud,mond*,mars,halbleiter*,chatbot*,plattform*,quanten*,weltall,astronaut*,tiktok,online*",
  gadget:
    "smartphone*,handy,handys,tablet*,laptop*,notebook*,kopfhorer*,kamera*,konsole*,betriebssystem*,lautsprecher,smartwatch*,fernseher,staubsauger*,saugroboter,akku,e bike*,bildschirm*",
  "crowd crush": "massenpanik,gedrange",
  "building fire": "grossbrand,wohnungsbrand*,hausbrand,brand in,brand im,feuer in,feuer im,gasexplosion*,brand",
  "political crisis":
    "regierungskrise,koalition zerbricht,koalitionsbruch,misstrauensvotum,amtsenthebung*,verfassungskrise,rucktritt,tritt zuruck,staatskrise,regierung gesturzt,politische krise",
  politics:
    "bundestag,bundesrat,landtag*,wahl*,koalition*,kanzler*,minister*,gesetz*,partei*,regierung,bundestag*,bundesrat,landtag*,parlament*,wahl,wahlen,wahlt,wahler*,wahlkampf*,bundestagswahl,landtagswahl,kanzler*,bundeskanzler*,prasident*,regierung*,bundesregierung,minister*,koalition*,opposition*,partei*,cdu,spd,afd,fdp,grune,grunen,gesetz*,volksabstimmung,referendum,burgermeister*,abstimm*,konig,konigin,schule*,schulen,universitat*,kita*,wohnung*,migration*,asyl*,papst,abgeordnet*,innenminister*",
  sport:
    "tor,tore,bundesliga,fussball*,trainer,mannschaft*,spiel,spiele,spieler*,finale,halbfinale,pokal*,meister*,champions league,em,wm,weltmeister*,torwart,sturmer,stadion,fans,tennis,handball*,olympi*,medaille*,formel 1,bayern munchen,fc bayern,dortmund,sieg,siegt,derby,saison,transfer*,abstieg,elfmeter,biathlon,skispringen",
  stage:
    "film,filme,serie,serien,kino*,schauspieler*,regisseur*,sanger*,album,konzert*,festival,roman,romane,buch,bucher,theater*,museum*,ausstellung*,preis fur,oscar*,musical*,oper,song*,tatort,show,shows,comedy,komiker*,kunstler*,band,schlager*,bestseller*,premiere,mode,star,stars,promi*,netflix,moderator*,dschungelcamp",
  home: "rezept*,kochen,kuche,restaurant*,koch,wein,kaffee,garten*,katze*,hund,hunde,haustier*,hochzeit*,urlaub*,weihnacht*,rabatt*,baby*,kuchen,kase,brot,backen,zoo,spielzeug,grill*,bier,supermarkt*,sofa,mobel",
  "looking back":
    "vor # jahren,jahre danach,jahre nach,als der,als die,erinner*,gedenk*,jahrestag,jahrestag*,jahre danach,jahre nach,jahre spater,jahren:,vor # jahren,vor zehn jahren,vor hundert jahren,heute vor,erinner*,gedenk*,gedenken,ruckblick,jubilaum,jahrhundert nach,jahrzehnte nach,zeitzeug*,denkmal,chronik",
  obituary: "gestorben,stirbt mit,nachruf,ist tot,trauer um,verstorben",
  "kind of text":
    "im vergleich,im test,kommentar,kolumne,meinung,ratgeber,portrat,rezension,interview,so gelingt,tipps,warum,wie,was,faq,analyse,leitartikel,gastbeitrag,kommentar,meinung,analyse,interview,portrat,reportage,kolumne,ratgeber,test,im test,tipps,warum,wie,so,quiz,podcast,essay,rezension,kritik,leitartikel,gastbeitrag,was ist,das sind,funf,zehn,faktencheck,ruckblick,glosse,erklart,video,bilder",
  "figure of speech":
    "sturm im wasserglas,shitstorm,politisches erdbeben,erdbeben in der liga,lawine von,flut von,welle von,kampf um den titel,kampf gegen unkraut,krieg der sterne,rosenkrieg*,kleinkrieg*,zickenkrieg,nachbarschaftskrieg,bombenstimmung,bombenwetter,bombe geplatzt,transferbombe,transfer hammer,mordsspass,killer rezept,attacke auf die lachmuskeln,explosion der farben,geht viral,viral,torflut,tor drought,tordurre,blitzstart,amoklauf der gefuhle,kussattacke,schlammschlacht,schneeballschlacht,schlacht am buffet,kissenschlacht",
  "figure of trade": "preiskrieg*,preiskampf*,rabattschlacht*,bieterschlacht*,ubernahmeschlacht*",
  "figure of tech": "browserkrieg*,konsolenkrieg*,killerfeature*,killer app",
  denial:
    "entwarnung,dementiert,dementieren,fehlalarm,ubung,kein,keine,abgesagt,aufgehoben,bestreitet,weist zuruck,freigesprochen,unbegrundet,probealarm,wieder frei,dementiert*,bestreitet,weist zuruck,weist bericht*,schliesst aus,schliesst anschlag,ausgeschlossen,fehlalarm*,falscher alarm,entwarnung,keine hinweise,kein hinweis,kein anschlag,keine gefahr,kein,keine,ubung,probealarm*,ubt,uben,simulier*,aufgehoben,abgesagt*,abgewendet,beendet*,geloscht,unter kontrolle,entscharf*,freigesprochen,freispruch,falschmeldung*,geruchte*,wieder freigegeben,uberpruft,erfunden,warntag,stellte sich als",
  harmless:
    "keine verletzten,niemand verletzt,unverletzt,keine opfer,keine schaden,ohne verletzte,glimpflich,alle uberleben,verletzt niemand",
  orderly:
    "bericht,studie,plan,plane,gesetz,beschliesst,beschlossen,verabschied*,billigt,statistik*,zahlen,umfrage,entwurf,vertrag,auftrag,eroffn*,genehmigt,reform*,jahresbericht,veroffentlich*,beginnt mit,baut,plant,stellt vor,ernennt,jahrlich,ausschreibung,konferenz,anhorung,haushalt",
  death:
    "tote,toten,getotet,sterben,stirbt,todesopfer,leichen,ums leben,ertrunken,tote,toten,toter,tot,getotet,totet,toten,sterben,stirbt,starben,todesopfer,todlich*,leichen,opfer,ums leben,umgekommen,ertrunken,ertrinken,massaker,erschossen",
  struck: "erschuttert,trifft,treffen,zerstor*,verwust*,begrabt,wutet,fegt,erreicht kuste,uberrollt,bebt,reisst",
  accident:
    "brand,feuer,explosion*,explodier*,austritt*,ausgetreten,leck,entwichen,kernschmelze,evakuier*,unfall,brennt,detonier*,tritt aus,freigesetzt,gezundet",
  emergency:
    "evakuier*,notstand,ausnahmezustand,vermisst*,verletzt*,verletzte,verschuttet*,eingeschlossen,krise,explosion*,angriff,angegriffen,katastrophenalarm,gefluchtet,fluchten,alarmstufe,obdachlos",
  "national scale": "landesweit*,bundesweit*,ganzes land,regierung,ministerien,kliniken,zuge,flughafen,banken,behorden",
  crippled: "legt lahm,lahmgelegt,legen lahm,legt,lahm,stillgelegt",
  animal: "fische,fischsterben,vogel,bienen,wale,rinder,kuhe,schafe,huhner,enten",
};

export const portugueseWords: WordsByClass = {
  invasion: "invade,invadem,invadiu,invasao,declara guerra,declaram guerra,declaracao de guerra",
  genocide: "genocidio,limpeza etnica",
  "mass weapon": "armas quimicas,arma quimica,ataque quimico,gas sarin,gas nervoso,bomba suja,arma biologica",
  fighting:
    "ataque aereo,ataques aereos,bombarde*,bombardeio*,combates,combate,ofensiva,artilharia,ataque de drones,ataque com drones,ataque com misseis,missil atinge,misseis atingem,drones atacam,cerco,emboscada,frente de batalha,confrontos armados",
  "armed tension":
    "violacao do cessar fogo,violacao da tregua,quebra da tregua,escaramuca*,tensao na fronteira,troca de tiros na fronteira",
  "armed party":
    "rebelde*,milicia*,milicianos,guerrilha*,insurgent*,cessar fogo,tregua,guerra,separatista*,faccoes em guerra,houthi*,hezbollah,hamas,conflito",
  "terror attack":
    "atentado*,atentado suicida,homem bomba,carro bomba,reféns,refens,ataque terrorista,ataque jihadista,jihadistas atacam,jihadistas matam,terroristas atacam,insurgentes atacam aldeia,decapita*,explosao de bomba,sequestram alunos",
  "terror plot":
    "plano terrorista,celula terrorista,explosivos encontrados,ameaca de bomba,plano de atentado,conspiracao,suspeitos de terrorismo,celula neonazista,planejava atacar,planejavam atacar",
  "terror group": "terrorista*,terrorismo,jihadista*,extremista*,estado islamico,al qaeda,boko haram",
  gunmen: "homens armados,pistoleiros",
  coup: "golpe de estado,golpe militar,militares tomam o poder,exercito toma o poder,tomam o poder,lei marcial,golpistas,junta militar assume,quartelada",
  "military move":
    "teste de missil,testa missil,lanca missil,dispara missil,lanca misseis,envia tropas,envia soldados,reforca fronteira,reforca a fronteira,desloca tropas,violacao do espaco aereo,queda de caca,missil balistico,caca cai,helicoptero militar",
  "armed forces":
    "exercito,marinha,forca aerea,fab,militar,militares,soldado*,tropas,exercicio militar,exercicios militares,manobras,ministerio da defesa,fragata*,submarino*,cacas,caca,missil,misseis,defesa,forcas armadas,otan,nato,servico militar",
  crackdown:
    "atira contra manifestantes,atiram contra manifestantes,abre fogo contra manifestantes,disparam contra manifestantes,dispara sobre manifestantes,atira na multidao,manifestantes mortos,mortos em protestos,atira contra a multidao",
  protest:
    "cruzam os bracos,paralisacao,paralisam,greve*,protesto*,manifest*,passeata,protest*,manifestacao,manifestacoes,manifestante*,marcha,passeata*,greve,greves,grevista*,paralisacao,tumulto*,motim*,saque*,bloqueio*,bloqueiam,sindicato*,barricada*,gas lacrimogeneo,panelaco*,revolta,caminhoneiros bloqueiam,ocupam,quebra quebra",
  quake: "terremoto*,terramoto*,sismo*,tremor,tremores,magnitude,abalo",
  "great storm": "furacao,furacoes,tufao,ciclone*,tornado*,tsunami*,tempestade tropical,tempestade",
  hazard:
    "enchente*,deslizamento*,temporal,cheia,queimadas,seca,enchente*,inundac*,cheia,cheias,alagamento*,deslizamento*,enxurrada*,avalanche*,vulcao,erupcao,lava,incendio florestal,incendios florestais,queimada*,fogos florestais,seca,estiagem,onda de calor,temporal,temporais,chuva forte,chuvas fortes,chuvas,granizo,vendaval,desabamento de terra",
  weather: "chuva,tempo,meteorolog*,neve,calor,inmet,ipma,defesa civil",
  rift: "expulsa,expulsam,expulsao,chama embaixador,convoca embaixador,retira embaixador,rompe relacoes,rompem relacoes,veto,veta resolucao,persona non grata,crise diplomatica,fecha embaixada,fracassam as negociacoes,negociacoes fracassam,abandona negociacoes",
  sanctions: "sancoes,sancao,sanciona oficiais,embargo",
  diplomacy:
    "embaixad*,cupula,cimeira,tratado*,negociacoes,negociacao,dialogo,diplomat*,diplomacia,chanceler*,itamaraty,acordo de paz,paz,ministro das relacoes exteriores,ministro dos negocios estrangeiros,relacoes,onu,conselho de seguranca,bilateral*,visita de estado,mediacao,cooperacao,mercosul,cplp,brics,g20,enviado",
  agreement: "acordo,acordos,assinam,assina,firmam,fecham",
  "economic shock":
    "desaba,desabam,despenca*,falencia,recuperacao judicial,insolvencia,demite*,demissao,demissoes,demitidos,despede,despedimento*,corta # empregos,cortes de empregos,calote,moratoria,recessao,tarifas,tarifa,tarifaco,desvaloriza*,hiperinflacao,crise economica,fecha fabrica,fecho de fabrica,tomba,layoff,escassez,desabastecimento",
  fall: "cai,sobe,recua,salta,dispara,perde",
  economy:
    "selic,copom,ibovespa,dolar,inflacao,ipca,juros,varejo,lucro,desemprego,economia,economic*,bolsa,ibovespa,b3,mercado*,inflacao,ipca,precos,preco,pib,taxa de juro*,juros,selic,copom,banco central,bc,bce,desemprego,emprego*,salari*,exportac*,importac*,comercio,lucro*,receita,vendas,investimento*,fusao,aquisicao,dolar,real,euro,divida,orcamento,imposto*,petroleo,petrobras,ouro,minerio,trimestre,banco,bancos,balanca comercial,superavit,deficit,saldo,turismo,empresa*,soja",
  "cyber attack":
    "vazamento expoe,vazamento de dados,expoe cpfs,cpfs,dados de clientes,dados vazados,invasao hacker,sequestro de dados,ciberataque*,ataque cibernetico,ataques ciberneticos,hacker*,hackead*,invasao hacker,ransomware,vazamento de dados,vazam dados,roubo de dados,dados roubados,phishing,malware,ataque informatico,piratas informaticos,fuga de dados",
  "cyber topic": "ciberseguranca,seguranca digital,senha*,vulnerabilidade*,ciber*,lgpd",
  pandemic: "pandemia",
  outbreak:
    "surto*,colera,dengue,ebola,sarampo,gripe aviaria,gripe,virus,variola,epidemia,contagio*,infectad*,infecc*,intoxica*,quarentena,malaria,febre amarela,coronavirus,covid,meningite,mpox,metanol,chikungunya,legionella,casos de",
  "care in trouble":
    "recolhe lote*,retira do mercado,remedio recolhido,falta de medicamentos,falta de remedios,hospitais lotados,hospital lotado,uti lotada,emergencia de saude,urgencias fechadas,urgencias encerradas,hospitais saturados",
  health:
    "saude,hospita*,vacina*,medicament*,remedio*,medic*,enfermeir*,paciente*,cancer,cancro,cirurgi*,tratamento*,oms,anvisa,infarmed,sus,sns,doenca*,farmac*,diabetes,ensaio clinico,sono,utentes",
  pollution:
    "vazamento de oleo,derrame*,derramamento*,poluic*,polui,contamina*,toxic*,esgoto*,peixes mortos,mortandade,mare negra,mancha de oleo,rejeitos,qualidade do ar,mercurio",
  environment:
    "meio ambiente,ambient*,clima,climatic*,emissoes,especie*,biodiversidade,desmatamento,desflorestacao,floresta*,amazonia,residuos,reciclagem,plastico*,fauna,onca*,baleia*,carbono,cop30,renovave*,parque nacional,lince,tartaruga*,ibama",
  chemical:
    "fabrica quimica,fabrica de pesticidas,vazamento de gas,fuga de gas,gas toxico,nuvem toxica,cloro,amonia,cianeto,quimic*,barragem de rejeitos",
  "mass shooting": "massacre*,chacina*,tiroteio em escola,ataque a escola,tiroteio",
  crime:
    "apreende,apreendem,quadrilha,trafico,assalto*,prende,prendem,milicia,assassin*,homicidio*,morto a tiros,a tiros,esfaque*,sequestr*,rapto,assalto*,assalta*,roubo*,rouba*,furto*,fraude*,golpe do,golpistas do,estelionat*,burla*,preso,presos,prende,prendem,prisao de,detid*,detem,detido*,cocaina,droga*,trafico*,traficante*,narcotraf*,contraband*,estupro,violacao,lavagem de dinheiro,corrupcao,propina,milicia,faccao,pcc,mafia,apreend*,apreensao,policia federal prende,feminicidio*,quadrilha,ladrao,ladroes,operacao policial",
  "crime topic": "policia*,crime*,criminos*,delegad*,cadeia,prisao,investig*,suspeit*,gnr,psp,pj",
  trial:
    "julgamento,julga,julgado,condena*,condenado*,sentenca,absolv*,reu,reus,juri,veredicto,anos de prisao,anos de cadeia,extradi*,acusado*,acusad*,denunciado,recurso,pena de,tribunal condena",
  court: "justica,juiz,juiza,stf,supremo,tribunal,tribunal constitucional,processo,stj",
  "transport accident":
    "aviao com,cai na,cai no,queda de aviao,onibus tomba,colisao,naufragio,descarril*,queda de aviao,aviao cai,aviao com,acidente aereo,acidente de trem,acidente de comboio,acidente,colisao,colide*,batida,naufrag*,vira barco,capota*,tomba onibus,onibus cai,onibus tomba,engavetamento,ponte cai,ponte desaba,desabamento de ponte,despist*,barco vira,afunda,helicoptero cai,choque entre,elevador da gloria,sai da pista",
  outage:
    "apagao,apagoes,sem luz,sem energia,sem agua,falta de energia,falta de luz,queda de energia,corte de energia,voos cancelados,cancela voos,aeroporto fechado,fecha aeroporto,fecha o aeroporto,interrompid*,pane,avaria,comboios parados,trens parados,metro parado,interditad*",
  "national outage":
    "apagao nacional,apagao geral,apagao deixa pais,pais as escuras,pais sem luz,apagao atinge todo,inteiro as escuras,pais inteiro",
  infrastructure:
    "trem,trens,comboio*,cp,metro,aeroporto*,ponte,pontes,rodovia*,autoestrada*,estrada*,porto de,ferrovia*,onibus,autocarro*,eletric*,energia eletrica,rede eletrica,voo,voos,aviao,aviões,companhia aerea,telecom*,barragem,hidreletrica,linha de alta velocidade,tunel,transporte*,usina,balsa,ferry,obra,obras",
  "nuclear plant": "central nuclear,usina nuclear,reator*,nuclear",
  warhead: "ogiva*,arma nuclear,armas nucleares,bomba atomica,bomba nuclear",
  "tech trouble":
    "falha global,falha informatica,falha de software,queda de servicos,apagao cibernetico,sistemas fora do ar,fora do ar,foguete explode,instabilidade no,bloqueia chatbot",
  tech: "inteligencia artificial,ia,chip*,chips,software,tecnolog*,aplicativo*,satelite*,espacial,foguete*,robo,robos,internet,digital*,startup*,algoritmo*,nasa,nuvem,redes sociais,lua,marte,pix,plataforma*",
  gadget:
    "celular*,telemovel,telemoveis,smartphone*,tablet*,notebook*,fone*,camera*,console*,tela,relogio inteligente,sistema operativo,bateria,portatil",
  "crowd crush": "tumulto em show,pisoteamento,pisoteados,debandada,esmagamento",
  "building fire": "incendio em,incendio no,incendio na,incendio atinge,incendio,explosao de gas,incendio destroi",
  "political crisis":
    "crise politica,impeachment,crise constitucional,mocao de censura,queda do governo,governo cai,inelegivel,destitu*,estado de excecao,dissolve o parlamento,dissolve parlamento,demite se",
  politics:
    "camara,stf,senado,deputados,eleicao,eleicoes,congresso,senado,camara,parlamento,assembleia,assembleia da republica,eleic*,eleitor*,presidente,governo,ministr*,lei,deputad*,senador*,prefeit*,autarquicas,vereador*,partido*,votacao,voto,vota,votos,referendo,constituic*,oposicao,rei,rainha,coligacao,planalto,escola*,universidade*,habitacao,nacionalidade,governador*,reforma ministerial,legislativas,papa,censo",
  sport:
    "gol,gols,golo,golos,campeonato,jogo,jogos,final,semifinal,copa,taca,campea,campeao,treinador,tecnico,selecao,equipe,equipa,futebol,tenis,craque,atacante,avancado,goleiro,guarda redes,estadio,flamengo,palmeiras,corinthians,benfica,porto vence,sporting,libertadores,derbi,classico,brasileirao,mundial,medalha*,olimpi*,vitoria,vence,empata,transferenc*,torcida,bola,mercado da bola,lider*",
  stage:
    "filme*,serie,series,cinema,ator,atriz,diretor de cinema,cantor*,album,disco,musica,show,shows,concerto*,festival,novela,livro*,teatro,museu*,exposicao,premio*,oscar,estreia*,turne,programa de tv,famos*,estrela*,artista*,bbb,moda,peca,romance,comedia,globo de ouro,carnaval,samba",
  home: "receita*,cozinha,restaurante*,chef,vinho,cafe da manha,jardim,gato*,cachorro*,cao,caes,pet,pets,casamento*,ferias,natal,promoc*,bebe,bolo*,queijo*,pao,sofa,zoo,churrasco,brinquedo*,pastel",
  "looking back":
    "o dia em que,memoria,ha # anos,anos depois,relembra*,aniversario,anos depois,anos apos,anos do,anos da,anos desde,ha # anos,neste dia,hoje na historia,relembra*,recorda*,lembra*,homenage*,memoria de,em memoria,decadas depois,decada depois,seculo depois,comemora*,# anos de,# anos do",
  obituary:
    "morre aos,morreu aos,morre o ator,morre a atriz,morre o cantor,morre ator,morre atriz,morre cantor,obituario,falece,faleceu",
  "kind of text":
    "opiniao,analise,entrevista,editorial,coluna,critica,resenha,guia,como,dicas,por que,porque,o que,entenda,saiba,quem e,veja,testamos,teste,quiz,podcast,cinco,dez,fotos,video,artigo,perfil,cronica,reportagem,explicador",
  "figure of speech":
    "bomba no mercado,bomba no mercado da bola,terremoto politico,terramoto politico,tempestade em copo,chuva de gols,chuva de golos,avalanche de,onda de,tsunami de,explosao de sabor,guerra de egos,guerra dos sexos,batalha de,viraliza*,viral,febre do,febre dos,ataque de risos,massacre em campo,seca de gols,golpe de mestre,arrasa no,bombou,bomba da semana,mata saudades,guerra de travesseiros",
  "figure of trade": "guerra de precos",
  "figure of tech": "guerra dos consoles,guerra dos navegadores",
  denial:
    "desmente*,nega,negam,descarta*,exclui,alarme falso,falso alarme,simulacro,simulado,simula,sem indicios,falsa,falso,boato*,fake,suspende greve,greve suspensa,cancela greve,desconvocada,fim do alerta,fim do surto,controlado,dominado,sem risco,absolv*,levanta*,nao ha,desativa*,exercicio de evacuacao,treino,rumores,alerta cancelado",
  harmless: "sem feridos,sem vitimas,ilesos,ileso,sem danos,ninguem ferido,ninguem se feriu,nao deixa feridos",
  orderly:
    "relatorio,estudo,plano,lei,aprova,aprovam,projeto,orcamento,pesquisa,estatistic*,divulga,publica,inaugura*,contrato,licitacao,concurso,reforma,anuncia,consulta,preve,reabre,nomeia,elege,anual,segundo,mantem,censo",
  death:
    "nao ha sobreviventes,sem sobreviventes,mortos,morrem,morre,mortes,vitimas,mortos,morto,mortas,morta,morre,morrem,morreram,mata,matam,matou,mataram,mortes,morte,vitimas,fatal,fatais,mortal,mortais,corpos,cadaver*,obitos,vidas,massacre*,chacina*,afogad*,nao ha sobreviventes,sem sobreviventes,manifestantes mortos,jihadistas matam,morto a tiros",
  struck: "atinge,atingem,sacode,devasta*,arrasa,destroi,toca terra,soterra*,castiga,varre,deixa,deixam",
  accident:
    "incendio,explosao,vazamento,vaza,fuga,derretimento,evacua*,explode,detona*,em chamas,pega fogo,libera,liberta,nuvem,intoxica",
  emergency:
    "evacu*,emergencia,estado de emergencia,desaparecid*,ferid*,pres* em,desalojad*,desabrigad*,crise,ataque,ataca,atacam,explosao,alerta vermelho,soterrad*",
  "national scale": "nacional,todo o pais,pais,governo,ministerio*,hospitais,trens,comboios,aeroportos,bancos",
  crippled: "paralisa*,derruba,bloqueia,tira do ar,para os",
  animal: "peixes,aves,abelhas,baleias,gado,vacas,golfinhos,tartarugas",
  "old attack": "munique",
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
    "captar menores,yihadismo,adoctrin*,celula,celula yihadista,celula terrorista,complot,plan terrorista,explosivos hallados,amenaza de bomba,desarticula celula,presuntos yihadistas",
  "terror group": "terrorista*,terrorismo,yihadista*,extremista*,estado islamico,al qaeda,boko haram",
  gunmen: "hombres armados,pistoleros,encapuchados",
  coup: "militares deponen,deponen al presidente,ejercito depone,golpistas,militares derrocan,derrocan,golpe de estado,golpe militar,militares toman el poder,ejercito toma el poder,toman el poder,ley marcial,golpistas,asonada,cuartelazo,junta militar asume,militares detienen al presidente",
  "military move":
    "prueba de misil*,ensayo de misil*,lanza misil*,dispara misil*,despliega tropas,despliegue de tropas,envia tropas,refuerza la frontera,despliega buques,violacion del espacio aereo,accidente de avion militar,helicoptero militar,misil balistico,desplegara soldados,moviliza tropas,despliega soldados",
  "armed forces":
    "ejercito,armada,fuerza aerea,militar,militares,soldado*,tropas,maniobras,ejercicios militares,ejercicio militar,ministerio de defensa,fragata*,submarino*,cazas,aviones de combate,misil,misiles,armamento,servicio militar,defensa,fuerzas armadas,otan",
  crackdown:
    "enfrentamientos entre policia,enfrentamientos con la policia,choques con la policia,muertos en enfrentamientos,disparan contra manifestantes,dispara contra manifestantes,abren fuego contra manifestantes,abre fuego contra manifestantes,disparan a manifestantes,disparan contra la multitud,manifestantes muertos,muertos en protestas,muertos en las protestas,represion deja",
  protest:
    "cocalero*,piquete*,plantones,cortes de ruta,marchan,cruzan los brazos,protesta*,manifestacion*,manifestante*,manifiest*,marcha,marchan,marchas,huelga*,huelguista*,paro nacional,paro general,paro,disturbio*,revuelta*,saqueo*,bloqueo*,bloquean,cacerolazo*,sindicato*,barricada*,gases lacrimogenos,tractorada,estallido social,concentracion",
  quake: "terremoto*,sismo*,seismo*,temblor*,replica,replicas,magnitud",
  "great storm": "huracan*,tifon*,ciclon*,tornado*,tsunami*,tormenta tropical,tormenta,dana",
  hazard:
    "desbordamiento,aluvion,huaico*,granizada,marejada,inundacion*,inunda,inundan,riada*,alud,aludes,deslizamiento*,derrumbe*,avalancha*,volcan*,erupcion*,lava,incendio forestal,incendios forestales,sequia*,ola de calor,ola de frio,lluvias torrenciales,lluvias,desborda*,granizo,crecida,temporal,nevada",
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
    "salario minimo,canasta,empresas,acciones,consumo,tipo de cambio,recaudacion,aerolinea gana,economia,economic*,bolsa,ibex,mercado*,inflacion,ipc,precios,pib,tasa de interes,tipos de interes,tasas,tasa,banco central,banco de,bce,desempleo,paro registrado,empleo,salari*,exportacion*,importacion*,comercio,beneficio*,ganancias,ventas,inversion*,fusion,opa,dolar,peso,euro,deuda,bonos,presupuesto*,impuesto*,petroleo,crudo,oro,turismo,banca,banco,trimestre,puntos basicos,superavit,deficit",
  "cyber attack":
    "hackean,datos filtrados,expone datos,ciberataque*,hacker*,hackea*,hackeo,piratas informaticos,pirateo,ransomware,robo de datos,filtracion de datos,filtran datos,fuga de datos,secuestro de datos,phishing,malware,brecha de datos,ataque informatico,virus informatico",
  "cyber topic": "ciberseguridad,contrasena*,vulnerabilidad*,ciber*,robo de historiales,robo de datos",
  pandemic: "pandemia,declara la pandemia,declara pandemia,declara una pandemia",
  outbreak:
    "brote*,colera,dengue,ebola,sarampion,gripe aviar,gripe,virus,viruela,epidemia,contagio*,contagiad*,intoxica*,intoxicacion,cuarentena,malaria,fiebre amarilla,infeccion*,coronavirus,covid,legionela,salmonela,meningitis,infectad*,variante,rabia,chikungunya,mpox,viruela del mono,primer caso",
  "care in trouble":
    "retiran del mercado,retiran medicamento*,retira lote*,hospitales colapsados,desabastecimiento de medicamentos,emergencia sanitaria,hospitales saturados,falta de medicamentos,suspenden cirugias",
  health:
    "cancer,dosis,camas,uci,salud,hospital*,vacuna*,medicament*,farmac*,medico*,medica*,enfermer*,sanidad,sanitari*,paciente*,cancer,cirugia*,tratamiento*,oms,ensayo clinico,enfermedad*,diabetes,sueno",
  pollution:
    "derrame*,vertido*,contamina*,toxic*,aguas residuales,peces muertos,mortandad,marea negra,fuga de petroleo,calidad del aire,smog,relave*",
  environment:
    "medio ambiente,ambiental*,climatic*,emision*,especie*,biodiversidad,deforesta*,bosque*,residuos,reciclaje,plastico*,fauna,parque natural,lince*,carbono,cambio climatico,renovable*,arrecife*,tortugas,oso,lobo",
  chemical: "planta quimica,fabrica quimica,fuga de gas,gas toxico,nube toxica,cloro,amoniaco,cianuro,quimic*",
  "mass shooting": "tiroteo,tiroteo masivo,masacre*,matanza,multihomicidio,asesinan a #",
  crime:
    "sicarios,abatido*,balean,balacera,capturan,captura,cae banda,asesina*,homicidi*,asesinato*,matan a,a tiros,apunala*,secuestr*,robo,roban,robaron,atraco,fraude*,estafa*,detenido*,detienen,detenidos,arrest*,cocaina,droga,drogas,narco*,contraband*,trafico de,cartel,pandilla*,mafia,violacion,feminicidio*,lavado de dinero,blanqueo,soborno*,corrupcion,extorsion*,incautan,decomisan,incauta,sicario*,banda,ladron*,hallan cuerpo,tonelada* de",
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
  tech: "inteligencia artificial,ia,chip,chips,software,tecnolog*,aplicacion,satelite*,espacial,cohete*,robot*,internet,digital*,startup*,algoritmo*,nasa,nube,semiconductor*,redes sociales,asistente de voz",
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
    "decadas del,decadas de,guarda silencio,anos despues,memoria,efemerides,aniversario,anos despues,anos de la,anos del,anos desde,tal dia como hoy,un dia como hoy,recuerda,recuerdan,recordando,en memoria,memoria historica,conmemora*,decadas despues,decada despues,hace # anos,siglo despues,homenaje,a # anos",
  obituary:
    "muere a los,fallece a los,obituario,muere el actor,muere la actriz,fallece el actor,muere el cantante,fallece",
  "kind of text":
    "opinion,analisis,entrevista,editorial,columna,resena,guia,como,consejos,trucos,por que,claves,las claves,que es,quien es,probamos,test,fotogaleria,video,podcast,cinco,diez,los mejores,las mejores,tribuna,cronica,reportaje,critica",
  "figure of speech":
    "terremoto politico,terremoto en el vestuario,bomba en el mercado,bomba informativa,guerra de egos,tormenta en el vestuario,lluvia de goles,avalancha de,ola de,tsunami de,explosion de sabor,asalta el liderato,fusila,ataque de risa,fiebre por,fiebre del,se hace viral,viral,arrasa,guerra en la cocina,batalla de,fichaje bomba,golpe de efecto,golpe de timon,golpe en la liga,masacre en el campo,sequia goleadora",
  "figure of trade":
    "batalla de los,guerra de las marcas,marcas blancas,guerra de precios,guerra comercial entre supermercados",
  "figure of tech": "guerra de navegadores,guerra de consolas",
  denial:
    "desmiente,niegan,descartan,falsa alarma,desmiente*,desmienten,niega,niegan,descarta,descartan,falsa alarma,simulacro*,simula,falso,bulo,sin indicios,levanta*,desconvoca*,desconvocada,cancelan huelga,no hay,fin de la alerta,fin del brote,controlado,estabilizado,absuel*,desactiva*,sin riesgo,ensayo de evacuacion,rumores",
  harmless: "sin heridos,sin victimas,sin danos,ilesos,ileso,no hay heridos,sin causar danos",
  orderly:
    "informe,estudio,plan,ley,aprueba,aprueban,proyecto,presupuesto,encuesta,estadistica*,publica,inaugura*,contrato,licitacion,reforma,anuncia,consulta,prev*,abre,reabre,nombra,elige,segun el informe,anual",
  death:
    "muertos,muerto,muertas,muerta,muere,mueren,murieron,fallecid*,fallecen,victimas,mata,matan,mato,mataron,mortal,mortales,cadaveres,cuerpos,perecen,asesinados,asesinan,masacre*,vidas,ahogad*,victimas mortales,asesinan a #,matan a,homicidi*,no hay sobrevivientes,sin sobrevivientes,no hay supervivientes,sin supervivientes",
  struck:
    "colapsados,edificios colapsados,arrasa con,sacude,golpea,azota,arrasa,toca tierra,impacta,devasta*,sepulta,destruye,castiga",
  accident: "incendio,explosion,fuga,escape,fusion,detona*,estalla,evacua*,arde,explota,accidente,libera,nube",
  emergency:
    "evacua*,emergencia,estado de emergencia,desaparecid*,herid*,atrapad*,desplazad*,alerta roja,explosion,crisis,ataque,ataca,alarma,damnificados",
  "national scale": "nacional,todo el pais,pais,gobierno,ministerio*,hospitales,trenes,aeropuertos,bancos",
  crippled: "paraliza*,colapsa*,tumba,bloquea,detiene,deja fuera",
  animal: "peces,aves,abejas,ballenas,ganado,vacas,delfines,tortugas",
  "old attack": "atocha,11 m,hipercor",
  "old war": "normandia,desembarco,guernica,ebro,malvinas",
};
