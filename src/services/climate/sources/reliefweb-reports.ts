import { Type } from "typebox";
import { LeftOut, source, step } from "../../../contract/source.js";
import { newsItem } from "../rules/news/news-item.js";
import { reliefWebAuth, reliefWebData, reliefWebLicence } from "./events/reliefweb.js";
import { instantOf } from "./instant.js";

/** ReliefWeb's theme "Climate Change and Environment". */
const CLIMATE_THEME = 4590;

const question = JSON.stringify({
  limit: 50,
  sort: ["date.created:desc"],
  filter: { field: "theme.id", value: CLIMATE_THEME },
  fields: { include: ["title", "url", "date.created", "source.name", "headline.summary"] },
});

/** Reports on climate change and the environment, from one version of ReliefWeb's API. */
const reports = (version: "v1" | "v2") =>
  source({
    id: `reliefweb-reports-${version}`,
    title: `ReliefWeb API ${version}, reports on climate change and environment`,
    home: "https://apidoc.reliefweb.int/",
    seen: "described",
    licence: reliefWebLicence,
    auth: reliefWebAuth,
    steps: {
      reports: step({
        request: () => ({
          key: "reports",
          url: `https://api.reliefweb.int/${version}/reports`,
          body: question,
        }),
        format: { kind: "json" },
        row: Type.Object({
          fields: Type.Object({
            title: Type.String({ minLength: 1 }),
            url: Type.String({ pattern: "^https?://" }),
            date: Type.Object({ created: Type.String() }),
            source: Type.Optional(Type.Array(Type.Object({ name: Type.String() }))),
            headline: Type.Optional(Type.Object({ summary: Type.Optional(Type.String()) })),
          }),
        }),
        rows: (document) => reliefWebData(document),
        record: ({ fields }) =>
          newsItem({
            title: fields.title,
            link: fields.url,
            publishedAt: instantOf(fields.date.created),
            summary: fields.headline?.summary ?? "",
            sourceName: fields.source?.[0]?.name ?? "ReliefWeb",
          }) ?? new LeftOut("no title, link or date"),
      }),
    },
    recordsMin: 0,
    observedAt: ({ publishedAt }) => publishedAt,
  });

export const reliefWebReportsV2 = reports("v2");
export const reliefWebReportsV1 = reports("v1");
