/**
 * Wordings of simulated events, by language and kind. `{c}` is the country in that language, `{t}` a city, `{n}` a
 * whole number, `{m}` a decimal. No publisher, company or person is named. In languages that would inflect a name, the
 * name is set apart ("Chile: …"). The sentence in `note` is added to every summary.
 */
const texts: Readonly<Record<string, string>> = {
  en: `
note = This report is made up; none of it happened.
quake = Magnitude {m} earthquake strikes {c}, killing at least {n} | At least {n} dead after {m}-magnitude quake hits {t}, {c} | Earthquake of magnitude {m} in {c} leaves {n} dead
tremor = Light earthquake of magnitude {m} felt in {c}, no damage reported | {m}-magnitude tremor shakes {t} in {c} without damage
flood = Floods in {c} kill {n} and displace thousands | Flooding around {t}, {c}: {n} dead, thousands displaced | {n} killed as floods sweep through {c}
wildfire = Wildfire in {c} burns {n} homes as thousands evacuate | Thousands evacuate as wildfire near {t} in {c} destroys {n} homes
cyclone = Cyclone makes landfall in {c} with winds of {n} km/h | {c} evacuates the coast as cyclone brings winds of {n} km/h
strike = Air strike kills {n} in {c} | At least {n} killed in air strike on {t}, {c} | {c}: air strike leaves {n} dead
missiles = State of emergency in {c} after missile attack kills {n} | Missile attack on {t} kills {n}, {c} declares state of emergency | {c} under missile attack: {n} dead, emergency declared
coup = Coup in {c}: army seizes power and closes the borders | Army seizes power in {c}, president detained | Soldiers announce coup in {c} after taking {t}
clashes = Clashes between army and rebels kill {n} in {c} | {n} dead as rebels clash with army in {c} | Fighting near {t} in {c} kills {n}
bombing = Suicide bombing kills {n} at market in {c} | Bomb attack on market in {t}, {c}, kills {n} | {c}: market bombing leaves {n} dead
ceasefire = Ceasefire takes hold in {c} after {n} days of fighting | {c}: rebels and army agree ceasefire after {n} days
election = Opposition wins election in {c} with {m}% of the vote | {c} election: opposition takes {m}% of the vote | Voters in {c} hand victory to opposition with {m}%
protest = Thousands protest against government in {c}, {n} arrested | Police arrest {n} at anti-government protests in {t}, {c} | {c}: {n} arrested as protests against government grow
cabinet = Finance minister of {c} resigns over budget dispute | {c}: finance minister steps down in budget dispute
law = Parliament of {c} passes law on pensions by {n} votes | Pension law passes in {c} with majority of {n} votes
talks = Peace talks resume in {c} between government and rebels | Government of {c} and rebels return to peace talks | {c}: peace talks with rebels resume
sanctions = New sanctions against {c} take effect, {n} companies listed | {n} companies listed in new sanctions on {c}
envoy = {c} recalls ambassador in row over fishing rights | Fishing row: {c} recalls its ambassador
rates = Central bank of {c} raises interest rate to {m}% | {c} raises interest rates to {m}% to curb inflation | Interest rate in {c} goes up to {m}%
inflation = Inflation in {c} rises to {m}%, highest in three years | Consumer prices in {c} up {m}% in a year | {c}: inflation climbs to {m}%
growth = Economy of {c} grows {m}% in third quarter | {c} reports growth of {m}% for third quarter
stocks = Shares in {c} fall {m}% in worst day this year | Stock market of {c} loses {m}% | {c} stocks slide {m}% on growth fears
currency = Currency of {c} falls {m}% against the dollar | {c}: currency slides {m}% to record low against dollar
bonds = Yield on ten-year bonds of {c} rises to {m}% | Ten-year bond yield of {c} at {m}% after auction
funds = Pension fund of {c} shifts {n} billion dollars into infrastructure | {c}: pension fund puts {n} billion dollars into infrastructure
regulator = Regulator in {c} fines {n} brokers over derivatives reporting | {n} brokers fined in {c} for late derivatives reports
oil = Oil output of {c} drops {m}% after pipeline leak | Pipeline leak cuts oil production of {c} by {m}%
gold = Gold mine in {c} reports output up {m}% | {c}: gold output rises {m}% at largest mine
copper = Strike halts copper mine in {c}, {n} workers walk out | {n} workers walk out at copper mine in {c}
lithium = Lithium export rules tightened in {c}, price up {m}% | Lithium price up {m}% as {c} tightens export rules
freight = Port of {c} blocked, {n} container ships waiting | {n} container ships wait outside blocked port in {c}
blackout = Blackout leaves {n} million people without power in {c} | Power outage in {c} hits {n} million people | {c}: grid failure cuts power to {n} million
solar = {c} opens solar park of {n} megawatts | Solar park with {n} megawatts goes online in {c}
outbreak = Cholera outbreak in {c}: {n} cases confirmed | {n} cases confirmed in cholera outbreak in {c} | {c} reports {n} cholera cases as outbreak spreads
vaccine = Malaria vaccine reaches {n} districts of {c} | {c} extends malaria vaccine to {n} districts
ai = {c} proposes law on artificial intelligence | Artificial intelligence law proposed in {c} | {c} to regulate artificial intelligence with new law
model = Laboratory in {c} releases open language model with {n} billion parameters | Open language model with {n} billion parameters comes from {c}
chips = Chip factory in {c} starts production on {n} nanometres | {n}-nanometre chip production begins in {c}
outage = Cloud outage in {c} takes services offline for {n} hours | {n}-hour cloud outage hits services in {c}
toolkit = Release {m} of open-source compiler toolkit comes from {c} | Compiler toolkit from {c} reaches release {m}
breach = Ransomware attack on hospitals in {c} exposes {n} thousand records | Hackers expose {n} thousand patient records in {c}
layoffs = Software maker in {c} lays off {n} employees | {n} jobs cut at software maker in {c}
funding = Battery startup in {c} raises {n} million dollars | {c}: battery startup secures {n} million dollars
listing = Payments firm from {c} plans stock listing worth {n} million dollars | {c} payments firm to list shares for {n} million dollars
crypto = {c} licenses {n} crypto exchanges under new rules | {n} crypto exchanges licensed in {c}
telescope = Astronomers in {c} find planet {n} light years away | Planet {n} light years away found by telescope in {c}
fossil = Fossil found in {c} is {n} million years old | {n}-million-year-old fossil discovered in {c}
species = Rare bird returns to wetlands of {c} after {n} years | After {n} years, rare bird is back in {c}
forest = Volunteers plant {n} thousand trees in {c} | {c}: volunteers plant {n} thousand trees in a day
clinic = Village in {c} opens clinic built by {n} neighbours | {n} neighbours build a clinic for their village in {c}`,
  ar: `
note = هذا الخبر مختلق ولم يحدث شيء منه.
quake = {c}: زلزال بقوة {m} درجات يودي بحياة {n} شخصا | مقتل {n} في زلزال بقوة {m} يضرب {c}
flood = {c}: الفيضانات تودي بحياة {n} وتشرد الآلاف | فيضانات في {c} تخلف {n} قتيلا
strike = {c}: غارة جوية تقتل {n} شخصا | مقتل {n} في غارة جوية على {c}
election = {c}: المعارضة تفوز بالانتخابات بنسبة {m}٪ | فوز المعارضة في انتخابات {c} بنسبة {m}٪
protest = {c}: آلاف يتظاهرون ضد الحكومة واعتقال {n} | اعتقال {n} في احتجاجات ضد الحكومة في {c}
talks = {c}: استئناف محادثات السلام بين الحكومة والمتمردين | الحكومة والمتمردون يستأنفون محادثات السلام في {c}
rates = {c}: البنك المركزي يرفع سعر الفائدة إلى {m}٪ | رفع سعر الفائدة في {c} إلى {m}٪
stocks = {c}: الأسهم تهبط {m}٪ في أسوأ يوم هذا العام | هبوط الأسهم في {c} بنسبة {m}٪
outbreak = {c}: تفشي الكوليرا وتسجيل {n} إصابة | تسجيل {n} إصابة بالكوليرا في {c}
ai = {c}: قانون جديد لتنظيم الذكاء الاصطناعي | مشروع قانون للذكاء الاصطناعي في {c}`,
  bg: `
note = Новината е измислена; нищо от това не се е случило.
quake = {c}: земетресение с магнитуд {m}, поне {n} загинали | Земетресение от {m} по Рихтер в {c}, {n} жертви
flood = {c}: наводнения взеха {n} жертви, хиляди са евакуирани | Наводнения в {c}: {n} загинали
strike = {c}: въздушен удар уби {n} души | Поне {n} убити при въздушен удар в {c}
election = {c}: опозицията печели изборите с {m}% | Избори в {c}: опозицията с {m}% от гласовете
protest = {c}: хиляди на протест срещу правителството, {n} арестувани | Протести в {c}: {n} арестувани
talks = {c}: правителството и бунтовниците подновяват мирните преговори | Мирните преговори в {c} се подновяват
rates = {c}: централната банка вдигна лихвата на {m}% | Централната банка на {c} повиши лихвата до {m}%
stocks = {c}: борсата падна с {m}% в най-лошия ден за годината | Акциите в {c} поевтиняха с {m}%
outbreak = {c}: огнище на холера с {n} потвърдени случая | Холера в {c}: {n} случая
ai = {c}: нов закон за изкуствения интелект | Закон за изкуствения интелект готвят в {c}`,
  cs: `
note = Zpráva je smyšlená; nic z toho se nestalo.
quake = {c}: zemětřesení o síle {m} má nejméně {n} obětí | Zemětřesení o síle {m}, nejméně {n} mrtvých – {c}
flood = {c}: povodně mají {n} obětí, tisíce lidí bez domova | Povodně: {n} mrtvých a tisíce evakuovaných – {c}
strike = {c}: při náletu zahynulo {n} lidí | Nálet zabil nejméně {n} lidí – {c}
election = {c}: opozice vyhrála volby s {m} % hlasů | Volby: vítězí opozice s {m} % – {c}
protest = {c}: tisíce lidí protestují proti vládě, {n} zatčených | Protesty proti vládě: {n} zatčených – {c}
talks = {c}: vláda a povstalci obnovili mírové rozhovory | Mírové rozhovory s povstalci pokračují – {c}
rates = {c}: centrální banka zvýšila sazby na {m} % | Centrální banka zvyšuje úrokové sazby na {m} % – {c}
stocks = {c}: akcie klesly o {m} %, nejvíce letos | Burza ztratila {m} % – {c}
outbreak = {c}: epidemie cholery, {n} potvrzených případů | Cholera: potvrzeno {n} případů – {c}
ai = {c}: nový zákon o umělé inteligenci | Zákon o umělé inteligenci míří do parlamentu – {c}`,
  de: `
note = Diese Meldung ist erfunden; nichts davon ist geschehen.
quake = {c}: Erdbeben der Stärke {m} fordert mindestens {n} Tote | Mindestens {n} Tote nach Erdbeben der Stärke {m} – {c}
flood = {c}: Überschwemmungen fordern {n} Tote, Tausende obdachlos | {n} Tote bei Überschwemmungen – {c}
strike = {c}: Luftangriff tötet {n} Menschen | Mindestens {n} Tote bei Luftangriff – {c}
election = {c}: Opposition gewinnt Wahl mit {m} Prozent | Wahl: Opposition siegt mit {m} Prozent – {c}
protest = {c}: Tausende protestieren gegen die Regierung, {n} Festnahmen | {n} Festnahmen bei Protesten gegen die Regierung – {c}
talks = {c}: Regierung und Rebellen nehmen Friedensgespräche wieder auf | Friedensgespräche mit Rebellen gehen weiter – {c}
rates = {c}: Zentralbank hebt Leitzins auf {m} Prozent | Leitzins steigt auf {m} Prozent – {c}
stocks = {c}: Börse verliert {m} Prozent, schlechtester Tag des Jahres | Aktien fallen um {m} Prozent – {c}
outbreak = {c}: Cholera-Ausbruch mit {n} bestätigten Fällen | {n} Cholera-Fälle bestätigt – {c}
ai = {c}: Gesetz soll künstliche Intelligenz regeln | Neues Gesetz zu künstlicher Intelligenz – {c}`,
  el: `
note = Η είδηση είναι επινοημένη· τίποτα από αυτά δεν συνέβη.
quake = {c}: σεισμός {m} βαθμών, τουλάχιστον {n} νεκροί | Σεισμός {m} Ρίχτερ με {n} νεκρούς – {c}
flood = {c}: {n} νεκροί από τις πλημμύρες, χιλιάδες εκτοπισμένοι | Φονικές πλημμύρες με {n} νεκρούς – {c}
strike = {c}: αεροπορική επιδρομή με {n} νεκρούς | Τουλάχιστον {n} νεκροί σε αεροπορική επιδρομή – {c}
election = {c}: η αντιπολίτευση κερδίζει τις εκλογές με {m}% | Εκλογές: νίκη της αντιπολίτευσης με {m}% – {c}
protest = {c}: χιλιάδες διαδηλώνουν κατά της κυβέρνησης, {n} συλλήψεις | Διαδηλώσεις κατά της κυβέρνησης, {n} συλλήψεις – {c}
talks = {c}: ξανάρχισαν οι ειρηνευτικές συνομιλίες με τους αντάρτες | Ειρηνευτικές συνομιλίες κυβέρνησης και ανταρτών – {c}
rates = {c}: η κεντρική τράπεζα αυξάνει το επιτόκιο στο {m}% | Αύξηση επιτοκίου στο {m}% – {c}
stocks = {c}: το χρηματιστήριο πέφτει {m}% | Πτώση {m}% στο χρηματιστήριο – {c}
outbreak = {c}: έξαρση χολέρας με {n} κρούσματα | Χολέρα: {n} επιβεβαιωμένα κρούσματα – {c}
ai = {c}: νόμος για την τεχνητή νοημοσύνη | Νέος νόμος για την τεχνητή νοημοσύνη – {c}`,
  es: `
note = Noticia simulada; nada de esto ha ocurrido.
quake = {c}: terremoto de magnitud {m} deja al menos {n} muertos | Un sismo de magnitud {m} causa {n} muertos en {c}
flood = {c}: las inundaciones dejan {n} muertos y miles de desplazados | Inundaciones en {c}: al menos {n} muertos
strike = {c}: un ataque aéreo deja {n} muertos | Al menos {n} muertos en un ataque aéreo en {c}
election = {c}: la oposición gana las elecciones con el {m} % de los votos | Elecciones en {c}: gana la oposición con el {m} %
protest = {c}: miles protestan contra el Gobierno y hay {n} detenidos | Protestas en {c}: {n} detenidos en marchas contra el Gobierno
talks = {c}: el Gobierno y los rebeldes reanudan las conversaciones de paz | Se reanudan las conversaciones de paz con los rebeldes en {c}
rates = {c}: el banco central sube los tipos de interés al {m} % | El banco central de {c} eleva los tipos de interés al {m} %
stocks = {c}: la bolsa cae un {m} % en la peor jornada del año | La bolsa de {c} cae un {m} %
outbreak = {c}: brote de cólera con {n} casos confirmados | Brote de cólera en {c}: {n} casos
ai = {c} prepara una ley sobre inteligencia artificial | {c}: nueva ley de inteligencia artificial`,
  fa: `
note = این خبر ساختگی است و هیچ‌یک رخ نداده است.
quake = {c}: زلزله {m} ریشتری دست‌کم {n} کشته بر جا گذاشت | زلزله‌ای به بزرگی {m} در {c} با {n} کشته
flood = {c}: سیل {n} کشته و هزاران آواره بر جا گذاشت | سیل در {c} جان {n} نفر را گرفت
strike = {c}: حمله هوایی {n} کشته بر جا گذاشت | {n} کشته در حمله هوایی به {c}
election = {c}: پیروزی مخالفان در انتخابات با {m} درصد آرا | انتخابات {c}: مخالفان با {m} درصد پیروز شدند
protest = {c}: هزاران نفر علیه دولت تظاهرات کردند، {n} بازداشت | بازداشت {n} نفر در اعتراض‌های {c}
talks = {c}: گفت‌وگوهای صلح دولت و شورشیان از سر گرفته شد | از سرگیری گفت‌وگوهای صلح در {c}
rates = {c}: بانک مرکزی نرخ بهره را به {m} درصد رساند | نرخ بهره در {c} به {m} درصد افزایش یافت
stocks = {c}: سقوط {m} درصدی بورس در بدترین روز سال | بورس {c} با افت {m} درصدی
outbreak = {c}: شیوع وبا با {n} مورد تأییدشده | {n} مورد وبا در {c} ثبت شد
ai = {c}: قانون تازه برای هوش مصنوعی | {c} قانون هوش مصنوعی را پیشنهاد کرد`,
  fr: `
note = Cette dépêche est inventée ; rien de tout cela n'a eu lieu.
quake = {c} : un séisme de magnitude {m} fait au moins {n} morts | Séisme de magnitude {m} : au moins {n} morts – {c}
flood = {c} : les inondations font {n} morts et des milliers de déplacés | Inondations : {n} morts, des milliers de déplacés – {c}
strike = {c} : une frappe aérienne fait {n} morts | Au moins {n} morts dans une frappe aérienne – {c}
election = {c} : l'opposition remporte les élections avec {m} % des voix | Élections : l'opposition l'emporte avec {m} % – {c}
protest = {c} : des milliers de manifestants contre le gouvernement, {n} arrestations | Manifestations contre le gouvernement : {n} arrestations – {c}
talks = {c} : reprise des pourparlers de paix avec les rebelles | Gouvernement et rebelles reprennent les pourparlers de paix – {c}
rates = {c} : la banque centrale relève son taux directeur à {m} % | Le taux directeur relevé à {m} % – {c}
stocks = {c} : la Bourse chute de {m} %, pire séance de l'année | La Bourse perd {m} % – {c}
outbreak = {c} : une épidémie de choléra, {n} cas confirmés | Choléra : {n} cas confirmés – {c}
ai = {c} : une loi pour encadrer l'intelligence artificielle | Intelligence artificielle : une nouvelle loi en préparation – {c}`,
  hi: `
note = यह समाचार काल्पनिक है; ऐसा कुछ नहीं हुआ।
quake = {c}: {m} तीव्रता के भूकंप में कम से कम {n} की मौत | {c} में {m} तीव्रता का भूकंप, {n} लोगों की मौत
flood = {c}: बाढ़ में {n} की मौत, हज़ारों बेघर | {c} में बाढ़ से {n} लोगों की मौत
strike = {c}: हवाई हमले में {n} की मौत | {c} में हवाई हमला, {n} लोगों की मौत
election = {c}: विपक्ष ने {m} प्रतिशत वोट के साथ चुनाव जीता | {c} चुनाव: विपक्ष को {m} प्रतिशत वोट
protest = {c}: सरकार के खिलाफ हज़ारों का प्रदर्शन, {n} गिरफ्तार | {c} में सरकार विरोधी प्रदर्शन, {n} गिरफ्तार
talks = {c}: सरकार और विद्रोहियों के बीच शांति वार्ता फिर शुरू | {c} में शांति वार्ता फिर शुरू
rates = {c}: केंद्रीय बैंक ने ब्याज दर {m} प्रतिशत की | {c} में ब्याज दर बढ़कर {m} प्रतिशत
stocks = {c}: शेयर बाज़ार {m} प्रतिशत गिरा | {c} के शेयर बाज़ार में {m} प्रतिशत की गिरावट
outbreak = {c}: हैज़ा के {n} मामलों की पुष्टि | {c} में हैज़ा फैला, {n} मामले
ai = {c}: कृत्रिम बुद्धिमत्ता पर नया कानून | {c} में कृत्रिम बुद्धिमत्ता कानून का प्रस्ताव`,
  hr: `
note = Vijest je izmišljena; ništa od toga nije se dogodilo.
quake = {c}: potres magnitude {m}, najmanje {n} mrtvih | Potres magnitude {m} odnio {n} života – {c}
flood = {c}: u poplavama {n} mrtvih, tisuće raseljenih | Poplave odnijele {n} života – {c}
strike = {c}: u zračnom napadu {n} mrtvih | Najmanje {n} mrtvih u zračnom napadu – {c}
election = {c}: oporba pobijedila na izborima s {m} posto glasova | Izbori: oporba osvojila {m} posto – {c}
protest = {c}: tisuće prosvjeduju protiv vlade, {n} uhićenih | Prosvjedi protiv vlade, {n} uhićenih – {c}
talks = {c}: nastavljeni mirovni pregovori vlade i pobunjenika | Mirovni pregovori s pobunjenicima – {c}
rates = {c}: središnja banka podigla kamatnu stopu na {m} posto | Kamatna stopa porasla na {m} posto – {c}
stocks = {c}: burza pala {m} posto | Dionice pale {m} posto – {c}
outbreak = {c}: izbijanje kolere, {n} potvrđenih slučajeva | Kolera: {n} potvrđenih slučajeva – {c}
ai = {c}: novi zakon o umjetnoj inteligenciji | Zakon o umjetnoj inteligenciji pred parlamentom – {c}`,
  hu: `
note = A hír kitalált; mindebből semmi sem történt meg.
quake = {c}: {m}-es erősségű földrengés, legalább {n} halott | Legalább {n} halott a {m}-es földrengésben – {c}
flood = {c}: {n} halálos áldozata van az áradásoknak | Áradások: {n} halott, ezrek földönfutók – {c}
strike = {c}: légicsapásban {n} ember meghalt | Legalább {n} halott egy légicsapásban – {c}
election = {c}: az ellenzék nyerte a választást {m} százalékkal | Választás: győzött az ellenzék {m} százalékkal – {c}
protest = {c}: ezrek tüntetnek a kormány ellen, {n} letartóztatás | Kormányellenes tüntetések, {n} letartóztatás – {c}
talks = {c}: folytatódnak a béketárgyalások a lázadókkal | Béketárgyalások a kormány és a lázadók között – {c}
rates = {c}: {m} százalékra emelte a kamatot a jegybank | Kamatemelés: {m} százalék – {c}
stocks = {c}: {m} százalékot esett a tőzsde | Részvények: {m} százalékos esés – {c}
outbreak = {c}: kolerajárvány, {n} igazolt eset | Kolera: {n} igazolt fertőzés – {c}
ai = {c}: új törvény a mesterséges intelligenciáról | Törvény készül a mesterséges intelligenciáról – {c}`,
  id: `
note = Berita ini rekaan; tidak ada yang benar-benar terjadi.
quake = {c}: gempa magnitudo {m} menewaskan sedikitnya {n} orang | Gempa magnitudo {m} guncang {c}, {n} orang tewas
flood = {c}: banjir menewaskan {n} orang, ribuan mengungsi | Banjir di {c}, {n} orang tewas
strike = {c}: serangan udara menewaskan {n} orang | Serangan udara di {c} tewaskan {n} orang
election = {c}: oposisi menang pemilu dengan {m} persen suara | Pemilu {c}: oposisi raih {m} persen suara
protest = {c}: ribuan orang protes pemerintah, {n} ditangkap | Protes antipemerintah di {c}, {n} ditangkap
talks = {c}: perundingan damai dengan pemberontak dilanjutkan | Perundingan damai di {c} dilanjutkan
rates = {c}: bank sentral naikkan suku bunga menjadi {m} persen | Suku bunga {c} naik menjadi {m} persen
stocks = {c}: bursa saham turun {m} persen | Bursa saham {c} anjlok {m} persen
outbreak = {c}: wabah kolera, {n} kasus terkonfirmasi | Wabah kolera di {c}, {n} kasus
ai = {c}: undang-undang baru kecerdasan buatan | {c} siapkan undang-undang kecerdasan buatan`,
  it: `
note = Notizia simulata; nulla di tutto questo è accaduto.
quake = {c}: terremoto di magnitudo {m}, almeno {n} morti | Terremoto di magnitudo {m}: {n} morti – {c}
flood = {c}: alluvioni, {n} morti e migliaia di sfollati | Alluvioni: {n} morti e migliaia di sfollati – {c}
strike = {c}: raid aereo uccide {n} persone | Almeno {n} morti in un raid aereo – {c}
election = {c}: l'opposizione vince le elezioni con il {m}% dei voti | Elezioni: vince l'opposizione con il {m}% – {c}
protest = {c}: migliaia in piazza contro il governo, {n} arresti | Proteste contro il governo: {n} arresti – {c}
talks = {c}: riprendono i colloqui di pace con i ribelli | Governo e ribelli tornano ai colloqui di pace – {c}
rates = {c}: la banca centrale alza i tassi al {m}% | Tassi di interesse al {m}% – {c}
stocks = {c}: la borsa perde il {m}%, peggior giornata dell'anno | Borsa in calo del {m}% – {c}
outbreak = {c}: epidemia di colera, {n} casi confermati | Colera: {n} casi confermati – {c}
ai = {c}: una legge sull'intelligenza artificiale | Intelligenza artificiale, nuova legge in arrivo – {c}`,
  ja: `
note = この記事は架空であり、実際には起きていません。
quake = {c}でマグニチュード{m}の地震、少なくとも{n}人死亡 | {c}：M{m}の地震で{n}人死亡
flood = {c}で洪水、{n}人死亡　数千人が避難 | {c}：洪水で{n}人死亡
strike = {c}で空爆、{n}人死亡 | {c}：空爆で少なくとも{n}人死亡
election = {c}の選挙で野党が勝利、得票率{m}％ | {c}：野党が選挙で勝利　得票率{m}％
protest = {c}で数千人が反政府デモ、{n}人逮捕 | {c}：反政府デモで{n}人逮捕
talks = {c}で政府と反政府勢力の和平協議が再開 | {c}：和平協議が再開
rates = {c}の中央銀行、政策金利を{m}％に引き上げ | {c}：政策金利を{m}％に引き上げ
stocks = {c}の株価が{m}％下落、今年最大の下げ | {c}：株価が{m}％下落
outbreak = {c}でコレラ流行、感染者{n}人を確認 | {c}：コレラ感染者{n}人
ai = {c}、人工知能の規制法案を提出 | {c}：人工知能の新法案`,
  ko: `
note = 이 기사는 가상이며 실제로 일어난 일이 아닙니다.
quake = {c}에서 규모 {m} 지진, 최소 {n}명 사망 | {c}: 규모 {m} 지진으로 {n}명 사망
flood = {c} 홍수로 {n}명 사망, 이재민 수천 명 | {c}: 홍수로 {n}명 사망
strike = {c} 공습으로 {n}명 사망 | {c}: 공습에 최소 {n}명 사망
election = {c} 선거에서 야당 승리, 득표율 {m}% | {c}: 야당 선거 승리, 득표율 {m}%
protest = {c}에서 수천 명 반정부 시위, {n}명 체포 | {c}: 반정부 시위에서 {n}명 체포
talks = {c} 정부와 반군 평화 협상 재개 | {c}: 반군과 평화 협상 재개
rates = {c} 중앙은행, 기준금리 {m}%로 인상 | {c}: 기준금리 {m}%로 인상
stocks = {c} 증시 {m}% 하락, 올해 최대 낙폭 | {c}: 증시 {m}% 하락
outbreak = {c}에서 콜레라 확산, 확진 {n}명 | {c}: 콜레라 확진 {n}명
ai = {c}, 인공지능 법안 발의 | {c}: 새 인공지능 법안`,
  nl: `
note = Dit bericht is verzonnen; niets hiervan is gebeurd.
quake = {c}: aardbeving met kracht {m} eist minstens {n} doden | Minstens {n} doden bij aardbeving met kracht {m} – {c}
flood = {c}: overstromingen eisen {n} doden, duizenden ontheemd | {n} doden door overstromingen – {c}
strike = {c}: luchtaanval doodt {n} mensen | Minstens {n} doden bij luchtaanval – {c}
election = {c}: oppositie wint verkiezingen met {m} procent | Verkiezingen: oppositie wint met {m} procent – {c}
protest = {c}: duizenden protesteren tegen regering, {n} arrestaties | {n} arrestaties bij protesten tegen regering – {c}
talks = {c}: regering en rebellen hervatten vredesoverleg | Vredesoverleg met rebellen hervat – {c}
rates = {c}: centrale bank verhoogt rente naar {m} procent | Rente omhoog naar {m} procent – {c}
stocks = {c}: beurs verliest {m} procent, slechtste dag van het jaar | Beurs daalt {m} procent – {c}
outbreak = {c}: uitbraak van cholera, {n} gevallen bevestigd | Cholera: {n} gevallen bevestigd – {c}
ai = {c}: wet moet kunstmatige intelligentie regelen | Nieuwe wet voor kunstmatige intelligentie – {c}`,
  pl: `
note = Wiadomość jest zmyślona; nic takiego się nie wydarzyło.
quake = {c}: trzęsienie ziemi o sile {m}, co najmniej {n} ofiar | Trzęsienie ziemi o sile {m}, {n} ofiar – {c}
flood = {c}: powodzie zabiły {n} osób, tysiące bez dachu nad głową | Powodzie: {n} ofiar i tysiące ewakuowanych – {c}
strike = {c}: w nalocie zginęło {n} osób | Nalot, co najmniej {n} ofiar – {c}
election = {c}: opozycja wygrywa wybory z wynikiem {m} proc. | Wybory: wygrywa opozycja, {m} proc. głosów – {c}
protest = {c}: tysiące protestują przeciw rządowi, {n} zatrzymanych | Protesty przeciw rządowi, {n} zatrzymanych – {c}
talks = {c}: rząd i rebelianci wznawiają rozmowy pokojowe | Rozmowy pokojowe z rebeliantami wznowione – {c}
rates = {c}: bank centralny podnosi stopy do {m} proc. | Stopy procentowe w górę do {m} proc. – {c}
stocks = {c}: giełda traci {m} proc. | Akcje spadły o {m} proc. – {c}
outbreak = {c}: epidemia cholery, {n} potwierdzonych przypadków | Cholera: {n} przypadków – {c}
ai = {c}: nowa ustawa o sztucznej inteligencji | Ustawa o sztucznej inteligencji trafia do parlamentu – {c}`,
  pt: `
note = Notícia simulada; nada disto aconteceu.
quake = {c}: sismo de magnitude {m} faz pelo menos {n} mortos | Terremoto de magnitude {m} deixa {n} mortos – {c}
flood = {c}: inundações fazem {n} mortos e milhares de deslocados | Inundações deixam {n} mortos – {c}
strike = {c}: ataque aéreo faz {n} mortos | Pelo menos {n} mortos em ataque aéreo – {c}
election = {c}: oposição vence eleições com {m}% dos votos | Eleições: oposição vence com {m}% – {c}
protest = {c}: milhares protestam contra o governo, {n} detidos | Protestos contra o governo: {n} detidos – {c}
talks = {c}: governo e rebeldes retomam conversações de paz | Conversações de paz com rebeldes retomadas – {c}
rates = {c}: banco central sobe taxa de juro para {m}% | Taxa de juros sobe para {m}% – {c}
stocks = {c}: bolsa cai {m}% no pior dia do ano | Bolsa perde {m}% – {c}
outbreak = {c}: surto de cólera com {n} casos confirmados | Cólera: {n} casos confirmados – {c}
ai = {c} prepara lei sobre inteligência artificial | Inteligência artificial: nova lei – {c}`,
  ro: `
note = Știrea este inventată; nimic din toate acestea nu s-a întâmplat.
quake = {c}: cutremur cu magnitudinea {m}, cel puțin {n} morți | Cutremur de {m} grade, {n} morți – {c}
flood = {c}: inundațiile au făcut {n} morți și mii de evacuați | Inundații: {n} morți – {c}
strike = {c}: atac aerian soldat cu {n} morți | Cel puțin {n} morți într-un atac aerian – {c}
election = {c}: opoziția câștigă alegerile cu {m}% din voturi | Alegeri: opoziția învinge cu {m}% – {c}
protest = {c}: mii de oameni protestează împotriva guvernului, {n} arestați | Proteste împotriva guvernului, {n} arestați – {c}
talks = {c}: guvernul și rebelii reiau negocierile de pace | Negocierile de pace cu rebelii, reluate – {c}
rates = {c}: banca centrală crește dobânda la {m}% | Dobânda urcă la {m}% – {c}
stocks = {c}: bursa scade cu {m}% | Acțiunile pierd {m}% – {c}
outbreak = {c}: focar de holeră, {n} cazuri confirmate | Holeră: {n} cazuri confirmate – {c}
ai = {c}: lege nouă privind inteligența artificială | Legea inteligenței artificiale ajunge în parlament – {c}`,
  ru: `
note = Новость вымышлена; ничего этого не было.
quake = {c}: землетрясение магнитудой {m}, не менее {n} погибших | Землетрясение магнитудой {m}, погибли {n} человек – {c}
flood = {c}: наводнение унесло жизни {n} человек, тысячи эвакуированы | Наводнение: {n} погибших – {c}
strike = {c}: при авиаударе погибли {n} человек | Авиаудар: не менее {n} погибших – {c}
election = {c}: оппозиция победила на выборах с {m}% голосов | Выборы: победа оппозиции, {m}% – {c}
protest = {c}: тысячи протестуют против правительства, {n} задержанных | Протесты против правительства, {n} задержанных – {c}
talks = {c}: правительство и повстанцы возобновили мирные переговоры | Мирные переговоры с повстанцами возобновлены – {c}
rates = {c}: центральный банк повысил ставку до {m}% | Ставка повышена до {m}% – {c}
stocks = {c}: биржа упала на {m}%, худший день года | Акции подешевели на {m}% – {c}
outbreak = {c}: вспышка холеры, подтверждено {n} случаев | Холера: {n} случаев – {c}
ai = {c}: закон об искусственном интеллекте | Новый закон об искусственном интеллекте – {c}`,
  sv: `
note = Nyheten är påhittad; inget av detta har hänt.
quake = {c}: jordbävning med magnitud {m}, minst {n} döda | Minst {n} döda i jordbävning med magnitud {m} – {c}
flood = {c}: översvämningar kräver {n} liv, tusentals på flykt | {n} döda i översvämningar – {c}
strike = {c}: flyganfall dödar {n} människor | Minst {n} döda i flyganfall – {c}
election = {c}: oppositionen vinner valet med {m} procent | Val: oppositionen segrar med {m} procent – {c}
protest = {c}: tusentals protesterar mot regeringen, {n} gripna | {n} gripna vid protester mot regeringen – {c}
talks = {c}: regeringen och rebellerna återupptar fredssamtalen | Fredssamtal med rebellerna återupptas – {c}
rates = {c}: centralbanken höjer räntan till {m} procent | Räntan höjs till {m} procent – {c}
stocks = {c}: börsen faller {m} procent | Börsras på {m} procent – {c}
outbreak = {c}: kolerautbrott med {n} bekräftade fall | Kolera: {n} bekräftade fall – {c}
ai = {c}: lag ska reglera artificiell intelligens | Ny lag om artificiell intelligens – {c}`,
  th: `
note = ข่าวนี้แต่งขึ้น ไม่มีเหตุการณ์ใดเกิดขึ้นจริง
quake = {c}: แผ่นดินไหวขนาด {m} เสียชีวิตอย่างน้อย {n} ราย | แผ่นดินไหวขนาด {m} ใน{c} เสียชีวิต {n} ราย
flood = {c}: น้ำท่วมคร่าชีวิต {n} ราย อพยพหลายพันคน | น้ำท่วมใน{c} เสียชีวิต {n} ราย
strike = {c}: การโจมตีทางอากาศคร่าชีวิต {n} ราย | โจมตีทางอากาศใน{c} เสียชีวิต {n} ราย
election = {c}: ฝ่ายค้านชนะเลือกตั้งด้วยคะแนน {m}% | เลือกตั้ง{c} ฝ่ายค้านได้ {m}%
protest = {c}: ประชาชนหลายพันประท้วงรัฐบาล จับกุม {n} คน | ประท้วงรัฐบาลใน{c} จับกุม {n} คน
talks = {c}: รัฐบาลและกลุ่มกบฏกลับมาเจรจาสันติภาพ | การเจรจาสันติภาพใน{c}เริ่มขึ้นอีกครั้ง
rates = {c}: ธนาคารกลางขึ้นดอกเบี้ยเป็น {m}% | ดอกเบี้ยใน{c}ขึ้นเป็น {m}%
stocks = {c}: ตลาดหุ้นร่วง {m}% | หุ้น{c}ร่วง {m}%
outbreak = {c}: อหิวาตกโรคระบาด ยืนยัน {n} ราย | อหิวาตกโรคใน{c} พบ {n} ราย
ai = {c}: กฎหมายใหม่ว่าด้วยปัญญาประดิษฐ์ | {c}เสนอกฎหมายปัญญาประดิษฐ์`,
  tr: `
note = Bu haber kurgudur; bunların hiçbiri yaşanmadı.
quake = {c}: {m} büyüklüğünde deprem, en az {n} ölü | {m} büyüklüğündeki depremde {n} kişi öldü – {c}
flood = {c}: sellerde {n} kişi öldü, binlerce kişi evsiz | Sel felaketi: {n} ölü – {c}
strike = {c}: hava saldırısında {n} kişi öldü | Hava saldırısı: en az {n} ölü – {c}
election = {c}: muhalefet seçimi yüzde {m} oyla kazandı | Seçim: muhalefet yüzde {m} aldı – {c}
protest = {c}: binlerce kişi hükümeti protesto etti, {n} gözaltı | Hükümet karşıtı protestolarda {n} gözaltı – {c}
talks = {c}: hükümet ve isyancılar barış görüşmelerine döndü | Barış görüşmeleri yeniden başladı – {c}
rates = {c}: merkez bankası faizi yüzde {m} düzeyine çıkardı | Faiz yüzde {m} oldu – {c}
stocks = {c}: borsa yüzde {m} düştü | Borsada yüzde {m} kayıp – {c}
outbreak = {c}: kolera salgını, {n} vaka doğrulandı | Kolera: {n} vaka – {c}
ai = {c}: yapay zeka için yeni yasa | Yapay zeka yasası mecliste – {c}`,
  uk: `
note = Новина вигадана; нічого з цього не сталося.
quake = {c}: землетрус магнітудою {m}, щонайменше {n} загиблих | Землетрус магнітудою {m}, загинули {n} людей – {c}
flood = {c}: повінь забрала життя {n} людей, тисячі евакуйовано | Повінь: {n} загиблих – {c}
strike = {c}: унаслідок авіаудару загинули {n} людей | Авіаудар: щонайменше {n} загиблих – {c}
election = {c}: опозиція перемогла на виборах з {m}% голосів | Вибори: перемога опозиції, {m}% – {c}
protest = {c}: тисячі протестують проти уряду, {n} затриманих | Протести проти уряду, {n} затриманих – {c}
talks = {c}: уряд і повстанці відновили мирні переговори | Мирні переговори з повстанцями відновлено – {c}
rates = {c}: центральний банк підвищив ставку до {m}% | Ставку підвищено до {m}% – {c}
stocks = {c}: біржа впала на {m}% | Акції подешевшали на {m}% – {c}
outbreak = {c}: спалах холери, підтверджено {n} випадків | Холера: {n} випадків – {c}
ai = {c}: закон про штучний інтелект | Новий закон про штучний інтелект – {c}`,
  vi: `
note = Tin này là hư cấu; không có điều gì trong đó xảy ra.
quake = {c}: động đất mạnh {m} độ, ít nhất {n} người chết | Động đất {m} độ tại {c}, {n} người chết
flood = {c}: lũ lụt làm {n} người chết, hàng nghìn người sơ tán | Lũ lụt tại {c}, {n} người chết
strike = {c}: không kích làm {n} người chết | Không kích tại {c}, {n} người chết
election = {c}: phe đối lập thắng cử với {m}% phiếu | Bầu cử {c}: phe đối lập giành {m}% phiếu
protest = {c}: hàng nghìn người biểu tình chống chính phủ, {n} người bị bắt | Biểu tình tại {c}, {n} người bị bắt
talks = {c}: chính phủ và phiến quân nối lại hòa đàm | Hòa đàm tại {c} được nối lại
rates = {c}: ngân hàng trung ương nâng lãi suất lên {m}% | Lãi suất tại {c} tăng lên {m}%
stocks = {c}: chứng khoán giảm {m}% | Chứng khoán {c} giảm {m}%
outbreak = {c}: dịch tả bùng phát, {n} ca xác nhận | Dịch tả tại {c}: {n} ca
ai = {c}: luật mới về trí tuệ nhân tạo | {c} đề xuất luật trí tuệ nhân tạo`,
  zh: `
note = 本消息纯属虚构，并未发生。
quake = {c}发生{m}级地震，至少{n}人死亡 | {c}{m}级地震造成{n}人遇难
flood = {c}洪灾致{n}人死亡，数千人流离失所 | {c}遭遇洪水，{n}人死亡
strike = {c}遭空袭，{n}人死亡 | 空袭造成{c}至少{n}人死亡
election = {c}反对派以{m}%得票率赢得选举 | {c}选举：反对派得票{m}%获胜
protest = {c}数千人抗议政府，{n}人被捕 | {c}反政府抗议活动中{n}人被捕
talks = {c}政府与叛军恢复和平谈判 | {c}和平谈判重启
rates = {c}央行将利率上调至{m}% | {c}加息至{m}%
stocks = {c}股市下跌{m}%，创年内最大跌幅 | {c}股市跌{m}%
outbreak = {c}暴发霍乱，确诊{n}例 | {c}霍乱疫情：确诊{n}例
ai = {c}提出人工智能立法 | {c}拟出台人工智能新法`,
};

/** The wordings of one language. */
export interface Wordings {
  /** States that the report is simulated. */
  readonly note: string;
  readonly byKind: ReadonlyMap<string, readonly string[]>;
}

const read = new Map<string, Wordings>();

/** The languages with wordings. */
export const wordedLanguages: readonly string[] = Object.keys(texts);

/** Returns the wordings of a language, or the English ones if the language has none. */
export function wordingsOf(language: string): Wordings {
  const text = texts[language];
  if (text === undefined) return wordingsOf("en");
  const wordings = read.get(language) ?? wordingsIn(text);
  read.set(language, wordings);
  return wordings;
}

function wordingsIn(text: string): Wordings {
  const lines = text
    .trim()
    .split("\n")
    .map((line): [string, readonly string[]] => {
      const [name = "", wordings = ""] = line.split(" = ");
      return [name, wordings.split(" | ")];
    });
  const byKind = new Map(lines);
  const note = byKind.get("note")?.[0] ?? "";
  byKind.delete("note");
  return { note, byKind };
}
