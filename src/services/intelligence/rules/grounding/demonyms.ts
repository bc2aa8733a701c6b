/** Demonyms and other names of countries, by alpha-2 code. */
const names = `
AD Andorran|AE Emirati,UAE,U.A.E.,Emirates|AF Afghan,Afghani|AG Antiguan,Barbudan|AL Albanian|AM Armenian|AO Angolan|AR Argentine,Argentinian
AT Austrian|AU Australian|AZ Azerbaijani,Azeri|BA Bosnian,Herzegovinian,Bosnia|BB Barbadian|BD Bangladeshi|BE Belgian|BF Burkinabe,Burkinabè|BG Bulgarian
BH Bahraini|BI Burundian|BJ Beninese|BN Bruneian|BO Bolivian|BR Brazilian|BS Bahamian|BT Bhutanese|BW Botswanan|BY Belarusian,Belarussian|BZ Belizean
CA Canadian|CD Congolese,DRC,Democratic Republic of the Congo,Democratic Republic of Congo|CF Central African,CAR|CG Congolese,Republic of the Congo|CH Swiss|CI Ivorian,Ivory Coast,Cote d'Ivoire
CL Chilean|CM Cameroonian|CN Chinese,PRC|CO Colombian|CR Costa Rican|CU Cuban|CV Cape Verdean,Cabo Verde|CY Cypriot|CZ Czech,Czechia|DE German|DJ Djiboutian
DK Danish,Dane,Danes|DM Dominican|DO Dominican|DZ Algerian|EC Ecuadorian,Ecuadorean|EE Estonian|EG Egyptian|ER Eritrean|ES Spanish,Spaniard|ET Ethiopian|FI Finnish,Finn
FJ Fijian|FR French|GA Gabonese|GB British,UK,U.K.,Britain,Great Britain,Briton|GD Grenadian|GE Georgian|GH Ghanaian|GM Gambian|GN Guinean|GQ Equatorial Guinean,Equatoguinean
GR Greek|GT Guatemalan|GW Bissau-Guinean|GY Guyanese|HN Honduran|HR Croatian,Croat|HT Haitian|HU Hungarian|ID Indonesian|IE Irish|IL Israeli|IN Indian|IQ Iraqi|IR Iranian
IS Icelandic|IT Italian|JM Jamaican|JO Jordanian|JP Japanese|KE Kenyan|KG Kyrgyz|KH Cambodian|KI Kiribati|KM Comorian|KP North Korean,DPRK|KR South Korean|KW Kuwaiti|KZ Kazakh,Kazakhstani
LA Lao,Laotian|LB Lebanese|LK Sri Lankan|LR Liberian|LS Basotho|LT Lithuanian|LU Luxembourgish|LV Latvian|LY Libyan|MA Moroccan|MC Monegasque|MD Moldovan|ME Montenegrin|MG Malagasy
MK Macedonian,North Macedonian|ML Malian|MM Burmese,Burma|MN Mongolian|MR Mauritanian|MT Maltese|MU Mauritian|MV Maldivian|MW Malawian|MX Mexican|MY Malaysian|MZ Mozambican|NA Namibian
NE Nigerien|NG Nigerian|NI Nicaraguan|NL Dutch,Holland|NO Norwegian|NP Nepali,Nepalese|NZ New Zealander|OM Omani|PA Panamanian|PE Peruvian|PG Papua New Guinean|PH Filipino,Philippine
PK Pakistani|PL Polish,Pole|PS Palestinian,Palestinian territories|PT Portuguese|PY Paraguayan|QA Qatari|RO Romanian|RS Serbian,Serb|RU Russian,Russian Federation|RW Rwandan|SA Saudi,Saudi Arabian
SB Solomon Islander|SC Seychellois|SD Sudanese|SE Swedish,Swede|SG Singaporean|SI Slovenian,Slovene|SK Slovak|SL Sierra Leonean|SN Senegalese|SO Somali|SR Surinamese|SS South Sudanese|SV Salvadoran
SY Syrian|SZ Swazi,Swaziland|TD Chadian|TG Togolese|TH Thai|TJ Tajik|TL Timorese,East Timor|TM Turkmen|TN Tunisian|TO Tongan|TR Turkish,Turk,Türkiye|TT Trinidadian|TW Taiwanese|TZ Tanzanian
UA Ukrainian|UG Ugandan|US American,US,U.S.,USA,U.S.A.|UY Uruguayan|UZ Uzbek,Uzbekistani|VE Venezuelan|VN Vietnamese,Viet Nam|VU ni-Vanuatu|WS Samoan|XK Kosovar,Kosovan|YE Yemeni|ZA South African|ZM Zambian|ZW Zimbabwean
`;

const byCode: ReadonlyMap<string, readonly string[]> = new Map(
  names
    .trim()
    .split(/[|\n]/)
    .map((entry) => [entry.slice(0, 2), entry.slice(3).split(",")] as const),
);

/** Returns the demonyms and other names of a country. Empty if none are listed. */
export function otherNamesOf(code: string): readonly string[] {
  return byCode.get(code) ?? [];
}

/** All listed demonyms and other names. */
export const allOtherNames: readonly string[] = [...byCode.values()].flat();
