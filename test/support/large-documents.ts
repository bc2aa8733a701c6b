import { DAY_MS } from "../../src/kit/clock.js";
import { seededRandom } from "../../src/kit/random.js";
import { zipOf } from "../../src/simulator/zip.js";

/** The columns of UCDP's annual file, in its order. */
const GED_COLUMNS =
  "id,relid,year,active_year,code_status,type_of_violence,conflict_dset_id,conflict_new_id,conflict_name,dyad_dset_id,dyad_new_id,dyad_name,side_a_dset_id,side_a_new_id,side_a,side_b_dset_id,side_b_new_id,side_b,number_of_sources,source_article,source_office,source_date,source_headline,source_original,where_prec,where_coordinates,where_description,adm_1,adm_2,latitude,longitude,geom_wkt,priogrid_gid,country,country_id,region,event_clarity,date_prec,date_start,date_end,deaths_a,deaths_b,deaths_civilians,deaths_unknown,best,high,low,gwnoa,gwnob";
const FIRST_YEAR = 1989;
const COUNTRIES = ["Northmark", "Esteria", "Côte d'Azanie", "Tal Marrow", "Velden"];
const PHRASES = [
  "armed men on motorcycles attacked a convoy",
  "shelling hit the market",
  "clashes near the river crossing",
];

const two = (number: number): string => String(number).padStart(2, "0");

/**
 * UCDP's annual file as a zip archive: `rows` events from 1989 to `lastYear`, about a sixth of them in the last two
 * years.
 */
export function gedArchive(rows: number, lastYear: number): Buffer {
  const random = seededRandom(11);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const pieces: Buffer[] = [Buffer.from(`${GED_COLUMNS}\n`)];
  let lines: string[] = [];
  for (let id = 1; id <= rows; id += 1) {
    const isRecent = random() < 1 / 6;
    const year = isRecent
      ? lastYear - Math.floor(random() * 2)
      : FIRST_YEAR + Math.floor(random() * (lastYear - FIRST_YEAR - 1));
    const day = `${year}-${two(1 + Math.floor(random() * 12))}-${two(1 + Math.floor(random() * 28))}`;
    const [latitude, longitude] = [(random() * 120 - 60).toFixed(6), (random() * 300 - 150).toFixed(6)];
    const country = pick(COUNTRIES);
    const sides = [`Government of ${country}`, `Front for ${pick(COUNTRIES)} ${Math.floor(random() * 90)}`];
    const place = `${pick(["near", "in", "north of"])} village ${Math.floor(random() * 9_000)}`;
    const headline = `"""${pick(PHRASES)}"", says ${pick(["police", "army", "resident"])}; ${pick(PHRASES)}, ${pick(PHRASES)}"`;
    const article = `"""Agency ${Math.floor(random() * 300)},${day},${pick(PHRASES)}"";""Daily ${Math.floor(random() * 300)},${day},${pick(PHRASES)} ${place}"""`;
    const best = Math.floor(random() * 12);
    lines.push(
      [
        id,
        `GED-${year}-${id}`,
        year,
        "True",
        "Clear",
        1 + Math.floor(random() * 3),
        333,
        333,
        `${country}: Government`,
        735,
        735,
        `"${sides[0]} - ${sides[1]}"`,
        130,
        130,
        sides[0],
        291,
        291,
        sides[1],
        2,
        article,
        '"Agency;Daily"',
        `${day};${day}`,
        headline,
        '"police, local officials (""sources"")"',
        1,
        place,
        `"${place}, some 12 km from the district town, ${country}"`,
        `Division ${Math.floor(random() * 40)}`,
        "",
        latitude,
        longitude,
        `POINT (${longitude} ${latitude})`,
        179_779,
        country,
        700,
        "Asia",
        1,
        1,
        `${day} 00:00:00.000`,
        `${day} 00:00:00.000`,
        0,
        best,
        0,
        0,
        best,
        best + 2,
        best,
        700,
        "",
      ].join(","),
    );
    if (lines.length === 2_000) {
      pieces.push(Buffer.from(`${lines.join("\n")}\n`));
      lines = [];
    }
  }
  pieces.push(Buffer.from(lines.map((line) => `${line}\n`).join("")));
  return zipOf(`GEDEvent_v${lastYear % 100}_1.csv`, Buffer.concat(pieces));
}

/** A Security Council list of at least this many bytes, with entries as long as real entries. */
export function unList(bytesMin: number, generatedAt: number): Buffer {
  const random = seededRandom(12);
  const pieces: string[] = [];
  let length = 0;
  for (let id = 0; length < bytesMin || id < 100; id += 1) {
    const listed = new Date(generatedAt - Math.floor(random() * 9_000) * DAY_MS).toISOString().slice(0, 10);
    const comment = `Born in 19${10 + Math.floor(random() * 80)}. ${"Review pursuant to a resolution of the Council was concluded. ".repeat(8)}INTERPOL-UN Security Council Special Notice web link: https://www.interpol.example/${id}`;
    const aliases = Array.from(
      { length: 6 },
      (_, at) =>
        `<INDIVIDUAL_ALIAS><QUALITY>Good</QUALITY><ALIAS_NAME>Name ${id}-${at} bin Ālias</ALIAS_NAME></INDIVIDUAL_ALIAS>\n`,
    ).join("");
    const documents = `<INDIVIDUAL_DOCUMENT><TYPE_OF_DOCUMENT>Passport</TYPE_OF_DOCUMENT><NUMBER>OR${100_000 + id}</NUMBER><ISSUING_COUNTRY>Algeria</ISSUING_COUNTRY></INDIVIDUAL_DOCUMENT>\n`;
    const entry = `<INDIVIDUAL>
<DATAID>${6_900_000 + id}</DATAID><VERSIONNUM>1</VERSIONNUM>
<FIRST_NAME>First${id}</FIRST_NAME><SECOND_NAME>Second${id % 97}</SECOND_NAME><THIRD_NAME>Third${id % 89}</THIRD_NAME>
<UN_LIST_TYPE>Al-Qaida</UN_LIST_TYPE><REFERENCE_NUMBER>QDi.${id}</REFERENCE_NUMBER><LISTED_ON>${listed}</LISTED_ON>
<COMMENTS1>${comment}</COMMENTS1><DESIGNATION><VALUE>Member</VALUE></DESIGNATION><NATIONALITY><VALUE>Algeria</VALUE></NATIONALITY>
<LIST_TYPE><VALUE>UN List</VALUE></LIST_TYPE><LAST_DAY_UPDATED><VALUE>${listed}</VALUE><VALUE>${listed}</VALUE></LAST_DAY_UPDATED>
${aliases}<INDIVIDUAL_ADDRESS><CITY>Town ${id % 500}</CITY><COUNTRY>Algeria</COUNTRY><NOTE>${"Previous address. ".repeat(4)}</NOTE></INDIVIDUAL_ADDRESS>
<INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>EXACT</TYPE_OF_DATE><DATE>1970-01-01</DATE></INDIVIDUAL_DATE_OF_BIRTH>
<INDIVIDUAL_PLACE_OF_BIRTH><CITY>Town ${id % 500}</CITY><COUNTRY>Algeria</COUNTRY></INDIVIDUAL_PLACE_OF_BIRTH>
${documents}<SORT_KEY/><SORT_KEY_LAST_MOD/>
</INDIVIDUAL>
`;
    pieces.push(entry);
    length += entry.length;
  }
  const head = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<CONSOLIDATED_LIST xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" dateGenerated="${new Date(generatedAt).toISOString()}">\n<INDIVIDUALS>`;
  return Buffer.from(`${head}${pieces.join("")}</INDIVIDUALS>\n<ENTITIES/>\n</CONSOLIDATED_LIST>\n`);
}
