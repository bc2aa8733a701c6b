/**
 * The countries of each climate zone. The country that contains the zone's reference point comes first, then its
 * neighbours. A marine zone lists the countries on its coast. The North Atlantic is not listed, because no country is
 * near its reference point.
 */
const countriesOf: Readonly<Record<string, string>> = {
  ukraine: "UA MD",
  europe: "DE AT BE CH CZ FR LI LU NL",
  "east-asia": "CN",
  "middle-east": "IQ IR JO KW SY",
  sahel: "NE BF BJ ML",
  "horn-of-africa": "ET DJ SO",
  "south-asia": "IN NP",
  california: "US",
  amazon: "BR",
  australia: "AU",
  mediterranean: "IT MT",
  "taiwan-strait": "TW CN",
  myanmar: "MM",
  "central-africa": "CF CM",
  "southern-africa": "BW NA ZA ZW",
  "central-asia": "UZ TM",
  "latin-america": "BO",
  caribbean: "DO HT PR",
  arctic: "SJ NO",
  greenland: "GL",
  "western-antarctic-ice-sheet": "AQ",
  "tibetan-plateau": "CN",
  "congo-basin": "CD CG",
  "coral-triangle": "ID TL",
};

interface NearZone {
  readonly id: string;
  readonly name: string;
}

const SMALL = new Set(["of"]);

/** Returns the name of a zone from its id: `horn-of-africa` is "Horn of Africa". */
function nameOf(id: string): string {
  return id
    .split("-")
    .map((word) => (SMALL.has(word) ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join(" ");
}

/** Lists the climate zones in or near a country. Zones that list the country first come first. */
export function zonesNear(code: string): readonly NearZone[] {
  return Object.entries(countriesOf)
    .map(([id, codes]) => ({ id, place: codes.split(" ").indexOf(code) }))
    .filter(({ place }) => place >= 0)
    .sort((a, b) => Number(a.place > 0) - Number(b.place > 0))
    .map(({ id }) => ({ id, name: nameOf(id) }));
}
