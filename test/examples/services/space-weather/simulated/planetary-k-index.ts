import { MINUTE_MS } from "../../../../../src/kit/clock.js";
import { simulatedUpstream } from "../../../../../src/simulator/upstream.js";

const MINUTES = 60;

/** The K index of the last hour, in the feed's format. */
export const upstream = simulatedUpstream({
  name: "planetary-k-index",
  routes: [
    {
      host: "services.swpc.noaa.gov",
      path: "/json/planetary_k_index_1m.json",
      handle({ clock }) {
        const minutes = Array.from({ length: MINUTES }, (_, index) => {
          const at = clock.now() - (MINUTES - index) * MINUTE_MS;
          const estimated = Math.round(index / 2) / 10;
          return {
            time_tag: new Date(at).toISOString().slice(0, 19),
            kp_index: Math.round(estimated),
            estimated_kp: estimated,
            kp: `${Math.round(estimated)}Z`,
          };
        });
        return { status: 200, contentType: "application/json", body: JSON.stringify(minutes) };
      },
      variants: {
        changed: () => '{"error":"moved"}',
        empty: () => "[]",
        badRow: (json) => json.replace(/"estimated_kp":[\d.]+/, '"estimated_kp":"high"'),
      },
    },
  ],
});
