import { today } from "../../../simulator/models/days.js";
import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  type SimulatedRoute,
  simulatedUpstream,
} from "../../../simulator/upstream.js";
import { monthlyRelease, yearlyRelease } from "./models/gml-releases.js";
import { annualRows, dailyRows, growthRows, methaneRows, monthlyRows, nitrousOxideRows } from "./models/gml-rows.js";

interface GmlFile {
  /** Path below the laboratory's folder `trends`. */
  readonly path: string;
  /** Lines of the file's comment that describe the series. */
  readonly about: readonly string[];
  /** The text between that comment and the first row. It includes the column names. */
  readonly columns: string;
  readonly rows: (now: number, seed: number) => readonly string[];
  /** Epoch ms of the newest release. */
  readonly publishedAt: (now: number) => number;
}

const DRY_AIR = "Mole fraction in dry air";
const GLOBAL_COLUMNS = "#\n\n# year   month       decimal       average   average_unc         trend     trend_unc\n";

const files: readonly GmlFile[] = [
  {
    path: "co2/co2_daily_mlo.txt",
    about: ["Carbon dioxide at Mauna Loa, a mean for each day with data.", `${DRY_AIR}, ppm; -999.99 means no value.`],
    columns: "#\n# year month day    decimal       ppm\n",
    rows: dailyRows,
    publishedAt: today,
  },
  {
    path: "co2/co2_mm_mlo.txt",
    about: [
      "Carbon dioxide at Mauna Loa, a mean for each month.",
      `${DRY_AIR}, ppm; a negative value of days, deviation or uncertainty means that it is unknown.`,
    ],
    columns:
      "#\n#            decimal       monthly    de-season  #days  st.dev  unc. of\n#             date         average     alized          of days  mon mean\n",
    rows: monthlyRows,
    publishedAt: monthlyRelease,
  },
  {
    path: "co2/co2_annmean_gl.txt",
    about: ["Carbon dioxide in the air at the world's sea surface, a mean for each year.", `${DRY_AIR}, ppm.`],
    columns: "#\n# year     mean      unc\n",
    rows: annualRows,
    publishedAt: yearlyRelease,
  },
  {
    path: "co2/co2_gr_mlo.txt",
    about: ["Growth of carbon dioxide at Mauna Loa from 1 January to 31 December.", `${DRY_AIR}, ppm a year.`],
    columns: "#\n  year        growth        unc\n",
    rows: growthRows,
    publishedAt: yearlyRelease,
  },
  {
    path: "ch4/ch4_mm_gl.txt",
    about: [
      "Methane in the air at the world's sea surface, a mean for each month.",
      `${DRY_AIR}, ppb; an uncertainty of -9.99 is not known yet.`,
    ],
    columns: GLOBAL_COLUMNS,
    rows: methaneRows,
    publishedAt: monthlyRelease,
  },
  {
    path: "n2o/n2o_mm_gl.txt",
    about: [
      "Nitrous oxide in the air at the world's sea surface, a mean for each month.",
      `${DRY_AIR}, ppb; an uncertainty of -9.99 is not known yet.`,
    ],
    columns: GLOBAL_COLUMNS,
    rows: nitrousOxideRows,
    publishedAt: monthlyRelease,
  },
];

/** NOAA's greenhouse gas files: white-space columns below a commented head. */
export const upstream = simulatedUpstream({ name: "noaa-gml", routes: files.map(routeOf) });

function routeOf(file: GmlFile): SimulatedRoute {
  return {
    host: "gml.noaa.gov",
    path: `/webdata/ccgg/trends/${file.path}`,
    handle: (request) => answerFile(file, request),
    variants: {
      // Each row becomes a date with dashes and one more cell.
      changed: (text) => text.replace(/^( *\d{4}) .*$/gm, "$1-01-01;x"),
      empty: (text) => text.replace(/^ *\d{4} .*\n/gm, ""),
      badRow: (text) => rewriteMiddle(text, /^ *\d{4} .*$/gm, (row) => row.replace(/\d+\.\d+/g, "abc")),
    },
  };
}

function answerFile(file: GmlFile, { clock, seed }: SimulatedRequest): SimulatedAnswer {
  const now = clock.now();
  const publishedAt = file.publishedAt(now);
  return {
    status: 200,
    contentType: "text/plain; charset=UTF-8",
    body: `${commentOf(file, publishedAt)}${file.columns}${file.rows(now, seed).join("\n")}\n`,
    lastModifiedAt: publishedAt,
  };
}

/** Builds a comment as long as that of the real files, with a comment mark on every line. */
function commentOf({ about, path }: GmlFile, publishedAt: number): string {
  const rule = "-".repeat(68);
  const lines = [
    rule,
    "SIMULATED DATA",
    "",
    "This file was made by Vigil's simulator in the layout of a file of NOAA's",
    "Global Monitoring Laboratory. Its numbers are near the real ones, but they",
    "are not measurements.",
    "",
    `File:           ${path}`,
    `File Creation:  ${new Date(publishedAt).toUTCString()}`,
    "",
    rule,
    "",
    "White space separates the columns. Rows are in order of time, oldest first.",
    "",
    ...about,
    "",
    "The same seed and clock give the same rows. A later clock only adds rows and",
    "fills in uncertainties of earlier rows; it changes no other value.",
    "",
  ];
  return lines.map((line) => `# ${line}\n`).join("");
}
