import { HOUR_MS } from "../../../kit/clock.js";
import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";

/**
 * Simulates the National Hurricane Center's list of active storms. Some numbers are text, and some members are null.
 */
export const upstream = simulatedUpstream({
  name: "nhc-current-storms",
  routes: [
    {
      host: "www.nhc.noaa.gov",
      path: "/CurrentStorms.json",
      handle: answerStorms,
      variants: {
        changed: (json) => json.replace('"activeStorms"', '"storms"'),
        empty: () => '{"activeStorms":[]}',
        badRow: (json) => rewriteMiddle(json, /"latitudeNumeric":[\d.]+/g, () => '"latitudeNumeric":"north"'),
      },
    },
  ],
});

function answerStorms({ clock }: SimulatedRequest): SimulatedAnswer {
  const advisory = Math.floor(clock.now() / (6 * HOUR_MS));
  const lastUpdate = new Date(advisory * 6 * HOUR_MS).toISOString();
  const year = lastUpdate.slice(0, 4);
  const publicAdvisory = (product: string) => ({
    advNum: String(advisory % 60).padStart(3, "0"),
    issuance: lastUpdate,
    fileUpdateTime: lastUpdate,
    url: `https://www.nhc.noaa.gov/text/${product}.shtml`,
  });
  const activeStorms = [
    {
      id: `al09${year}`,
      binNumber: "AT1",
      name: "Simula",
      classification: "HU",
      intensity: "105",
      pressure: "958",
      latitude: "23.3N",
      longitude: "82.4W",
      latitudeNumeric: 23.3,
      longitudeNumeric: -82.4,
      movementDir: 300,
      movementSpeed: 9,
      lastUpdate,
      publicAdvisory: publicAdvisory("MIATCPAT1"),
      windWatchesWarnings: null,
    },
    {
      id: `ep09${year}`,
      binNumber: "EP2",
      name: "Ficta",
      classification: "TS",
      intensity: "40",
      pressure: null,
      latitude: "16.2N",
      longitude: "128.5W",
      latitudeNumeric: 16.2,
      longitudeNumeric: -128.5,
      movementDir: null,
      movementSpeed: null,
      lastUpdate,
      publicAdvisory: publicAdvisory("MIATCPEP2"),
      windWatchesWarnings: null,
    },
  ];
  return { status: 200, contentType: "application/json", body: JSON.stringify({ activeStorms }) };
}
