/** How far a publisher's word goes, and why: the ground of a row below. */
export const riskGrounds = {
  charter: { profile: "low", reason: "public broadcaster whose charter asks for impartial news and corrections" },
  agency: { profile: "low", reason: "news agency that other outlets print; sends out corrections" },
  standards: { profile: "low", reason: "newsroom with published standards; has a record of corrections" },
  record: { profile: "low", reason: "publishes its own decisions, figures or observations first-hand" },
  reviewed: { profile: "low", reason: "peer-reviewed journal; corrects and retracts in public" },
  research: { profile: "low", reason: "research institute that names its authors and sources; views are theirs" },
  governing: { profile: "medium", reason: "speaks for a government about its own acts" },
  statefunded: { profile: "medium", reason: "funded by a state, with editors who are not its officials" },
  restricted: { profile: "medium", reason: "works where the state can close or punish an outlet for what it prints" },
  partisan: { profile: "medium", reason: "partisan: reports from a declared or evident political side" },
  advocacy: { profile: "medium", reason: "campaigns or lobbies on what it reports about" },
  tabloid: { profile: "medium", reason: "popular press: headlines go further than the text below them" },
  aggregator: { profile: "medium", reason: "aggregator: passes on what others publish or readers hand in" },
  contributors: { profile: "medium", reason: "opinion and outside contributors beside or instead of a newsroom" },
  speakers: { profile: "medium", reason: "talks by invited speakers, who answer for their own claims" },
  preprints: { profile: "medium", reason: "research that nobody has reviewed yet" },
  corporate: { profile: "medium", reason: "an organisation writing about its own work" },
  investor: { profile: "medium", reason: "an investor writing about companies it may hold" },
  trade: { profile: "medium", reason: "trade press: in part built on announcements of the companies it covers" },
  state: { profile: "high", reason: "state-controlled: a government owns it or directs what it says" },
} as const;

/**
 * The public news feeds, two lines each:
 *
 *     id | publisher | family | country | language | kind | ground of the risk | variant/category …
 *       address of the feed  homepage without https://
 *
 * - Family: publishers of one owner share it, and count once when a story is corroborated.
 * - Country: where the publisher sits, ISO 3166-1 alpha-2. Language: ISO 639-1; `-` is English, `*` after it marks a
 *   feed that runs in every language.
 * - Ground: a key of `riskGrounds`; `-` where nobody has looked yet.
 * - The order is the order in which a category lists its feeds.
 *
 * Our own list, written row by row. An address stands in a public reference of publishers' feeds that is not part of
 * it, or in `documentedFeeds` below; `http:` only where the reference knows no `https:`. See `feed-list.test.ts`.
 */
export const feedList = `
# International bodies
un-news                 | UN News                        | united-nations            | US | -  | international | record       | full/politics
  https://news.un.org/feed/subscribe/en/news/all/rss.xml  news.un.org/en
un-news-peace           | UN News                        | united-nations            | US | -  | international | record       | full/crisis
  https://news.un.org/feed/subscribe/en/news/topic/peace-and-security/feed/rss.xml  news.un.org/en/news/topic/peace-and-security
un-news-aid             | UN News                        | united-nations            | US | -  | international | record       | full/crisis
  https://news.un.org/feed/subscribe/en/news/topic/humanitarian-aid/feed/rss.xml  news.un.org/en/news/topic/humanitarian-aid
un-news-africa          | UN News                        | united-nations            | US | -  | international | record       | full/africa
  https://news.un.org/feed/subscribe/en/news/region/africa/feed/rss.xml  news.un.org/en/news/region/africa
un-news-ar              | UN News                        | united-nations            | US | ar | international | record       | full/politics
  https://news.un.org/feed/subscribe/ar/news/all/rss.xml  news.un.org/ar
un-news-zh              | UN News                        | united-nations            | US | zh | international | record       | full/politics
  https://news.un.org/feed/subscribe/zh/news/all/rss.xml  news.un.org/zh
un-news-es              | UN News                        | united-nations            | US | es | international | record       | full/politics
  https://news.un.org/feed/subscribe/es/news/all/rss.xml  news.un.org/es
un-news-ru              | UN News                        | united-nations            | US | ru | international | record       | full/politics
  https://news.un.org/feed/subscribe/ru/news/all/rss.xml  news.un.org/ru
who-news                | World Health Organization      | united-nations            | CH | -  | international | record       | full/crisis
  https://www.who.int/rss-feeds/news-english.xml  www.who.int/news
reliefweb               | ReliefWeb                      | united-nations            | US | -  | international | aggregator   | full/crisis
  https://reliefweb.int/updates/rss.xml  reliefweb.int
gdacs                   | GDACS                          | gdacs                     | IT | -  | international | record       | full/crisis
  https://www.gdacs.org/xml/rss.xml  www.gdacs.org
unep                    | UN Environment Programme       | united-nations            | KE | -  | international | record       | happy/nature
  https://www.unep.org/rss.xml  www.unep.org
iaea                    | IAEA                           | iaea                      | AT | -  | international | record       | full/energy
  https://www.iaea.org/feeds/topnews  www.iaea.org
imf                     | International Monetary Fund    | imf                       | US | -  | international | record       | finance/economic
  https://www.imf.org/en/News/RSS?language=eng  www.imf.org
bis-speeches            | BIS                            | bis                       | CH | -  | international | record       | finance/centralbanks
  https://www.bis.org/doclist/cbspeeches.rss  www.bis.org

# World
bbc-world               | BBC News                       | bbc                       | GB | -  | major         | charter      | full/politics
  http://feeds.bbci.co.uk/news/world/rss.xml  www.bbc.com/news
guardian-world          | The Guardian                   | guardian                  | GB | -  | major         | standards    | full/politics
  https://www.theguardian.com/world/rss  www.theguardian.com
france24-en             | France 24                      | france-medias-monde       | FR | -  | major         | statefunded  | full/politics
  https://www.france24.com/en/rss  www.france24.com/en
dw-en                   | Deutsche Welle                 | dw                        | DE | -  | major         | statefunded  | full/politics full/europe
  https://rss.dw.com/rdf/rss-en-all  www.dw.com/en
ft-world                | Financial Times                | nikkei                    | GB | -  | major         | standards    | full/politics full/finance
  http://www.ft.com/rss/world  www.ft.com
wapo-world              | The Washington Post            | washington-post           | US | -  | major         | standards    | full/politics
  http://feeds.washingtonpost.com/rss/world  www.washingtonpost.com
cnbc-international      | CNBC                           | versant                   | US | -  | major         | standards    | full/politics finance/markets
  https://www.cnbc.com/id/100727362/device/rss/rss.html  www.cnbc.com
huffpost-world          | HuffPost                       | huffpost                  | US | -  | major         | partisan     | full/politics
  https://www.huffpost.com/section/world-news/feed  www.huffpost.com
toi-world               | The Times of India             | times-group               | IN | -  | major         | -            | full/politics
  https://timesofindia.indiatimes.com/rssfeeds/296589292.cms  timesofindia.indiatimes.com
aljazeera-en            | Al Jazeera                     | al-jazeera                | QA | -  | major         | statefunded  | full/politics full/middleeast
  https://www.aljazeera.com/xml/rss/all.xml  www.aljazeera.com
bbc-middle-east         | BBC News                       | bbc                       | GB | -  | major         | charter      | full/middleeast
  https://feeds.bbci.co.uk/news/world/middle_east/rss.xml  www.bbc.com/news/world/middle_east
bbc-latin-america       | BBC News                       | bbc                       | GB | -  | major         | charter      | full/latam
  https://feeds.bbci.co.uk/news/world/latin_america/rss.xml  www.bbc.com/news/world/latin_america
bbc-arabic              | BBC News Arabic                | bbc                       | GB | ar | major         | charter      | full/politics full/middleeast
  https://feeds.bbci.co.uk/arabic/rss.xml  www.bbc.com/arabic
bbc-turkish             | BBC News Türkçe                | bbc                       | GB | tr | major         | charter      | full/politics full/middleeast
  https://feeds.bbci.co.uk/turkce/rss.xml  www.bbc.com/turkce
bbc-persian             | BBC News Persian               | bbc                       | GB | fa | major         | charter      | full/politics full/middleeast
  https://feeds.bbci.co.uk/persian/rss.xml  www.bbc.com/persian
bbc-korean              | BBC News Korean                | bbc                       | GB | ko | major         | charter      | full/politics full/asia
  https://feeds.bbci.co.uk/korean/rss.xml  www.bbc.com/korean
bbc-thai                | BBC News Thai                  | bbc                       | GB | th | major         | charter      | full/politics full/asia
  https://feeds.bbci.co.uk/thai/rss.xml  www.bbc.com/thai
bbc-vietnamese          | BBC News Vietnamese            | bbc                       | GB | vi | major         | charter      | full/politics full/asia
  https://feeds.bbci.co.uk/vietnamese/rss.xml  www.bbc.com/vietnamese
france24-ar             | France 24                      | france-medias-monde       | FR | ar | major         | statefunded  | full/politics full/middleeast
  https://www.france24.com/ar/rss  www.france24.com/ar
yonhap                  | Yonhap News Agency             | yonhap                    | KR | ko | wire          | agency       | full/asia
  https://www.yna.co.kr/rss/news.xml  www.yna.co.kr
yonhap-en               | Yonhap News Agency             | yonhap                    | KR | -  | wire          | agency       | full/asia
  https://en.yna.co.kr/RSS/news.xml  en.yna.co.kr
donga                   | The Dong-A Ilbo                | dong-a                    | KR | ko | major         | standards    | full/asia
  https://rss.donga.com/total.xml  www.donga.com
prachatai               | Prachatai                      | prachatai                 | TH | th | major         | standards    | full/asia
  https://prachatai.com/rss.xml  prachatai.com
vnexpress               | VnExpress                      | vnexpress                 | VN | vi | major         | state        | full/asia
  https://vnexpress.net/rss/tin-moi-nhat.rss  vnexpress.net
arab-news               | Arab News                      | srmg                      | SA | -  | major         | restricted   | full/middleeast finance/gccNews
  https://www.arabnews.com/rss.xml  www.arabnews.com
the-national-ae         | The National                   | imi-ae                    | AE | -  | major         | restricted   | full/middleeast finance/gccNews
  https://www.thenationalnews.com/arc/outboundfeeds/rss/?outputType=xml  www.thenationalnews.com
arabian-business        | Arabian Business               | itp-media                 | AE | -  | specialist    | trade        | finance/gccNews
  https://www.arabianbusiness.com/feed  www.arabianbusiness.com
gulf-business           | Gulf Business                  | motivate-media            | AE | -  | specialist    | trade        | finance/gccNews
  https://gulfbusiness.com/feed/  gulfbusiness.com

# North America
nyt-home                | The New York Times             | new-york-times            | US | -  | major         | standards    | full/us
  http://rss.nytimes.com/services/xml/rss/nyt/HomePage.xml  www.nytimes.com
nbc-news                | NBC News                       | nbcuniversal              | US | -  | major         | standards    | full/us
  http://feeds.nbcnews.com/feeds/topstories  www.nbcnews.com
la-times-world-nation   | Los Angeles Times              | la-times                  | US | -  | major         | standards    | full/us
  https://www.latimes.com/world-nation/rss2.0.xml  www.latimes.com
axios                   | Axios                          | axios                     | US | -  | major         | standards    | full/us
  https://api.axios.com/feed/  www.axios.com
vox                     | Vox                            | vox-media                 | US | -  | major         | partisan     | full/us
  https://www.vox.com/rss/index.xml  www.vox.com
politico-playbook       | Politico                       | politico                  | US | -  | major         | standards    | full/us
  https://rss.politico.com/playbook.xml  www.politico.com
csmonitor               | The Christian Science Monitor  | csmonitor                 | US | -  | major         | standards    | full/us happy/positive
  http://rss.csmonitor.com/feeds/csm  www.csmonitor.com
new-york-post           | New York Post                  | news-corp                 | US | -  | major         | tabloid      | full/us
  http://nypost.com/feed/  nypost.com
yahoo-news-viewed       | Yahoo News                     | yahoo                     | US | -  | other         | aggregator   | full/us
  https://news.yahoo.com/rss/mostviewed  news.yahoo.com
new-republic            | The New Republic               | new-republic              | US | -  | other         | partisan     | full/us
  http://www.newrepublic.com/rss.xml  newrepublic.com
cbc-top                 | CBC News                       | cbc-radio-canada          | CA | -  | major         | charter      | full/us
  https://www.cbc.ca/cmlink/rss-topstories  www.cbc.ca/news
radio-canada            | Radio-Canada                   | cbc-radio-canada          | CA | fr | major         | charter      | full/us
  https://ici.radio-canada.ca/rss/4159  ici.radio-canada.ca
la-presse-ca            | La Presse                      | la-presse-ca              | CA | fr | major         | standards    | full/us
  https://www.lapresse.ca/actualites/rss  www.lapresse.ca
global-news-ca          | Global News                    | corus                     | CA | -  | major         | standards    | full/us
  https://globalnews.ca/feed/  globalnews.ca
national-post           | National Post                  | postmedia                 | CA | -  | major         | partisan     | full/us
  https://nationalpost.com/feed/  nationalpost.com
ottawa-citizen          | Ottawa Citizen                 | postmedia                 | CA | -  | other         | standards    | full/us
  https://ottawacitizen.com/feed/  ottawacitizen.com
winnipeg-free-press     | Winnipeg Free Press            | winnipeg-free-press       | CA | -  | other         | standards    | full/us
  https://www.winnipegfreepress.com/breakingnews/feed  www.winnipegfreepress.com
the-tyee                | The Tyee                       | the-tyee                  | CA | -  | other         | partisan     | full/us
  https://thetyee.ca/rss2.xml  thetyee.ca
national-observer-ca    | Canada's National Observer     | national-observer-ca      | CA | -  | specialist    | standards    | full/us happy/nature
  https://www.nationalobserver.com/front/rss  www.nationalobserver.com
financial-post          | Financial Post                 | postmedia                 | CA | -  | specialist    | standards    | full/finance finance/markets
  https://business.financialpost.com/feed/  financialpost.com

# Europe in English
irish-journal           | The Journal                    | journal-media             | IE | -  | major         | standards    | full/europe
  https://www.thejournal.ie/feed/  www.thejournal.ie
breakingnews-ie         | BreakingNews.ie                | irish-times               | IE | -  | other         | standards    | full/europe
  https://feeds.breakingnews.ie/bntopstories  www.breakingnews.ie
bbc-uk                  | BBC News                       | bbc                       | GB | -  | major         | charter      | full/europe
  http://feeds.bbci.co.uk/news/rss.xml  www.bbc.co.uk/news
independent-uk          | The Independent                | independent-uk            | GB | -  | major         | standards    | full/europe
  http://www.independent.co.uk/news/uk/rss  www.independent.co.uk
the-local-france        | The Local France               | the-local                 | FR | -  | other         | standards    | full/europe
  https://www.thelocal.fr/feeds/rss.php  www.thelocal.fr
the-local-italy         | The Local Italy                | the-local                 | IT | -  | other         | standards    | full/europe
  https://feeds.thelocal.com/rss/it  www.thelocal.it
the-local-spain         | The Local Spain                | the-local                 | ES | -  | other         | standards    | full/europe
  https://feeds.thelocal.com/rss/es  www.thelocal.es
cyprus-mail             | Cyprus Mail                    | cyprus-mail               | CY | -  | major         | standards    | full/europe
  http://cyprus-mail.com/feed/  cyprus-mail.com
ansa-en                 | ANSA                           | ansa                      | IT | -  | wire          | agency       | full/europe
  http://www.ansa.it/english/english_rss.xml  www.ansa.it/english
unian-en                | UNIAN                          | unian                     | UA | -  | wire          | -            | full/europe
  https://rss.unian.net/site/news_eng.rss  www.unian.info
moscow-times            | The Moscow Times               | moscow-times              | NL | -  | major         | standards    | full/europe
  https://www.themoscowtimes.com/rss/news  www.themoscowtimes.com
rt-en                   | RT                             | ria-rt                    | RU | -  | major         | state        | full/europe
  https://www.rt.com/rss/  www.rt.com

# Europe, French
le-monde                | Le Monde                       | le-monde                  | FR | fr | major         | standards    | full/politics
  https://www.lemonde.fr/rss/une.xml  www.lemonde.fr
le-figaro               | Le Figaro                      | le-figaro                 | FR | fr | major         | standards    | full/europe
  https://www.lefigaro.fr/rss/figaro_actualites.xml  www.lefigaro.fr
liberation              | Libération                     | liberation                | FR | fr | major         | standards    | full/europe
  https://www.liberation.fr/arc/outboundfeeds/rss-all/?outputType=xml  www.liberation.fr
mediapart               | Mediapart                      | mediapart                 | FR | fr | major         | standards    | full/europe
  https://www.mediapart.fr/articles/feed  www.mediapart.fr
franceinfo              | Franceinfo                     | france-televisions        | FR | fr | major         | charter      | full/europe
  https://www.francetvinfo.fr/titres.rss  www.franceinfo.fr
france24-fr             | France 24                      | france-medias-monde       | FR | fr | major         | statefunded  | full/politics
  https://www.france24.com/fr/rss  www.france24.com/fr
rfi-france              | RFI                            | france-medias-monde       | FR | fr | major         | statefunded  | full/europe
  https://www.rfi.fr/fr/france/rss  www.rfi.fr/fr
ouest-france            | Ouest-France                   | sipa-ouest-france         | FR | fr | major         | standards    | full/europe
  https://www.ouest-france.fr/rss-en-continu.xml  www.ouest-france.fr
nouvel-obs              | Le Nouvel Obs                  | le-monde                  | FR | fr | major         | standards    | full/europe
  https://www.nouvelobs.com/rss.xml  www.nouvelobs.com
la-croix                | La Croix                       | bayard                    | FR | fr | major         | standards    | full/europe
  https://www.la-croix.com/rss  www.la-croix.com
la-libre                | La Libre Belgique              | ipm-group                 | BE | fr | major         | standards    | full/europe
  https://www.lalibre.be/rss  www.lalibre.be
rtbf                    | RTBF                           | rtbf                      | BE | fr | major         | charter      | full/europe
  https://rss.rtbf.be/article/rss/highlight_rtbf_info.xml?source=internal  www.rtbf.be
tribune-de-geneve       | Tribune de Genève              | tx-group                  | CH | fr | major         | standards    | full/europe
  http://www.tdg.ch/rss.html  www.tdg.ch
france-diplomatie       | France Diplomatie              | france-government         | FR | fr | government    | governing    | full/gov
  https://www.diplomatie.gouv.fr/spip.php?page=backend-fd  www.diplomatie.gouv.fr
france-diplomatie-en    | France Diplomatie              | france-government         | FR | -  | government    | governing    | full/gov
  https://www.diplomatie.gouv.fr/spip.php?page=backend-fd&lang=en  www.diplomatie.gouv.fr/en

# Europe, German
faz                     | Frankfurter Allgemeine Zeitung | faz                       | DE | de | major         | standards    | full/politics
  https://www.faz.net/rss/aktuell/  www.faz.net
focus-online            | FOCUS online                   | burda                     | DE | de | major         | tabloid      | full/europe
  https://rss.focus.de/fol/XML/rss_folnews.xml  www.focus.de
die-zeit                | Die Zeit                       | holtzbrinck               | DE | de | major         | standards    | full/europe
  http://newsfeed.zeit.de/index  www.zeit.de
tagesschau              | tagesschau                     | ard                       | DE | de | major         | charter      | full/europe
  http://www.tagesschau.de/xml/rss2  www.tagesschau.de
handelsblatt            | Handelsblatt                   | holtzbrinck               | DE | de | major         | standards    | full/finance finance/markets
  http://www.handelsblatt.com/contentexport/feed/schlagzeilen  www.handelsblatt.com
sz-wirtschaft           | Süddeutsche Zeitung            | swmh                      | DE | de | major         | standards    | full/finance
  http://rss.sueddeutsche.de/rss/Wirtschaft  www.sueddeutsche.de
kurier-at               | Kurier                         | kurier-at                 | AT | de | major         | standards    | full/europe
  http://kurier.at/xml/feed  kurier.at
die-presse-wirtschaft   | Die Presse                     | styria                    | AT | de | major         | standards    | full/finance
  http://diepresse.com/rss/Wirtschaft  www.diepresse.com
nzz                     | Neue Zürcher Zeitung           | nzz                       | CH | de | major         | standards    | full/europe
  http://www.nzz.ch/startseite.rss  www.nzz.ch
tages-anzeiger          | Tages-Anzeiger                 | tx-group                  | CH | de | major         | standards    | full/europe
  http://www.tagesanzeiger.ch/rss.html  www.tagesanzeiger.ch

# Europe, Italian
ansa                    | ANSA                           | ansa                      | IT | it | wire          | agency       | full/politics
  https://www.ansa.it/sito/ansait_rss.xml  www.ansa.it
adnkronos               | Adnkronos                      | adnkronos                 | IT | it | wire          | agency       | full/europe
  http://rss.adnkronos.com/RSS_PrimaPagina.xml  www.adnkronos.com
il-post                 | Il Post                        | il-post                   | IT | it | major         | standards    | full/europe
  https://www.ilpost.it/feed/  www.ilpost.it
internazionale          | Internazionale                 | internazionale            | IT | it | major         | standards    | full/politics
  https://www.internazionale.it/sitemaps/rss.xml  www.internazionale.it
fanpage                 | Fanpage.it                     | ciaopeople                | IT | it | major         | -            | full/europe
  https://www.fanpage.it/feed/  www.fanpage.it
il-messaggero           | Il Messaggero                  | caltagirone               | IT | it | major         | -            | full/europe
  http://www.ilmessaggero.it/rss/home.xml  www.ilmessaggero.it
san-marino-rtv          | San Marino RTV                 | san-marino-rtv            | SM | it | major         | charter      | full/europe
  https://www.sanmarinortv.sm/rss.xml  www.sanmarinortv.sm

# Europe, Spanish
el-pais                 | El País                        | prisa                     | ES | es | major         | standards    | full/politics
  https://feeds.elpais.com/mrss-s/pages/ep/site/elpais.com/portada  elpais.com
cinco-dias              | Cinco Días                     | prisa                     | ES | es | specialist    | standards    | full/finance finance/markets
  https://feeds.elpais.com/mrss-s/pages/ep/site/cincodias.elpais.com/section/ultimas-noticias/portada  cincodias.elpais.com
el-mundo                | El Mundo                       | unidad-editorial          | ES | es | major         | standards    | full/europe
  https://e00-elmundo.uecdn.es/rss/portada.xml  www.elmundo.es
expansion-es            | Expansión                      | unidad-editorial          | ES | es | specialist    | standards    | full/finance finance/markets
  https://e00-expansion.uecdn.es/rss/portada.xml  www.expansion.com
abc-es                  | ABC                            | vocento                   | ES | es | major         | standards    | full/europe
  https://www.abc.es/rss/atom/portada/  www.abc.es
la-vanguardia           | La Vanguardia                  | grupo-godo                | ES | es | major         | standards    | full/europe
  https://www.lavanguardia.com/rss/home.xml  www.lavanguardia.com
eldiario-es             | elDiario.es                    | eldiario-es               | ES | es | major         | partisan     | full/europe
  https://www.eldiario.es/rss/  www.eldiario.es
europa-press            | Europa Press                   | europa-press              | ES | es | wire          | agency       | full/europe
  https://www.europapress.es/rss/rss.aspx  www.europapress.es

# Europe, Portuguese
expresso-pt             | Expresso                       | impresa                   | PT | pt | major         | standards    | full/europe
  https://rss.impresa.pt/feed/latest/expresso.rss?type=ARTICLE,VIDEO,GALLERY,STREAM,PLAYLIST,EVENT,NEWSLETTER&limit=20&pubsubhub=true  expresso.pt
publico-pt              | Público                        | publico-pt                | PT | pt | major         | standards    | full/europe
  https://feeds.feedburner.com/PublicoRSS  www.publico.pt
observador              | Observador                     | observador                | PT | pt | major         | standards    | full/europe
  https://observador.pt/rss/  observador.pt
diario-de-noticias      | Diário de Notícias             | global-media-pt           | PT | pt | major         | standards    | full/europe
  https://www.dn.pt/stories.rss/  www.dn.pt
jornal-de-negocios      | Jornal de Negócios             | medialivre                | PT | pt | specialist    | standards    | full/finance finance/markets
  https://www.jornaldenegocios.pt/rss  www.jornaldenegocios.pt

# Europe, Dutch
nos                     | NOS                            | npo                       | NL | nl | major         | charter      | full/europe
  https://feeds.nos.nl/nosnieuwsalgemeen  nos.nl
nrc                     | NRC                            | mediahuis                 | NL | nl | major         | standards    | full/europe
  https://www.nrc.nl/rss/  www.nrc.nl
nu-nl                   | NU.nl                          | dpg-media                 | NL | nl | major         | standards    | full/europe
  http://www.nu.nl/feeds/rss/algemeen.rss  www.nu.nl
de-morgen               | De Morgen                      | dpg-media                 | BE | nl | major         | standards    | full/europe
  https://demorgen.be/in-het-nieuws/rss.xml  www.demorgen.be
hln                     | Het Laatste Nieuws             | dpg-media                 | BE | nl | major         | tabloid      | full/europe
  https://www.hln.be/home/rss.xml  www.hln.be
waterkant               | Waterkant                      | waterkant                 | SR | nl | other         | -            | full/latam
  http://www.waterkant.net/feed/  www.waterkant.net
starnieuws              | Starnieuws                     | starnieuws                | SR | nl | major         | -            | full/latam
  http://www.starnieuws.com/rss/starnieuws.rss  www.starnieuws.com

# Europe, Swedish
svt                     | SVT Nyheter                    | svt                       | SE | sv | major         | charter      | full/europe
  https://www.svt.se/rss.xml  www.svt.se
dagens-nyheter          | Dagens Nyheter                 | bonnier                   | SE | sv | major         | standards    | full/europe
  http://www.dn.se/nyheter/m/rss  www.dn.se
expressen               | Expressen                      | bonnier                   | SE | sv | major         | tabloid      | full/europe
  http://www.expressen.se/rss/nyheter  www.expressen.se
dagens-industri         | Dagens industri                | bonnier                   | SE | sv | specialist    | standards    | full/finance finance/markets
  http://www.di.se/rss/  www.di.se

# Europe, Polish
pap                     | PAP                            | pap                       | PL | pl | wire          | agency       | full/europe
  https://www.pap.pl/rss.xml  www.pap.pl
wyborcza                | Gazeta Wyborcza                | agora                     | PL | pl | major         | standards    | full/europe
  https://wyborcza.pl/pub/rss/najnowsze_wyborcza.xml  wyborcza.pl
rzeczpospolita          | Rzeczpospolita                 | gremi                     | PL | pl | major         | standards    | full/europe
  https://www.rp.pl/rss_main  www.rp.pl
rmf24                   | RMF24                          | bauer-pl                  | PL | pl | major         | standards    | full/europe
  https://www.rmf24.pl/feed  www.rmf24.pl
newsweek-pl             | Newsweek Polska                | ringier-axel-springer     | PL | pl | major         | partisan     | full/europe
  https://www.newsweek.pl/rss.xml  www.newsweek.pl

# Europe, Czech
novinky                 | Novinky.cz                     | borgis                    | CZ | cs | major         | standards    | full/europe
  http://www.novinky.cz/rss/  www.novinky.cz
aktualne                | Aktuálně.cz                    | economia-cz               | CZ | cs | major         | standards    | full/europe
  http://zpravy.aktualne.cz/rss/  zpravy.aktualne.cz
hospodarske-noviny      | Hospodářské noviny             | economia-cz               | CZ | cs | major         | standards    | full/finance
  http://ihned.cz/?p=000000_rss  hn.cz

# Europe, Hungarian
hvg                     | HVG                            | hvg                       | HU | hu | major         | standards    | full/europe
  http://hvg.hu/rss  hvg.hu
index-hu                | Index                          | indamedia                 | HU | hu | major         | partisan     | full/europe
  http://index.hu/24ora/rss  index.hu
nepszava                | Népszava                       | nepszava                  | HU | hu | major         | partisan     | full/europe
  http://nepszava.hu/rss/  nepszava.hu

# Europe, Romanian
tvr-stiri               | TVR                            | tvr                       | RO | ro | major         | charter      | full/europe
  http://www.tvr.ro/rss/stiri.xml  www.tvr.ro
adevarul                | Adevărul                       | adevarul                  | RO | ro | major         | -            | full/europe
  http://adevarul.ro/rss/  adevarul.ro
biziday                 | Biziday                        | biziday                   | RO | ro | other         | standards    | full/europe
  https://www.biziday.ro/feed/  www.biziday.ro
moldova1                | Moldova 1                      | teleradio-moldova         | MD | ro | major         | charter      | full/europe
  https://moldova1.md/rss  moldova1.md
ziarul-de-garda         | Ziarul de Gardă                | ziarul-de-garda           | MD | ro | major         | standards    | full/europe
  https://www.zdg.md/feed/atom/  www.zdg.md

# Europe, Bulgarian
dnes-bg                 | Dnes.bg                        | investor-bg               | BG | bg | major         | -            | full/europe
  http://www.dnes.bg/rss.php?today  www.dnes.bg
darik                   | Darik News                     | darik                     | BG | bg | major         | -            | full/europe
  http://dariknews.bg/rss.php  dariknews.bg
actualno                | Actualno.com                   | actualno                  | BG | bg | other         | -            | full/europe
  http://rss.actualno.com/2  www.actualno.com

# Europe, Greek
proto-thema             | Proto Thema                    | proto-thema               | GR | el | major         | -            | full/europe
  http://www.protothema.gr/rss/news/general/  www.protothema.gr
skai-gr                 | SKAI                           | skai                      | GR | el | major         | -            | full/europe
  http://www.skai.gr/rss/top.aspx  www.skai.gr
to-vima-politics        | To Vima                        | alter-ego-gr              | GR | el | major         | standards    | full/europe
  http://www.tovima.gr/feed/politics/  www.tovima.gr
newsit                  | NewsIt                         | newsit                    | GR | el | other         | -            | full/europe
  http://www.newsit.gr/rss/artrss.php  www.newsit.gr
sigmalive               | SigmaLive                      | dias-media                | CY | el | major         | -            | full/europe
  http://www.sigmalive.com/rss  www.sigmalive.com

# Europe, Croatian
index-hr                | Index.hr                       | index-hr                  | HR | hr | major         | -            | full/europe
  https://www.index.hr/rss  www.index.hr
tportal                 | tportal                        | hrvatski-telekom          | HR | hr | major         | -            | full/europe
  http://www.tportal.hr/rss/naslovnicarss.xml  www.tportal.hr
dnevnik-hr              | Dnevnik.hr                     | nova-tv-hr                | HR | hr | major         | -            | full/europe
  http://rss.dnevnik.hr/index.rss  dnevnik.hr
dnevnik-ba              | Dnevnik.ba                     | dnevnik-ba                | BA | hr | other         | -            | full/europe
  http://www.dnevnik.ba/rss.xml  www.dnevnik.ba

# Europe, Ukrainian and Russian
ukrainska-pravda        | Ukrainska Pravda               | ukrainska-pravda          | UA | uk | major         | standards    | full/europe
  https://www.pravda.com.ua/rss/  www.pravda.com.ua
espreso                 | Espreso                        | espreso                   | UA | uk | major         | -            | full/europe
  https://espreso.tv/rss  espreso.tv
tsn                     | TSN                            | 1plus1                    | UA | uk | major         | -            | full/europe
  https://tsn.ua/rss/full.rss  tsn.ua
gazeta-ua               | Gazeta.ua                      | gazeta-ua                 | UA | uk | other         | -            | full/europe
  https://gazeta.ua/rss  gazeta.ua
unian-ru                | UNIAN                          | unian                     | UA | ru | wire          | -            | full/europe
  https://rss.unian.net/site/news_rus.rss  www.unian.net
meduza                  | Meduza                         | meduza                    | LV | ru | major         | standards    | full/europe
  https://meduza.io/rss/all  meduza.io
kommersant              | Kommersant                     | kommersant                | RU | ru | major         | restricted   | full/finance
  https://www.kommersant.ru/RSS/main.xml  www.kommersant.ru
lenta                   | Lenta.ru                       | rambler-sber              | RU | ru | major         | state        | full/europe
  https://lenta.ru/rss  lenta.ru
gazeta-ru               | Gazeta.Ru                      | rambler-sber              | RU | ru | major         | state        | full/europe
  https://www.gazeta.ru/export/rss/first.xml  www.gazeta.ru
rossiyskaya-gazeta      | Rossiyskaya Gazeta             | russia-government         | RU | ru | government    | state        | full/gov
  https://rg.ru/xml/index.xml  rg.ru
tass                    | TASS                           | tass                      | RU | ru | wire          | state        | full/politics
  https://tass.ru/rss/all.xml  tass.ru
ria-novosti             | RIA Novosti                    | ria-rt                    | RU | ru | wire          | state        | full/europe
  https://ria.ru/export/rss2/index.xml  ria.ru
tengrinews              | Tengrinews                     | tengrinews                | KZ | ru | major         | restricted   | full/asia
  http://tengrinews.kz/news.rss  tengrinews.kz
gazeta-uz               | Gazeta.uz                      | gazeta-uz                 | UZ | ru | major         | restricted   | full/asia
  http://www.gazeta.uz/rss/  www.gazeta.uz
point-md                | Point.md                       | point-md                  | MD | ru | other         | aggregator   | full/europe
  http://point.md/ru/rss/novosti/  point.md

# Caucasus and Central Asia in English
news-am                 | NEWS.am                        | news-am                   | AM | -  | major         | -            | full/europe
  http://news.am/eng/rss/  news.am
aravot-en               | Aravot                         | aravot                    | AM | -  | major         | -            | full/europe
  http://en.aravot.am/feed/  en.aravot.am
trend-az                | Trend                          | trend-az                  | AZ | -  | wire          | restricted   | full/asia
  http://en.trend.az/feeds/index.rss  en.trend.az
akipress                | AKIpress                       | akipress                  | KG | -  | wire          | -            | full/asia
  http://www.akipress.com/rss/en.rss  akipress.com

# Turkey
cumhuriyet              | Cumhuriyet                     | cumhuriyet                | TR | tr | major         | partisan     | full/middleeast
  http://www.cumhuriyet.com.tr/rss/son_dakika.xml  www.cumhuriyet.com.tr
sabah                   | Sabah                          | turkuvaz                  | TR | tr | major         | partisan     | full/middleeast
  http://www.sabah.com.tr/rss/anasayfa.xml  www.sabah.com.tr
en-son-haber            | En Son Haber                   | en-son-haber              | TR | tr | other         | -            | full/middleeast
  http://www.ensonhaber.com/rss.xml  www.ensonhaber.com
mynet                   | Mynet                          | mynet                     | TR | tr | other         | aggregator   | full/middleeast
  http://www.mynet.com/haber/rss/sondakika  www.mynet.com

# Middle East
jerusalem-post          | The Jerusalem Post             | jerusalem-post            | IL | -  | major         | partisan     | full/middleeast
  http://www.jpost.com/RSS/RssFeedsFrontPage.aspx  www.jpost.com
isna                    | ISNA                           | isna                      | IR | fa | wire          | restricted   | full/middleeast
  https://www.isna.ir/rss  www.isna.ir
mehr                    | Mehr News Agency               | mehr                      | IR | fa | wire          | state        | full/middleeast
  https://www.mehrnews.com/rss  www.mehrnews.com
khabaronline            | Khabar Online                  | khabaronline              | IR | fa | major         | restricted   | full/middleeast
  https://www.khabaronline.ir/rss  www.khabaronline.ir
tabnak                  | Tabnak                         | tabnak                    | IR | fa | major         | restricted   | full/middleeast
  https://www.tabnak.ir/fa/rss/allnews  www.tabnak.ir
asr-iran                | Asr Iran                       | asr-iran                  | IR | fa | major         | restricted   | full/middleeast
  https://www.asriran.com/fa/rss/allnews  www.asriran.com
yjc                     | Young Journalists Club         | irib                      | IR | fa | wire          | state        | full/middleeast
  https://www.yjc.ir/fa/rss/allnews  www.yjc.ir
hespress                | Hespress                       | hespress                  | MA | ar | major         | -            | full/africa full/middleeast
  http://www.hespress.com/feed/index.rss  www.hespress.com
mareb-press             | Mareb Press                    | mareb-press               | YE | ar | other         | -            | full/middleeast
  https://marebpress.net/news_rss.php  marebpress.net
jordan-zad              | Jordan Zad                     | jordan-zad                | JO | ar | other         | -            | full/middleeast
  http://www.jordanzad.com/rss.php?type=main  www.jordanzad.com

# Africa
daily-maverick          | Daily Maverick                 | daily-maverick            | ZA | -  | major         | standards    | full/africa
  https://www.dailymaverick.co.za/dmrss/  www.dailymaverick.co.za
timeslive               | TimesLIVE                      | arena-holdings            | ZA | -  | major         | standards    | full/africa
  https://www.timeslive.co.za/rss/  www.timeslive.co.za
the-citizen-za          | The Citizen                    | caxton                    | ZA | -  | major         | standards    | full/africa
  https://citizen.co.za/feed/  www.citizen.co.za
the-south-african       | The South African              | blue-sky-za               | ZA | -  | other         | -            | full/africa
  https://www.thesouthafrican.com/feed/  www.thesouthafrican.com
moneyweb                | Moneyweb                       | caxton                    | ZA | -  | specialist    | standards    | full/finance finance/markets
  https://www.moneyweb.co.za/feed/  www.moneyweb.co.za
techcentral-za          | TechCentral                    | techcentral-za            | ZA | -  | specialist    | trade        | tech/regionalStartups
  https://techcentral.co.za/feed  techcentral.co.za
premium-times           | Premium Times                  | premium-times             | NG | -  | major         | standards    | full/africa
  https://www.premiumtimesng.com/feed  www.premiumtimesng.com
guardian-ng             | The Guardian Nigeria           | guardian-ng               | NG | -  | major         | standards    | full/africa
  https://guardian.ng/feed/  guardian.ng
daily-post-ng           | Daily Post                     | daily-post-ng             | NG | -  | other         | -            | full/africa
  https://dailypost.ng/feed  dailypost.ng
the-nation-ng           | The Nation                     | vintage-press-ng          | NG | -  | major         | partisan     | full/africa
  https://thenationonlineng.net/feed/  thenationonlineng.net
punch-ng                | The Punch                      | punch-ng                  | NG | -  | major         | standards    | full/africa
  http://www.punchng.com/feed/  punchng.com
standard-ke-business    | The Standard                   | standard-group-ke         | KE | -  | major         | -            | full/africa
  http://www.standardmedia.co.ke/rss/business.php  www.standardmedia.co.ke
nairobi-wire            | Nairobi Wire                   | nairobi-wire              | KE | -  | other         | -            | full/africa
  http://nairobiwire.com/feed  nairobiwire.com
nyasa-times             | Nyasa Times                    | nyasa-times               | MW | -  | other         | -            | full/africa
  http://www.nyasatimes.com/feed/  www.nyasatimes.com
the-point-gm            | The Point                      | the-point-gm              | GM | -  | major         | -            | full/africa
  http://thepoint.gm/posts/rss/xml  thepoint.gm
tumfweko                | Tumfweko                       | tumfweko                  | ZM | -  | other         | -            | full/africa
  http://tumfweko.com/feed/  tumfweko.com
tsa-dz                  | TSA                            | tsa-dz                    | DZ | fr | major         | -            | full/africa
  http://www.tsa-algerie.com/feed/  www.tsa-algerie.com
algerie360              | Algérie360                     | algerie360                | DZ | fr | other         | -            | full/africa
  http://www.algerie360.com/feed/  www.algerie360.com
leaders-tn              | Leaders                        | leaders-tn                | TN | fr | major         | -            | full/africa
  http://www.leaders.com.tn/rss  www.leaders.com.tn
senego                  | Senego                         | senego                    | SN | fr | other         | -            | full/africa
  http://senego.com/feed  senego.com
leral                   | Leral.net                      | leral                     | SN | fr | other         | -            | full/africa
  http://www.leral.net/xml/syndication.rss  www.leral.net
madagascar-tribune      | Madagascar-Tribune             | madagascar-tribune        | MG | fr | major         | -            | full/africa
  http://www.madagascar-tribune.com/spip.php?page=backend  www.madagascar-tribune.com
guineenews              | Guinéenews                     | guineenews                | GN | fr | other         | -            | full/africa
  http://guineenews.org/feed/  guineenews.org
tamtaminfo              | Tam Tam Info                   | tamtaminfo                | NE | fr | other         | -            | full/africa
  http://www.tamtaminfo.com/feed/  www.tamtaminfo.com
lexpress-mu             | L'Express Maurice              | la-sentinelle             | MU | fr | major         | -            | full/africa
  http://www.lexpress.mu/rss.xml  lexpress.mu
bbc-africa              | BBC News                       | bbc                       | GB | -  | major         | charter      | full/africa
  http://feeds.bbci.co.uk/news/world/africa/rss.xml  www.bbc.com/news/world/africa

# Latin America
infobae                 | Infobae                        | infobae                   | AR | es | major         | -            | full/latam
  https://www.infobae.com/arc/outboundfeeds/rss/  www.infobae.com
clarin                  | Clarín                         | grupo-clarin              | AR | es | major         | standards    | full/latam
  https://www.clarin.com/rss/lo-ultimo/  www.clarin.com
la-nacion-ar            | La Nación                      | la-nacion-ar              | AR | es | major         | standards    | full/latam
  https://www.lanacion.com.ar/arc/outboundfeeds/rss/?outputType=xml  www.lanacion.com.ar
el-cronista             | El Cronista                    | el-cronista               | AR | es | specialist    | standards    | full/finance finance/markets
  https://www.cronista.com/files/rss/news.xml  www.cronista.com
buenos-aires-times      | Buenos Aires Times             | perfil                    | AR | -  | major         | standards    | full/latam
  https://www.batimes.com.ar/feed  www.batimes.com.ar
buenos-aires-herald     | Buenos Aires Herald            | ambito                    | AR | -  | major         | standards    | full/latam
  https://buenosairesherald.com/feed/atom  buenosairesherald.com
folha                   | Folha de S.Paulo               | grupo-folha               | BR | pt | major         | standards    | full/latam
  https://feeds.folha.uol.com.br/emcimadahora/rss091.xml  www.folha.uol.com.br
g1                      | G1                             | grupo-globo               | BR | pt | major         | standards    | full/latam
  https://g1.globo.com/rss/g1/  g1.globo.com
o-globo                 | O Globo                        | grupo-globo               | BR | pt | major         | standards    | full/latam
  https://oglobo.globo.com/rss/oglobo  oglobo.globo.com
estadao                 | O Estado de S. Paulo           | grupo-estado              | BR | pt | major         | standards    | full/latam
  https://www.estadao.com.br/arc/outboundfeeds/feeds/rss/sections/geral/  www.estadao.com.br
bbc-brasil              | BBC News Brasil                | bbc                       | GB | pt | major         | charter      | full/politics full/latam
  https://feeds.bbci.co.uk/portuguese/rss.xml  www.bbc.com/portuguese
agencia-brasil          | Agência Brasil                 | ebc-br                    | BR | pt | wire          | statefunded  | full/latam full/gov
  https://agenciabrasil.ebc.com.br/rss/ultimasnoticias/feed.xml  agenciabrasil.ebc.com.br
rio-times               | The Rio Times                  | rio-times                 | BR | -  | other         | -            | full/latam
  https://riotimesonline.com/feed/  www.riotimesonline.com
mexico-news-daily       | Mexico News Daily              | mexico-news-daily         | MX | -  | other         | standards    | full/latam
  https://mexiconewsdaily.com/feed/  mexiconewsdaily.com
el-financiero-mx        | El Financiero                  | el-financiero-mx          | MX | es | specialist    | standards    | full/finance finance/markets
  https://www.elfinanciero.com.mx/arc/outboundfeeds/rss/?outputType=xml  www.elfinanciero.com.mx
excelsior               | Excélsior                      | imagen-mx                 | MX | es | major         | standards    | full/latam
  https://www.excelsior.com.mx/rss.xml  www.excelsior.com.mx
reforma                 | Reforma                        | grupo-reforma             | MX | es | major         | standards    | full/latam
  https://www.reforma.com/rss/portada.xml  www.reforma.com
the-clinic              | The Clinic                     | the-clinic                | CL | es | other         | partisan     | full/latam
  https://www.theclinic.cl/feed/  www.theclinic.cl
diario-financiero-cl    | Diario Financiero              | diario-financiero-cl      | CL | es | specialist    | standards    | full/finance
  https://www.df.cl/noticias/site/list/port/rss.xml  www.df.cl
el-comercio-pe          | El Comercio                    | grupo-el-comercio-pe      | PE | es | major         | standards    | full/latam
  https://elcomercio.pe/arc/outboundfeeds/rss/?outputType=xml  elcomercio.pe
gestion                 | Gestión                        | grupo-el-comercio-pe      | PE | es | specialist    | standards    | full/finance
  https://gestion.pe/arc/outboundfeeds/rss/?outputType=xml  gestion.pe
la-republica-pe         | La República                   | grupo-la-republica-pe     | PE | es | major         | standards    | full/latam
  https://larepublica.pe/rss/home.xml  larepublica.pe
el-comercio-ec          | El Comercio                    | el-comercio-ec            | EC | es | major         | -            | full/latam
  https://www.elcomercio.com/feed/  www.elcomercio.com
expreso-ec              | Expreso                        | granasa                   | EC | es | major         | -            | full/latam
  https://www.expreso.ec/rss/  www.expreso.ec
opinion-bo              | Opinión                        | opinion-bo                | BO | es | major         | -            | full/latam
  https://www.opinion.com.bo/rss/  www.opinion.com.bo
la-diaria               | la diaria                      | la-diaria                 | UY | es | major         | standards    | full/latam
  https://ladiaria.com.uy/feeds/articulos  ladiaria.com.uy
el-colombiano           | El Colombiano                  | el-colombiano             | CO | es | major         | standards    | full/latam
  http://www.elcolombiano.com/rss/inicio.xml  www.elcolombiano.com
el-nacional-ve          | El Nacional                    | el-nacional-ve            | VE | es | major         | partisan     | full/latam
  http://www.el-nacional.com/rss/  www.elnacional.com
la-nacion-cr            | La Nación                      | grupo-nacion-cr           | CR | es | major         | standards    | full/latam
  http://www.nacion.com/rss/  www.nacion.com
plaza-publica           | Plaza Pública                  | plaza-publica             | GT | es | other         | standards    | full/latam
  http://www.plazapublica.com.gt/rss  www.plazapublica.com.gt
14ymedio                | 14ymedio                       | 14ymedio                  | CU | es | other         | partisan     | full/latam
  https://www.14ymedio.com/rss/  www.14ymedio.com
jamaica-gleaner         | Jamaica Gleaner                | rjrgleaner                | JM | -  | major         | standards    | full/latam
  http://jamaica-gleaner.com/feed/rss.xml  jamaica-gleaner.com
barbados-today          | Barbados Today                 | barbados-today            | BB | -  | major         | -            | full/latam
  http://www.barbadostoday.bb/feed/  barbadostoday.bb
kaieteur-news           | Kaieteur News                  | kaieteur-news             | GY | -  | major         | partisan     | full/latam
  http://www.kaieteurnewsonline.com/feed/  www.kaieteurnewsonline.com
haiti-libre             | Haiti Libre                    | haiti-libre               | HT | -  | other         | -            | full/latam
  http://www.haitilibre.com/rss-flash-en.xml  www.haitilibre.com
cayman-news-service     | Cayman News Service            | cayman-news-service       | KY | -  | other         | -            | full/latam
  https://caymannewsservice.com/feed/  caymannewsservice.com

# South Asia
the-hindu-international | The Hindu                      | the-hindu                 | IN | -  | major         | standards    | full/asia
  https://www.thehindu.com/news/international/feeder/default.rss  www.thehindu.com
the-hindu-business      | The Hindu                      | the-hindu                 | IN | -  | major         | standards    | full/finance
  https://www.thehindu.com/business/feeder/default.rss  www.thehindu.com/business
india-today             | India Today                    | living-media              | IN | -  | major         | -            | full/asia
  https://www.indiatoday.in/rss/home  www.indiatoday.in
the-print               | ThePrint                       | the-print                 | IN | -  | major         | standards    | full/asia
  https://theprint.in/feed/  theprint.in
bbc-india               | BBC News                       | bbc                       | GB | -  | major         | charter      | full/asia
  http://feeds.bbci.co.uk/news/world/asia/india/rss.xml  www.bbc.com/news/world/asia/india
economic-times          | The Economic Times             | times-group               | IN | -  | specialist    | -            | full/finance finance/markets
  https://economictimes.indiatimes.com/rssfeedsdefault.cms  economictimes.indiatimes.com
et-energyworld          | ET EnergyWorld                 | times-group               | IN | -  | specialist    | trade        | full/energy commodity/energy
  https://b2b.economictimes.indiatimes.com/rss/energy  energy.economictimes.indiatimes.com
et-ciso                 | ET CISO                        | times-group               | IN | -  | specialist    | trade        | tech/security
  https://b2b.economictimes.indiatimes.com/rss/ciso  ciso.economictimes.indiatimes.com
et-cio                  | ET CIO                         | times-group               | IN | -  | specialist    | trade        | tech/tech
  https://b2b.economictimes.indiatimes.com/rss/cio  cio.economictimes.indiatimes.com
et-bfsi                 | ET BFSI                        | times-group               | IN | -  | specialist    | trade        | finance/fintech
  https://b2b.economictimes.indiatimes.com/rss/bfsi  bfsi.economictimes.indiatimes.com
et-entrepreneur         | The Economic Times             | times-group               | IN | -  | specialist    | trade        | tech/regionalStartups
  https://b2b.economictimes.indiatimes.com/rss/entrepreneur  b2b.economictimes.indiatimes.com
et-government           | ET Government                  | times-group               | IN | -  | specialist    | trade        | full/gov
  https://b2b.economictimes.indiatimes.com/rss/government  government.economictimes.indiatimes.com
business-line           | The Hindu BusinessLine         | the-hindu                 | IN | -  | specialist    | standards    | full/finance
  https://www.thehindubusinessline.com/feeder/default.rss  www.thehindubusinessline.com
business-standard       | Business Standard              | business-standard         | IN | -  | specialist    | standards    | full/finance finance/markets
  https://www.business-standard.com/rss/home_page_top_stories.rss  www.business-standard.com
sebi                    | SEBI (India)                   | india-government          | IN | -  | government    | record       | finance/fin-regulation
  https://www.sebi.gov.in/sebirss.xml  www.sebi.gov.in
amar-ujala              | Amar Ujala                     | amar-ujala                | IN | hi | major         | -            | full/asia
  https://www.amarujala.com/rss/breaking-news.xml  www.amarujala.com
dainik-bhaskar          | Dainik Bhaskar                 | dainik-bhaskar            | IN | hi | major         | -            | full/asia
  https://www.bhaskar.com/rss-v1--category-1061.xml  www.bhaskar.com
navbharat-times         | Navbharat Times                | times-group               | IN | hi | major         | -            | full/asia
  https://navbharattimes.indiatimes.com/rssfeedsdefault.cms  navbharattimes.indiatimes.com
jansatta                | Jansatta                       | indian-express            | IN | hi | major         | standards    | full/asia
  https://www.jansatta.com/feed/  www.jansatta.com
daily-star-bd           | The Daily Star                 | mediastar-bd              | BD | -  | major         | standards    | full/asia
  https://www.thedailystar.net/frontpage/rss.xml  www.thedailystar.net
express-tribune         | The Express Tribune            | express-pk                | PK | -  | major         | standards    | full/asia
  https://tribune.com.pk/feed/home  tribune.com.pk
the-news-pk             | The News International         | jang-group                | PK | -  | major         | -            | full/asia
  https://www.thenews.com.pk/rss/1/1  www.thenews.com.pk
the-nation-pk           | The Nation                     | nawaiwaqt                 | PK | -  | major         | -            | full/asia
  https://nation.com.pk/rss/top-stories  www.nation.com.pk
psm-mv                  | PSM News                       | psm-mv                    | MV | -  | major         | state        | full/asia
  https://psmnews.mv/feed/  psmnews.mv

# East and South-East Asia
kyodo-en                | Kyodo News                     | kyodo                     | JP | -  | wire          | agency       | full/asia
  https://english.kyodonews.net/rss/all.xml  english.kyodonews.net
japan-times             | The Japan Times                | japan-times               | JP | -  | major         | standards    | full/asia
  https://www.japantimes.co.jp/feed/topstories/  www.japantimes.co.jp
japan-today             | Japan Today                    | japan-today               | JP | -  | other         | aggregator   | full/asia
  https://japantoday.com/feed  japantoday.com
livedoor-topics         | Livedoor News                  | livedoor                  | JP | ja | other         | aggregator   | full/asia
  https://news.livedoor.com/topics/rss/top.xml  news.livedoor.com
livedoor-world          | Livedoor News                  | livedoor                  | JP | ja | other         | aggregator   | full/politics
  http://news.livedoor.com/topics/rss/int.xml  news.livedoor.com
asahi                   | The Asahi Shimbun              | asahi                     | JP | ja | major         | standards    | full/asia
  http://rss.asahi.com/rss/asahi/newsheadlines.rdf  www.asahi.com
bridge-jp               | BRIDGE                         | bridge-jp                 | JP | ja | specialist    | trade        | tech/regionalStartups
  http://feeds.feedburner.com/SdJapan  thebridge.jp
xinhua-world            | Xinhua                         | xinhua                    | CN | -  | wire          | state        | full/politics
  http://www.xinhuanet.com/english/rss/worldrss.xml  www.xinhuanet.com/english
xinhua-china            | Xinhua                         | xinhua                    | CN | -  | wire          | state        | full/asia
  http://www.xinhuanet.com/english/rss/chinarss.xml  www.xinhuanet.com/english
ecns                    | China News Service             | china-news-service        | CN | -  | wire          | state        | full/asia
  http://www.ecns.cn/rss/rss.xml  www.ecns.cn
scmp-china              | South China Morning Post       | alibaba                   | HK | -  | major         | restricted   | full/asia
  https://www.scmp.com/rss/4/feed  www.scmp.com
scmp-business           | South China Morning Post       | alibaba                   | HK | -  | major         | restricted   | full/finance finance/markets
  https://www.scmp.com/rss/92/feed  www.scmp.com/business
scmp-tech               | South China Morning Post       | alibaba                   | HK | -  | major         | restricted   | full/tech tech/tech
  https://www.scmp.com/rss/320663/feed  www.scmp.com/tech
hkfp                    | Hong Kong Free Press           | hkfp                      | HK | -  | major         | standards    | full/asia
  https://www.hongkongfp.com/feed/  hongkongfp.com
hket                    | Hong Kong Economic Times       | hket                      | HK | zh | major         | restricted   | full/asia full/finance
  https://www.hket.com/rss/hongkong  www.hket.com
headline-daily          | Headline Daily                 | sing-tao                  | HK | zh | major         | restricted   | full/asia
  https://hd.stheadline.com/rss/news/daily/  hd.stheadline.com
the-standard-hk         | The Standard                   | sing-tao                  | HK | -  | major         | restricted   | full/asia
  https://www.thestandard.com.hk/newsfeed/latest/news.xml  www.thestandard.com.hk
inquirer-ph             | Philippine Daily Inquirer      | inquirer-ph               | PH | -  | major         | standards    | full/asia
  https://www.inquirer.net/fullfeed  www.inquirer.net
philstar                | The Philippine Star            | mediaquest-ph             | PH | -  | major         | standards    | full/asia
  https://www.philstar.com/rss/headlines  www.philstar.com
gma-news                | GMA News                       | gma-ph                    | PH | -  | major         | standards    | full/asia
  https://data.gmanews.tv/gno/rss/news/feed.xml  www.gmanetwork.com/news
businessworld-ph        | BusinessWorld                  | mediaquest-ph             | PH | -  | specialist    | standards    | full/finance
  https://www.bworldonline.com/feed/  www.bworldonline.com
pna-ph                  | Philippine News Agency         | philippines-government    | PH | -  | wire          | governing    | full/gov full/asia
  https://www.pna.gov.ph/latest.rss  www.pna.gov.ph
pia-ph                  | Philippine Information Agency  | philippines-government    | PH | -  | government    | governing    | full/gov
  https://pia.gov.ph/news/feed.rss  pia.gov.ph
republika               | Republika                      | mahaka                    | ID | id | major         | -            | full/asia
  https://www.republika.co.id/rss/  www.republika.co.id
merdeka                 | Merdeka.com                    | kapanlagi-emtek           | ID | id | major         | -            | full/asia
  https://www.merdeka.com/feed/  www.merdeka.com
suara                   | Suara.com                      | arkadia                   | ID | id | major         | -            | full/asia
  https://www.suara.com/rss  www.suara.com
tribunnews              | Tribunnews                     | kompas-gramedia           | ID | id | major         | -            | full/asia
  https://www.tribunnews.com/rss  www.tribunnews.com
okezone                 | Okezone                        | mnc-id                    | ID | id | major         | -            | full/asia
  http://sindikasi.okezone.com/index.php/rss/0/RSS2.0  www.okezone.com
the-star-my             | The Star                       | star-media-my             | MY | -  | major         | restricted   | full/asia
  http://www.thestar.com.my/RSS/News/Nation/  www.thestar.com.my
sanook-crime            | Sanook                         | tencent-th                | TH | th | other         | tabloid      | full/asia
  http://rssfeeds.sanook.com/rss/feeds/sanook/news.crime.xml  www.sanook.com/news
vnexpress-business      | VnExpress                      | vnexpress                 | VN | vi | major         | state        | full/finance
  http://vnexpress.net/rss/kinh-doanh.rss  vnexpress.net

# Oceania
abc-au                  | ABC News                       | abc-au                    | AU | -  | major         | charter      | full/asia
  https://www.abc.net.au/news/feed/1948/rss.xml  www.abc.net.au/news
smh                     | The Sydney Morning Herald      | nine-au                   | AU | -  | major         | standards    | full/asia
  https://www.smh.com.au/rss/feed.xml  www.smh.com.au
the-age                 | The Age                        | nine-au                   | AU | -  | major         | standards    | full/asia
  https://www.theage.com.au/rss/feed.xml  www.theage.com.au
canberra-times          | The Canberra Times             | acm-au                    | AU | -  | other         | standards    | full/asia
  https://www.canberratimes.com.au/rss.xml  www.canberratimes.com.au
business-news-wa        | Business News                  | business-news-wa          | AU | -  | specialist    | trade        | full/finance
  https://www.businessnews.com.au/rssfeed/latest.rss  www.businessnews.com.au
michael-west            | Michael West Media             | michael-west              | AU | -  | other         | partisan     | full/finance
  https://www.michaelwest.com.au/feed/  michaelwest.com.au
nz-herald               | The New Zealand Herald         | nzme                      | NZ | -  | major         | standards    | full/asia
  http://rss.nzherald.co.nz/rss/xml/nzhrsscid_000000001.xml  www.nzherald.co.nz
otago-daily-times       | Otago Daily Times              | allied-press              | NZ | -  | other         | standards    | full/asia
  http://www.odt.co.nz/news/feed  www.odt.co.nz
nz-standard             | The Standard                   | nz-standard               | NZ | -  | other         | partisan     | full/asia
  http://thestandard.org.nz/feed/  thestandard.org.nz
solomon-times           | Solomon Times                  | solomon-times             | SB | -  | major         | -            | full/asia
  http://www.solomontimes.com/rss/latest-news.xml  www.solomontimes.com
tahiti-infos            | Tahiti Infos                   | tahiti-infos              | PF | fr | major         | -            | full/asia
  http://www.tahiti-infos.com/xml/syndication.rss  www.tahiti-infos.com

# Governments and public services
us-state-department     | Department of State            | us-government             | US | -  | government    | governing    | full/gov
  https://www.state.gov/rss-feed/press-releases/feed/  www.state.gov
usgs-significant        | US Geological Survey           | us-government             | US | -  | government    | record       | full/crisis
  https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary/significant_week.atom  earthquake.usgs.gov
nhc-atlantic            | National Hurricane Center      | us-government             | US | -  | government    | record       | full/crisis
  https://www.nhc.noaa.gov/index-at.xml  www.nhc.noaa.gov
cisa                    | CISA                           | us-government             | US | -  | government    | record       | full/intel tech/security
  https://www.cisa.gov/cybersecurity-advisories/all.xml  www.cisa.gov
ncsc-uk                 | National Cyber Security Centre | uk-government             | GB | -  | government    | record       | full/intel tech/security
  https://www.ncsc.gov.uk/api/1/services/v1/all-rss-feed.xml  www.ncsc.gov.uk
eia-today               | EIA                            | us-government             | US | -  | government    | record       | full/energy commodity/energy
  https://www.eia.gov/rss/todayinenergy.xml  www.eia.gov
nasa-releases           | NASA                           | us-government             | US | -  | government    | record       | happy/science happy/inspiring
  https://www.nasa.gov/news-release/feed/  www.nasa.gov
earth-observatory       | NASA Earth Observatory         | us-government             | US | -  | government    | record       | happy/nature
  https://earthobservatory.nasa.gov/feeds/earth-observatory.rss  earthobservatory.nasa.gov
ftc                     | Federal Trade Commission       | us-government             | US | -  | government    | record       | tech/policy
  https://www.ftc.gov/feeds/press-release.xml  www.ftc.gov

# Think tanks and security
war-on-the-rocks        | War on the Rocks               | war-on-the-rocks          | US | -  | specialist    | contributors | full/thinktanks full/intel
  https://warontherocks.com/feed/  warontherocks.com
atlantic-council        | Atlantic Council               | atlantic-council          | US | -  | specialist    | research     | full/thinktanks
  https://www.atlanticcouncil.org/feed/  www.atlanticcouncil.org
ecfr                    | ECFR                           | ecfr                      | DE | -  | specialist    | research     | full/thinktanks
  https://ecfr.eu/feed/  ecfr.eu
aspi-strategist         | The Strategist                 | aspi                      | AU | -  | specialist    | research     | full/thinktanks
  https://www.aspistrategist.org.au/feed/  www.aspistrategist.org.au
the-diplomat            | The Diplomat                   | the-diplomat              | US | -  | specialist    | contributors | full/thinktanks full/asia
  https://thediplomat.com/feed/  thediplomat.com
bellingcat              | Bellingcat                     | bellingcat                | NL | -  | specialist    | standards    | full/intel
  https://www.bellingcat.com/feed/  www.bellingcat.com
breaking-defense        | Breaking Defense               | breaking-media            | US | -  | specialist    | trade        | full/intel
  https://breakingdefense.com/feed/  breakingdefense.com
krebs                   | Krebs on Security              | krebs                     | US | -  | specialist    | standards    | tech/security
  https://krebsonsecurity.com/feed/  krebsonsecurity.com

# Central banks and financial authorities
fed-all                 | Federal Reserve Board          | federal-reserve           | US | -  | government    | record       | full/gov full/finance
  https://www.federalreserve.gov/feeds/press_all.xml  www.federalreserve.gov
fed-monetary            | Federal Reserve Board          | federal-reserve           | US | -  | government    | record       | finance/centralbanks
  https://www.federalreserve.gov/feeds/press_monetary.xml  www.federalreserve.gov/monetarypolicy.htm
fed-banking-rules       | Federal Reserve Board          | federal-reserve           | US | -  | government    | record       | finance/fin-regulation
  https://www.federalreserve.gov/feeds/press_bcreg.xml  www.federalreserve.gov/supervisionreg.htm
ny-fed-liberty-street   | Liberty Street Economics       | federal-reserve           | US | -  | specialist    | research     | finance/analysis
  https://libertystreeteconomics.newyorkfed.org/feed/  libertystreeteconomics.newyorkfed.org
ecb                     | European Central Bank          | ecb                       | DE | -  | international | record       | finance/centralbanks
  https://www.ecb.europa.eu/rss/press.html  www.ecb.europa.eu
bank-of-england         | Bank of England                | bank-of-england           | GB | -  | government    | record       | finance/centralbanks
  https://www.bankofengland.co.uk/rss/news  www.bankofengland.co.uk
bank-of-japan           | Bank of Japan                  | bank-of-japan             | JP | -  | government    | record       | finance/centralbanks
  https://www.boj.or.jp/en/rss/whatsnew.xml  www.boj.or.jp/en
rba                     | Reserve Bank of Australia      | reserve-bank-of-australia | AU | -  | government    | record       | finance/centralbanks
  https://www.rba.gov.au/rss/rss-cb-media-releases.xml  www.rba.gov.au
us-treasury-auctions    | TreasuryDirect                 | us-government             | US | -  | government    | record       | finance/bonds
  https://www.treasurydirect.gov/TA_WS/securities/announced/rss  www.treasurydirect.gov
sec-press               | SEC (United States)            | us-government             | US | -  | government    | record       | finance/fin-regulation
  https://www.sec.gov/news/pressreleases.rss  www.sec.gov
fca                     | Financial Conduct Authority    | uk-government             | GB | -  | government    | record       | finance/fin-regulation
  https://www.fca.org.uk/news/rss.xml  www.fca.org.uk
cftc                    | CFTC                           | us-government             | US | -  | government    | record       | finance/derivatives finance/fin-regulation commodity/commodity-regulation
  https://www.cftc.gov/RSS/RSSGP/rssgp.xml  www.cftc.gov
bls                     | Bureau of Labor Statistics     | us-government             | US | -  | government    | record       | finance/economic
  https://www.bls.gov/feed/bls_latest.rss  www.bls.gov
bea                     | Bureau of Economic Analysis    | us-government             | US | -  | government    | record       | finance/economic
  https://apps.bea.gov/rss/rss.xml  www.bea.gov
statcan                 | Statistics Canada              | canada-government         | CA | -  | government    | record       | finance/economic
  https://www150.statcan.gc.ca/n1/rss/dai-quo/0-eng.atom  www.statcan.gc.ca
isda                    | ISDA                           | isda                      | US | -  | specialist    | advocacy     | finance/derivatives
  https://www.isda.org/feed/  www.isda.org

# Markets and commodities
cnbc-us                 | CNBC                           | versant                   | US | -  | major         | standards    | full/finance finance/markets commodity/markets
  https://www.cnbc.com/id/100003114/device/rss/rss.html  www.cnbc.com
yahoo-finance           | Yahoo Finance                  | yahoo                     | US | -  | specialist    | aggregator   | full/finance finance/markets tech/finance commodity/finance
  https://finance.yahoo.com/news/rssindex  finance.yahoo.com
marketwatch             | MarketWatch                    | news-corp                 | US | -  | specialist    | standards    | finance/markets commodity/markets
  http://feeds.marketwatch.com/marketwatch/marketpulse/  www.marketwatch.com
fortune                 | Fortune                        | fortune                   | US | -  | major         | standards    | full/finance
  https://fortune.com/feed  fortune.com
forbes-business         | Forbes                         | forbes                    | US | -  | major         | contributors | full/finance
  https://www.forbes.com/business/feed/  www.forbes.com
investing-news          | Investing.com                  | investing-com             | IL | -  | specialist    | aggregator   | finance/markets commodity/markets
  https://www.investing.com/rss/news.rss  www.investing.com
seeking-alpha-currents  | Seeking Alpha                  | seeking-alpha             | US | -  | specialist    | contributors | finance/analysis
  https://seekingalpha.com/market_currents.xml  seekingalpha.com
nyt-business            | The New York Times             | new-york-times            | US | -  | major         | standards    | full/finance
  http://rss.nytimes.com/services/xml/rss/nyt/Business.xml  www.nytimes.com/section/business
ndtv-profit             | NDTV Profit                    | ndtv                      | IN | -  | specialist    | -            | finance/markets
  https://feeds.feedburner.com/ndtvprofit-latest  www.ndtvprofit.com
nasdaq-ipos             | Nasdaq                         | nasdaq                    | US | -  | specialist    | contributors | finance/ipo tech/ipo
  https://www.nasdaq.com/feed/rssoutbound?category=IPOs  www.nasdaq.com
nasdaq-options          | Nasdaq                         | nasdaq                    | US | -  | specialist    | contributors | finance/derivatives
  https://www.nasdaq.com/feed/rssoutbound?category=Options  www.nasdaq.com
nasdaq-fintech          | Nasdaq                         | nasdaq                    | US | -  | specialist    | contributors | finance/fintech
  https://www.nasdaq.com/feed/rssoutbound?category=FinTech  www.nasdaq.com
nasdaq-commodities      | Nasdaq                         | nasdaq                    | US | -  | specialist    | contributors | full/commodities finance/commodities commodity/commodity-news
  https://www.nasdaq.com/feed/rssoutbound?category=Commodities  www.nasdaq.com
investing-forex         | Investing.com                  | investing-com             | IL | -  | specialist    | aggregator   | finance/forex
  https://www.investing.com/rss/news_1.rss  www.investing.com/news/forex-news
investing-commodities   | Investing.com                  | investing-com             | IL | -  | specialist    | aggregator   | full/commodities finance/commodities commodity/commodity-news
  https://www.investing.com/rss/news_11.rss  www.investing.com/news/commodities-news
fxstreet                | FXStreet                       | fxstreet                  | ES | -  | specialist    | trade        | finance/forex
  https://www.fxstreet.com/rss/news  www.fxstreet.com
coindesk                | CoinDesk                       | bullish                   | US | -  | specialist    | trade        | finance/crypto
  https://www.coindesk.com/arc/outboundfeeds/rss/  www.coindesk.com
cointelegraph           | Cointelegraph                  | cointelegraph             | US | -  | specialist    | trade        | finance/crypto
  https://cointelegraph.com/rss  cointelegraph.com
finextra                | Finextra                       | finextra                  | GB | -  | specialist    | trade        | finance/fintech
  https://www.finextra.com/rss/headlines.aspx  www.finextra.com
top1000funds            | Top1000funds                   | conexus                   | AU | -  | specialist    | trade        | finance/institutional
  https://www.top1000funds.com/feed/  www.top1000funds.com
oilprice                | OilPrice.com                   | oilprice                  | GB | -  | specialist    | contributors | full/energy commodity/energy
  https://oilprice.com/rss/main  oilprice.com
world-nuclear-news      | World Nuclear News             | world-nuclear-association | GB | -  | specialist    | advocacy     | full/energy commodity/energy
  https://www.world-nuclear-news.org/rss  www.world-nuclear-news.org
mining-com              | MINING.COM                     | glacier-resource          | CA | -  | specialist    | trade        | commodity/mining-news full/commodities
  https://www.mining.com/feed/  www.mining.com
mining-com-gold         | MINING.COM                     | glacier-resource          | CA | -  | specialist    | trade        | commodity/gold-silver
  https://www.mining.com/commodity/gold/feed/  www.mining.com/commodity/gold
mining-com-copper       | MINING.COM                     | glacier-resource          | CA | -  | specialist    | trade        | commodity/base-metals
  https://www.mining.com/commodity/copper/feed/  www.mining.com/commodity/copper
mining-com-lithium      | MINING.COM                     | glacier-resource          | CA | -  | specialist    | trade        | commodity/critical-minerals
  https://www.mining.com/commodity/lithium/feed/  www.mining.com/commodity/lithium
northern-miner          | The Northern Miner             | glacier-resource          | CA | -  | specialist    | trade        | commodity/mining-companies commodity/mining-news
  https://www.northernminer.com/feed/  www.northernminer.com
freightwaves            | FreightWaves                   | freightwaves              | US | -  | specialist    | trade        | commodity/supply-chain
  https://www.freightwaves.com/feed  www.freightwaves.com
gcaptain                | gCaptain                       | gcaptain                  | US | -  | specialist    | trade        | commodity/supply-chain
  https://gcaptain.com/feed/  gcaptain.com

# Technology
verge                   | The Verge                      | vox-media                 | US | -  | specialist    | standards    | full/tech tech/tech
  https://www.theverge.com/rss/index.xml  www.theverge.com
ars-technica            | Ars Technica                   | conde-nast                | US | -  | specialist    | standards    | full/tech tech/tech
  http://feeds.arstechnica.com/arstechnica/index  arstechnica.com
techcrunch              | TechCrunch                     | techcrunch                | US | -  | specialist    | trade        | full/tech tech/tech tech/startups
  http://techcrunch.com/feed/  techcrunch.com
engadget                | Engadget                       | yahoo                     | US | -  | specialist    | standards    | tech/tech
  https://www.engadget.com/rss.xml  www.engadget.com
cnet-news               | CNET                           | ziff-davis                | US | -  | specialist    | -            | tech/tech
  https://www.cnet.com/rss/news/  www.cnet.com
gizmodo                 | Gizmodo                        | keleops                   | US | -  | specialist    | -            | tech/tech
  https://gizmodo.com/rss  gizmodo.com
next-web                | The Next Web                   | tnw                       | NL | -  | specialist    | trade        | tech/tech tech/regionalStartups
  https://thenextweb.com/feed/  thenextweb.com
readwrite               | ReadWrite                      | readwrite                 | US | -  | specialist    | -            | tech/tech
  https://readwrite.com/feed/  readwrite.com
slashdot                | Slashdot                       | slashdot                  | US | -  | other         | aggregator   | tech/tech
  http://rss.slashdot.org/Slashdot/slashdotMain  slashdot.org
hacker-news             | Hacker News                    | y-combinator              | US | -  | other         | aggregator   | tech/dev
  https://news.ycombinator.com/rss  news.ycombinator.com
stratechery             | Stratechery                    | stratechery               | US | -  | specialist    | contributors | tech/tech
  http://stratechery.com/feed/  stratechery.com
venturebeat             | VentureBeat                    | venturebeat               | US | -  | specialist    | trade        | full/ai tech/ai
  https://feeds.feedburner.com/venturebeat/SZYF  venturebeat.com
keyword                 | Google                         | alphabet                  | US | -  | specialist    | corporate    | tech/tech
  https://www.blog.google/rss/  blog.google
gadgets360              | Gadgets 360                    | ndtv                      | IN | -  | specialist    | -            | tech/tech
  https://feeds.feedburner.com/gadgets360-latest  www.gadgets360.com
github-blog             | GitHub                         | microsoft                 | US | -  | specialist    | corporate    | tech/github tech/dev
  https://github.blog/feed/  github.blog
stack-overflow-blog     | Stack Overflow                 | stack-overflow            | US | -  | specialist    | corporate    | tech/dev
  https://stackoverflow.blog/feed/  stackoverflow.blog
infoq                   | InfoQ                          | c4media                   | CA | -  | specialist    | standards    | tech/dev
  https://feed.infoq.com  www.infoq.com
jetbrains               | JetBrains                      | jetbrains                 | CZ | -  | specialist    | corporate    | tech/dev
  https://blog.jetbrains.com/feed  blog.jetbrains.com
mozilla-hacks           | Mozilla                        | mozilla                   | US | -  | specialist    | corporate    | tech/dev
  https://hacks.mozilla.org/feed/  hacks.mozilla.org
meta-engineering        | Meta                           | meta                      | US | -  | specialist    | corporate    | tech/dev
  https://engineering.fb.com/feed/  engineering.fb.com
netflix-tech            | Netflix                        | netflix                   | US | -  | specialist    | corporate    | tech/dev
  https://netflixtechblog.com/feed  netflixtechblog.com
product-hunt            | Product Hunt                   | product-hunt              | US | -  | other         | aggregator   | tech/producthunt
  https://www.producthunt.com/feed  www.producthunt.com
inc                     | Inc.                           | mansueto                  | US | -  | specialist    | contributors | tech/startups
  https://www.inc.com/rss/  www.inc.com
avc                     | AVC                            | union-square-ventures     | US | -  | specialist    | investor     | tech/vcblogs
  https://avc.com/feed/  avc.com
both-sides              | Both Sides of the Table        | upfront-ventures          | US | -  | specialist    | investor     | tech/vcblogs
  https://bothsidesofthetable.com/feed  bothsidesofthetable.com
feld-thoughts           | Feld Thoughts                  | foundry-group             | US | -  | specialist    | investor     | tech/vcblogs
  https://feld.com/feed  feld.com
steve-blank             | Steve Blank                    | steve-blank               | US | -  | specialist    | contributors | tech/startups
  https://steveblank.com/feed/  steveblank.com
springwise              | Springwise                     | springwise                | GB | -  | specialist    | trade        | happy/inspiring
  https://www.springwise.com/feed  www.springwise.com
hackaday                | Hackaday                       | supplyframe               | US | -  | specialist    | standards    | tech/hardware
  https://hackaday.com/blog/feed/  hackaday.com
gsmarena                | GSMArena                       | gsmarena                  | BG | -  | specialist    | trade        | tech/hardware
  https://www.gsmarena.com/rss-news-reviews.php3  www.gsmarena.com
appleinsider            | AppleInsider                   | quiller                   | US | -  | specialist    | trade        | tech/hardware
  https://appleinsider.com/rss/news/  appleinsider.com
9to5mac                 | 9to5Mac                        | 9to5                      | US | -  | specialist    | trade        | tech/hardware
  https://9to5mac.com/feed  9to5mac.com
android-authority       | Android Authority              | authority-media           | US | -  | specialist    | trade        | tech/hardware
  https://www.androidauthority.com/feed  www.androidauthority.com
arxiv-ai                | arXiv                          | arxiv                     | US | -  | specialist    | preprints    | full/ai tech/ai
  https://rss.arxiv.org/rss/cs.AI  arxiv.org/list/cs.AI/recent
mit-news-ai             | MIT News                       | mit                       | US | -  | specialist    | corporate    | full/ai tech/ai
  https://news.mit.edu/rss/topic/artificial-intelligence2  news.mit.edu/topic/artificial-intelligence2
techcrunch-ai           | TechCrunch                     | techcrunch                | US | -  | specialist    | trade        | full/ai tech/ai
  https://techcrunch.com/category/artificial-intelligence/feed/  techcrunch.com/category/artificial-intelligence
techcrunch-venture      | TechCrunch                     | techcrunch                | US | -  | specialist    | trade        | tech/funding
  https://techcrunch.com/category/venture/feed/  techcrunch.com/category/venture
techcrunch-layoffs      | TechCrunch                     | techcrunch                | US | -  | specialist    | trade        | full/layoffs tech/layoffs
  https://techcrunch.com/tag/layoffs/feed/  techcrunch.com/tag/layoffs
crunchbase-news         | Crunchbase News                | crunchbase                | US | -  | specialist    | trade        | tech/funding tech/unicorns
  https://news.crunchbase.com/feed/  news.crunchbase.com
y-combinator-blog       | Y Combinator                   | y-combinator              | US | -  | specialist    | investor     | tech/accelerators
  https://www.ycombinator.com/blog/rss  www.ycombinator.com/blog
aws-news                | Amazon Web Services            | amazon                    | US | -  | specialist    | corporate    | tech/cloud
  https://aws.amazon.com/blogs/aws/feed/  aws.amazon.com/blogs/aws
cloudflare-blog         | Cloudflare                     | cloudflare                | US | -  | specialist    | corporate    | tech/cloud tech/security
  https://blog.cloudflare.com/rss/  blog.cloudflare.com
kubernetes              | Kubernetes                     | cncf                      | US | -  | specialist    | corporate    | tech/cloud tech/dev
  https://kubernetes.io/feed.xml  kubernetes.io/blog
github-changelog        | GitHub                         | microsoft                 | US | -  | specialist    | corporate    | tech/github
  https://github.blog/changelog/feed/  github.blog/changelog
github-status           | GitHub                         | microsoft                 | US | -  | specialist    | record       | tech/outages
  https://www.githubstatus.com/history.rss  www.githubstatus.com
cloudflare-status       | Cloudflare                     | cloudflare                | US | -  | specialist    | record       | tech/outages
  https://www.cloudflarestatus.com/history.rss  www.cloudflarestatus.com
google-cloud-status     | Google Cloud                   | alphabet                  | US | -  | specialist    | record       | tech/outages
  https://status.cloud.google.com/en/feed.atom  status.cloud.google.com
eff                     | EFF                            | eff                       | US | -  | specialist    | advocacy     | tech/policy
  https://www.eff.org/rss/updates.xml  www.eff.org

# Science, nature and good news
sciencedaily            | ScienceDaily                   | sciencedaily              | US | -  | specialist    | aggregator   | happy/science
  https://www.sciencedaily.com/rss/all.xml  www.sciencedaily.com
phys-org                | Phys.org                       | science-x                 | IM | -  | specialist    | aggregator   | happy/science
  https://phys.org/rss-feed/  phys.org
nature                  | Nature                         | springer-nature           | GB | -  | specialist    | reviewed     | happy/science
  https://www.nature.com/nature.rss  www.nature.com
wired-science           | WIRED                          | conde-nast                | US | -  | specialist    | standards    | happy/science
  https://www.wired.com/feed/category/science/latest/rss  www.wired.com/category/science
new-scientist-space     | New Scientist                  | dmgt                      | GB | -  | specialist    | standards    | happy/science
  https://www.newscientist.com/subject/space/feed/  www.newscientist.com
sky-telescope           | Sky & Telescope                | aas                       | US | -  | specialist    | standards    | happy/science
  https://www.skyandtelescope.com/feed/  skyandtelescope.org
guardian-space          | The Guardian                   | guardian                  | GB | -  | major         | standards    | happy/science
  https://www.theguardian.com/science/space/rss  www.theguardian.com/science/space
bbc-science             | BBC News                       | bbc                       | GB | -  | major         | charter      | happy/science happy/nature
  http://feeds.bbci.co.uk/news/science_and_environment/rss.xml  www.bbc.com/news/science-environment
atlas-obscura           | Atlas Obscura                  | atlas-obscura             | US | -  | specialist    | standards    | happy/inspiring
  https://www.atlasobscura.com/feeds/latest  www.atlasobscura.com
ted-talks               | TED                            | ted                       | US | -  | specialist    | speakers     | happy/inspiring
  https://pa.tedcdn.com/feeds/talks.rss  www.ted.com
positive-news           | Positive News                  | positive-news             | GB | -  | specialist    | standards    | happy/positive
  https://www.positive.news/feed/  www.positive.news
good-news-network       | Good News Network              | good-news-network         | US | -  | other         | -            | happy/positive
  https://www.goodnewsnetwork.org/feed/  www.goodnewsnetwork.org
mongabay                | Mongabay                       | mongabay                  | US | -  | specialist    | standards    | happy/nature
  https://news.mongabay.com/feed/  news.mongabay.com
global-voices           | Global Voices                  | global-voices             | NL | -  | specialist    | contributors | happy/community
  https://globalvoices.org/feed/  globalvoices.org
shareable               | Shareable                      | shareable                 | US | -  | other         | advocacy     | happy/community
  https://www.shareable.net/feed/  www.shareable.net
`;

/** Feeds whose address is not in the reference, with the publisher's own page that documents or announces it. */
export const documentedFeeds: Readonly<Record<string, string>> = {
  "un-news": "https://news.un.org/en/rss-feeds",
  "un-news-peace": "https://news.un.org/en/rss-feeds",
  "un-news-aid": "https://news.un.org/en/rss-feeds",
  "un-news-africa": "https://news.un.org/en/rss-feeds",
  "un-news-ar": "https://news.un.org/ar/rss-feeds",
  "un-news-zh": "https://news.un.org/zh/rss-feeds",
  "un-news-es": "https://news.un.org/es/rss-feeds",
  "un-news-ru": "https://news.un.org/ru/rss-feeds",
  "who-news": "https://www.who.int/news",
  reliefweb: "https://reliefweb.int/updates",
  gdacs: "https://www.gdacs.org/feed_reference.aspx",
  unep: "https://www.unep.org/news-and-stories",
  iaea: "https://www.iaea.org/feeds",
  imf: "https://www.imf.org/en/News/RSS",
  "bis-speeches": "https://www.bis.org/rss/index.htm",
  "aljazeera-en": "https://www.aljazeera.com/",
  "bbc-middle-east": "https://www.bbc.com/news/10628494",
  "bbc-latin-america": "https://www.bbc.com/news/10628494",
  "bbc-arabic": "https://www.bbc.com/arabic",
  "bbc-turkish": "https://www.bbc.com/turkce",
  "bbc-persian": "https://www.bbc.com/persian",
  "bbc-korean": "https://www.bbc.com/korean",
  "bbc-thai": "https://www.bbc.com/thai",
  "bbc-vietnamese": "https://www.bbc.com/vietnamese",
  "france24-ar": "https://www.france24.com/ar/",
  yonhap: "https://www.yna.co.kr/rss/index",
  "yonhap-en": "https://en.yna.co.kr/",
  donga: "https://rss.donga.com/",
  prachatai: "https://prachatai.com/",
  vnexpress: "https://vnexpress.net/rss",
  "arab-news": "https://www.arabnews.com/",
  "the-national-ae": "https://www.thenationalnews.com/",
  "arabian-business": "https://www.arabianbusiness.com/",
  "gulf-business": "https://gulfbusiness.com/",
  "us-state-department": "https://www.state.gov/rss-feeds/",
  "usgs-significant": "https://earthquake.usgs.gov/earthquakes/feed/v1.0/atom.php",
  "nhc-atlantic": "https://www.nhc.noaa.gov/aboutrss.shtml",
  cisa: "https://www.cisa.gov/news-events/cybersecurity-advisories",
  "ncsc-uk": "https://www.ncsc.gov.uk/information/rss-feeds",
  "eia-today": "https://www.eia.gov/tools/rssfeeds/",
  "nasa-releases": "https://www.nasa.gov/rss-feeds/",
  "earth-observatory": "https://earthobservatory.nasa.gov/feeds",
  ftc: "https://www.ftc.gov/news-events/stay-connected/ftc-rss-feeds",
  "war-on-the-rocks": "https://warontherocks.com/",
  "atlantic-council": "https://www.atlanticcouncil.org/",
  ecfr: "https://ecfr.eu/",
  "aspi-strategist": "https://www.aspistrategist.org.au/",
  "the-diplomat": "https://thediplomat.com/",
  bellingcat: "https://www.bellingcat.com/",
  "breaking-defense": "https://breakingdefense.com/",
  krebs: "https://krebsonsecurity.com/",
  "fed-all": "https://www.federalreserve.gov/feeds/feeds.htm",
  "fed-monetary": "https://www.federalreserve.gov/feeds/feeds.htm",
  "fed-banking-rules": "https://www.federalreserve.gov/feeds/feeds.htm",
  "ny-fed-liberty-street": "https://libertystreeteconomics.newyorkfed.org/",
  ecb: "https://www.ecb.europa.eu/home/html/rss.en.html",
  "bank-of-england": "https://www.bankofengland.co.uk/rss",
  "bank-of-japan": "https://www.boj.or.jp/en/",
  rba: "https://www.rba.gov.au/updates/rss-feeds.html",
  "us-treasury-auctions": "https://www.treasurydirect.gov/auctions/upcoming/",
  "sec-press": "https://www.sec.gov/about/rss-feeds",
  fca: "https://www.fca.org.uk/news",
  cftc: "https://www.cftc.gov/RSS/index.htm",
  bls: "https://www.bls.gov/feed/",
  bea: "https://www.bea.gov/rss",
  statcan: "https://www150.statcan.gc.ca/n1/dai-quo/index-eng.htm",
  isda: "https://www.isda.org/",
  "nasdaq-ipos": "https://www.nasdaq.com/nasdaq-RSS-Feeds",
  "nasdaq-options": "https://www.nasdaq.com/nasdaq-RSS-Feeds",
  "nasdaq-fintech": "https://www.nasdaq.com/nasdaq-RSS-Feeds",
  "nasdaq-commodities": "https://www.nasdaq.com/nasdaq-RSS-Feeds",
  "investing-forex": "https://www.investing.com/webmaster-tools/rss",
  "investing-commodities": "https://www.investing.com/webmaster-tools/rss",
  fxstreet: "https://www.fxstreet.com/rss",
  coindesk: "https://www.coindesk.com/",
  cointelegraph: "https://cointelegraph.com/rss-feeds",
  finextra: "https://www.finextra.com/",
  top1000funds: "https://www.top1000funds.com/",
  oilprice: "https://oilprice.com/rss",
  "world-nuclear-news": "https://www.world-nuclear-news.org/",
  "mining-com": "https://www.mining.com/",
  "mining-com-gold": "https://www.mining.com/commodity/gold/",
  "mining-com-copper": "https://www.mining.com/commodity/copper/",
  "mining-com-lithium": "https://www.mining.com/commodity/lithium/",
  "northern-miner": "https://www.northernminer.com/",
  freightwaves: "https://www.freightwaves.com/",
  gcaptain: "https://gcaptain.com/",
  "arxiv-ai": "https://info.arxiv.org/help/rss.html",
  "mit-news-ai": "https://news.mit.edu/rss",
  "techcrunch-ai": "https://techcrunch.com/category/artificial-intelligence/",
  "techcrunch-venture": "https://techcrunch.com/category/venture/",
  "techcrunch-layoffs": "https://techcrunch.com/tag/layoffs/",
  "crunchbase-news": "https://news.crunchbase.com/",
  "y-combinator-blog": "https://www.ycombinator.com/blog",
  "aws-news": "https://aws.amazon.com/blogs/aws/",
  "cloudflare-blog": "https://blog.cloudflare.com/",
  kubernetes: "https://kubernetes.io/blog/",
  "github-changelog": "https://github.blog/changelog/",
  "github-status": "https://www.githubstatus.com/history",
  "cloudflare-status": "https://www.cloudflarestatus.com/history",
  "google-cloud-status": "https://status.cloud.google.com/",
  eff: "https://www.eff.org/updates",
  "positive-news": "https://www.positive.news/",
  "good-news-network": "https://www.goodnewsnetwork.org/",
  mongabay: "https://news.mongabay.com/",
  "global-voices": "https://globalvoices.org/",
  shareable: "https://www.shareable.net/",
};
