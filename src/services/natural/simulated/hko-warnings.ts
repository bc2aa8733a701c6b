import { DAY_MS, HOUR_MS } from "../../../kit/clock.js";
import { type SimulatedAnswer, type SimulatedRequest, simulatedUpstream } from "../../../simulator/upstream.js";

/** Simulates the Hong Kong Observatory's warnings in force: an object with one member for each kind of warning. */
export const upstream = simulatedUpstream({
  name: "hko-warnings",
  routes: [
    {
      host: "data.weather.gov.hk",
      path: "/weatherAPI/opendata/weather.php",
      handle: answerWarnings,
      variants: {
        changed: () => '["simulated"]',
        empty: () => "{}",
        badRow: (json) => json.replace(/("WTCSGNL":\{[^}]*"issueTime":")[^"]*/, "$1yesterday"),
      },
    },
  ],
});

/** A cyclone signal is in force on the first five days of each period of six days. */
const CYCLE_DAYS = 6;
const IN_FORCE_DAYS = 5;

function answerWarnings({ clock }: SimulatedRequest): SimulatedAnswer {
  const now = clock.now();
  const cycleAt = Math.floor(now / (CYCLE_DAYS * DAY_MS)) * CYCLE_DAYS * DAY_MS;
  const isInForce = now - cycleAt < IN_FORCE_DAYS * DAY_MS;
  const warnings = {
    WTS: {
      name: "Thunderstorm Warning (simulated)",
      code: "WTS",
      actionCode: "ISSUE",
      issueTime: local(Math.floor(now / HOUR_MS) * HOUR_MS),
      expireTime: local(now + HOUR_MS),
      updateTime: local(Math.floor(now / HOUR_MS) * HOUR_MS),
    },
    ...(isInForce && {
      WTCSGNL: {
        name: "Tropical Cyclone Warning Signal (simulated)",
        code: "TC8NE",
        type: "No. 8 Northeast Gale or Storm Signal",
        actionCode: "REISSUE",
        issueTime: local(cycleAt),
        updateTime: local(Math.floor(now / HOUR_MS) * HOUR_MS),
      },
    }),
  };
  return { status: 200, contentType: "application/json; charset=utf-8", body: JSON.stringify(warnings) };
}

/** Formats an instant like the observatory, with Hong Kong's offset. */
function local(at: number): string {
  return `${new Date(at + 8 * HOUR_MS).toISOString().slice(0, 19)}+08:00`;
}
