import type { BriefEvidence } from "../records.js";
import { headline, item } from "./evidence.js";
import type { PlantedCase, PlantedClaim } from "./planted-facts.js";

/** Makes a case with little evidence about a country. It has two or three true claims and two invented ones. */
function handWritten(
  code: string,
  evidence: readonly BriefEvidence[],
  truths: readonly (readonly [text: string, ...cites: string[]])[],
  lies: readonly (readonly [text: string, ...cites: string[]])[],
): PlantedCase {
  const claim = ([text, ...cites]: readonly [string, ...string[]], at: number): PlantedClaim => ({
    section: evidence.every(({ kind }) => kind === "headline") ? "situation" : at < 2 ? "risks" : "watch",
    text,
    cites: cites.length > 0 ? cites : ["E1"],
  });
  return {
    name: `by hand ${code}`,
    code,
    evidence,
    claims: [...lies.map((lie, at) => ({ ...claim(lie, at), invented: lie[0] })), ...truths.map(claim)],
  };
}

const drought = item(
  "E1",
  "disaster",
  "GDACS lists the drought 'Horn drought' in Kenya as under way since 5 August 2026 at severity orange.",
);
const unhcr = (fact: string) => item("E1", "displacement", fact, { asOf: "2025-12-31T23:59:59.999Z" });

export const handWrittenCases: readonly PlantedCase[] = [
  handWritten(
    "KE",
    [drought],
    [
      ["A drought has been under way since 5 August 2026."],
      ["GDACS rates the Kenyan drought at severity orange."],
      ["The Horn drought persists."],
    ],
    [["A drought has been under way since 5 July 2026."], ["The drought reached Mombasa."]],
  ),
  handWritten(
    "SS",
    [unhcr("At the end of 2025, UNHCR counts 2,300,000 refugees originating from South Sudan.")],
    [
      ["UNHCR counts 2.3 million refugees."],
      ["South Sudanese refugees numbered 2,300,000 in 2025."],
      ["At the end of 2025 the refugees of South Sudan were 2300000."],
    ],
    [["Sudan has 2.3 million refugees from Darfur."], ["Refugees numbered 2.3 billion."]],
  ),
  handWritten(
    "GE",
    [
      item(
        "E1",
        "internet",
        "Cloudflare Radar lists 3 internet traffic anomalies of the last seven days in Georgia; 1 anomaly has not ended; the newest began on 17 November 2026, in the network MAGTICOM.",
      ),
    ],
    [
      ["Three internet traffic anomalies were listed in Georgia."],
      ["One anomaly of internet traffic has not ended."],
      ["The newest internet anomaly began on November 17 in the network MAGTICOM."],
    ],
    [["Three internet traffic anomalies hit Atlanta."], ["Seven anomalies of internet traffic have not ended."]],
  ),
  handWritten(
    "TR",
    [
      item(
        "E1",
        "air-quality",
        "The worst air known in Turkey is that of Ankara with a US AQI of 171 (unhealthy), modelled on 18 November 2026 at 06:00 UTC (Open-Meteo).",
      ),
    ],
    [
      ["Ankara has the worst air with a US AQI of 171."],
      ["Turkish air is unhealthy in Ankara."],
      ["At 06:00 UTC the AQI of air in Ankara was modelled at 171."],
    ],
    [["Istanbul has the worst air with a US AQI of 171."], ["Air in Ankara holds 171 percent more dust."]],
  ),
  handWritten(
    "US",
    [
      item(
        "E1",
        "economic",
        "US consumer prices (CPI-U, seasonally adjusted) for September 2026 were 3.12 percent above those of a year earlier and 0.2 percent above the month before.",
      ),
    ],
    [
      ["Consumer prices for September 2026 were 3.12% above those of a year earlier."],
      ["American consumer prices were 0.2 per cent above the month before."],
      ["Consumer prices stood 3.12 percent higher."],
    ],
    [["Consumer prices were 3.2 percent above those of a year earlier."], ["Consumer prices fell 3.12 percent."]],
  ),
  handWritten(
    "GB",
    [
      item(
        "E1",
        "aviation",
        "London Heathrow (LHR) reports departure delays averaging 21 minutes, severity minor; the stated reason is 'fog'.",
      ),
    ],
    [
      ["London Heathrow reports departure delays averaging 21 minutes."],
      ["Delays at LHR are minor, the stated reason being fog."],
      ["British departure delays average twenty-one minutes at London Heathrow."],
    ],
    [["London Gatwick reports departure delays averaging 21 minutes."], ["Departure delays hit 21 flights at LHR."]],
  ),
  handWritten(
    "ML",
    [
      item(
        "E1",
        "humanitarian",
        "For October 2026, HDX HAPI counts 210 events of political violence, 400 deaths and 0 demonstrations in Mali.",
      ),
    ],
    [
      ["For October 2026, 400 deaths are counted in Mali."],
      ["No demonstrations are counted, while political violence came to 210 events."],
      ["Malian political violence came to two hundred and ten events."],
    ],
    [["No deaths are counted in political violence."], ["In Niger 400 deaths are counted from political violence."]],
  ),
  handWritten(
    "MM",
    [
      item(
        "E1",
        "climate",
        "At the reference point of the climate zone Myanmar, the days from 10 to 16 November 2026 were 3.4 °C warmer and 1.2 mm a day drier than the normal of 1991-2020.",
        { value: "3.4 °C, -1.2 mm a day" },
      ),
    ],
    [
      ["The days from 10 to 16 November were 3.4 °C warmer than normal."],
      ["It was drier by 1.2 mm a day than the climate normal of 1991-2020."],
      ["The week was 3.4 degrees warmer at the reference point."],
    ],
    [
      ["The days were 3.4 °C colder than the climate normal."],
      ["The days were 3.4 percent warmer than the climate normal."],
    ],
  ),
  handWritten(
    "HT",
    [headline("E1", "Gangs free 1,200 inmates in Port-au-Prince, 5 guards dead", "Caribbean Wire")],
    [["Gangs freed 1,200 inmates in Port-au-Prince."], ["Five guards are dead, Caribbean Wire reports."]],
    [["Gangs freed 1,200 inmates in Jacmel."], ["Guards shot 1,200 dead."]],
  ),
  handWritten(
    "FR",
    [headline("E1", "Paris: 40 arrested as farmers block the A1", "Example Times")],
    [["In Paris 40 were arrested as farmers block the A1."], ["Farmers block the A1, Example Times reports."]],
    [["In Lyon 40 were arrested as farmers block the A1."], ["Farmers block the A6."]],
  ),
  handWritten(
    "SY",
    [headline("E1", "US ambassador returns to Damascus after 14 years", "Example Times")],
    [
      ["The US ambassador returns to Damascus after 14 years."],
      ["After fourteen years an ambassador returns to Damascus."],
    ],
    [
      ["The UK ambassador returns to Damascus after 14 years."],
      ["The ambassador returns to Damascus after 14 months."],
    ],
  ),
  handWritten(
    "JP",
    [headline("E1", "M7.1 quake off Hokkaido, tsunami warning for 3 prefectures", "NHK")],
    [
      ["A quake off Hokkaido led to a tsunami warning for three prefectures."],
      ["NHK reports an M7.1 quake off Hokkaido."],
    ],
    [
      ["An M7.4 quake off Hokkaido led to a tsunami warning."],
      ["A quake off Kyushu led to a tsunami warning for 3 prefectures."],
    ],
  ),
  handWritten(
    "ET",
    [unhcr("At the end of 2025, UNHCR counts 1,000,000 refugees and 2,500 asylum seekers hosted by Ethiopia.")],
    [
      ["Ethiopia hosts 1 million refugees and 2,500 asylum seekers."],
      ["A million refugees are hosted, UNHCR counts."],
      ["Asylum seekers hosted number 2.5 thousand."],
    ],
    [["Ethiopia hosts 2,500 refugees."], ["Eritrea hosts 1 million refugees."]],
  ),
  handWritten(
    "BR",
    [
      item(
        "E1",
        "disaster",
        "NASA EONET lists the wildfire 'Wildfire 22, Mato Grosso' in Brazil as under way since 1 November 2026.",
      ),
    ],
    [
      ["NASA EONET lists a wildfire under way since 1 November 2026."],
      ["Wildfire 22 burns in Mato Grosso."],
      ["The Brazilian wildfire has been under way since November 1, 2026."],
    ],
    [["A wildfire burns in Mato Grosso do Sul and Acre."], ["Twenty-two wildfires burn across the Amazon."]],
  ),
  handWritten(
    "DE",
    [
      item(
        "E1",
        "conflict",
        "UCDP records 1 event of organised violence in Germany from 2 to 31 October 2026, with 2 deaths by its best estimate.",
      ),
    ],
    [
      ["UCDP records one event of organised violence with two deaths."],
      ["In October 2026 there was 1 event of organised violence."],
      ["German organised violence caused 2 deaths by the best estimate."],
    ],
    [["UCDP records two events of organised violence."], ["Organised violence caused 2 deaths in Berlin."]],
  ),
  handWritten(
    "CD",
    [
      item(
        "E1",
        "conflict",
        "ACLED lists 312 conflict events in the DR Congo from 20 October to 18 November 2026, with 1,050 reported deaths.",
      ),
    ],
    [
      ["The DR Congo saw 312 conflict events."],
      ["Congolese conflict events came with 1,050 deaths."],
      ["Over one thousand and fifty deaths were reported in conflict events."],
    ],
    [["M23 caused 1,050 deaths in conflict events."], ["Conflict events came with 1,050 displaced people."]],
  ),
  handWritten(
    "PS",
    [
      item(
        "E1",
        "humanitarian",
        "For October 2026, HDX HAPI counts 950 events of political violence, 61 deaths and 12 demonstrations in Palestine.",
      ),
    ],
    [
      ["For October 2026 there were 950 events of political violence."],
      ["Twelve demonstrations are counted in Palestine."],
      ["HDX HAPI counts 61 deaths."],
    ],
    [["Hamas led 950 events of political violence."], ["Of 950 events of political violence 61% were in Gaza."]],
  ),
  handWritten(
    "PK",
    [
      item(
        "E1",
        "disaster",
        "The lists of current disasters contain 4 climate disasters in Pakistan: 3 floods and 1 heatwave.",
      ),
    ],
    [
      ["Three floods and one heatwave are under way."],
      ["The lists name four climate disasters in Pakistan."],
      ["Pakistani floods number 3."],
    ],
    [["Four floods are under way."], ["Three floods swept Sindh."]],
  ),
  handWritten(
    "VE",
    [headline("E1", "Caracas says 17 million voted, opposition disputes figure", "Example Times")],
    [["Caracas says 17 million voted."], ["The opposition disputes the figure of 17 million."]],
    [["Caracas says 17 thousand voted."], ["Maduro says 17 million voted."]],
  ),
  handWritten(
    "AU",
    [
      item(
        "E1",
        "climate",
        "At the reference point of the climate zone Australia, the days from 10 to 16 November 2026 were 5 °C warmer and 0.4 mm a day wetter than the normal of 1991-2020.",
        { value: "5 °C, 0.4 mm a day" },
      ),
    ],
    [
      ["The days from 10 to 16 November 2026 were five degrees warmer than the climate normal."],
      ["Australian days were 0.4 mm a day wetter than normal."],
      ["It was 5 °C warmer at the reference point of the climate zone Australia."],
    ],
    [
      ["The days were 5 °C warmer in Alice Springs than the climate normal."],
      ["The days were 0.4 °C warmer than the climate normal."],
    ],
  ),
  handWritten(
    "US",
    [
      item(
        "E1",
        "economic",
        "US consumer prices (CPI-U, seasonally adjusted) for October 2026 were 3.1 percent above those of a year earlier and 0.2 percent below the month before.",
        { label: "Consumer prices, CPI-U", value: "3.1 percent" },
      ),
    ],
    [
      ["US consumer prices in October 2026 were 3.1 percent above those of a year earlier."],
      ["In October 2026, prices were 0.2 percent below those of the month before."],
    ],
    [
      ["US consumer prices in October 2026 were 3.1 percent below those of a year earlier."],
      ["In October 2026, prices were 0.2 percent above those of the month before."],
    ],
  ),
];
