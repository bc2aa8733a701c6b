import { DAY_MS } from "../../../kit/clock.js";
import { type SimulatedAnswer, type SimulatedRequest, simulatedUpstream } from "../../../simulator/upstream.js";

/** NASA's page on the global mean sea level, with the numbers in its text. */
export const upstream = simulatedUpstream({
  name: "nasa-sea-level",
  routes: [
    {
      host: "sealevel.nasa.gov",
      path: "/overlay-global-mean-sea-level",
      handle: answerPage,
      variants: {
        changed: (page) => page.replaceAll("1993", "the start").replaceAll(/centimeters|inches/g, "hairs"),
        empty: (page) => page.replace(/<main>[\s\S]*<\/main>/, "<main></main>"),
        badRow: (page) => page,
      },
    },
  ],
});

const RATE_MM = 4.2;

function answerPage({ clock }: SimulatedRequest): SimulatedAnswer {
  const years = (clock.now() - Date.UTC(1993, 0)) / (365.25 * DAY_MS);
  const rise = (years * 3.3).toFixed(1);
  const body = `<!DOCTYPE html>
<html lang="en"><head><title>Simulated sea level</title><script>var tag = "12 mm since 1993";</script><style>p { margin: 4px }</style></head>
<body><nav><a href="/">Home &amp; data</a></nav><main>
<h1>Simulated: Global&nbsp;Mean Sea Level</h1>
<p>Rise since 1993: <strong>${rise}</strong>&nbsp;millimeters</p>
<p>The current rate of rise is 0.17 inches/year (${(RATE_MM / 10).toFixed(2)} centimeters/year). It has doubled, from 0.08 inches (0.20 centimeters) per year in 1993.</p>
</main></body></html>
`;
  return { status: 200, contentType: "text/html; charset=UTF-8", body };
}
