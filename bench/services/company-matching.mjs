// Measures the CPU time to find 5,000 companies in 10,000 headlines, including the time to build the company index.
import { companyMatcher } from "../../dist/services/company-monitoring/matching/company-matcher.js";

const [COMPANIES, HEADLINES] = [5_000, 10_000];
const first =
  "Northern Global First United Pacific Summit Arctic Granite Silver Quantum Blue Crystal Harbor Falcon".split(" ");
const second = "Systems Energy Foods Logistics Bank Mining Pharma Motors Airlines Software Robotics Media Steel".split(
  " ",
);
const events = [
  "plans to cut 1,200 jobs as shares fall after profit warning",
  "wins order for ten ferries from port authority",
  "recalls heaters over burn hazard, regulator says",
  "names new chief executive after months of talks with board",
];

const nameOf = (at) => `${first[at % first.length]} ${second[Math.floor(at / first.length) % second.length]}`;

function company(at) {
  return {
    key: String(at),
    name: `${nameOf(at)} ${at} Inc.`,
    aliases: [nameOf(at), `Nam${at}co`],
    domains: [`nam${at}co.example`],
    identifiers: [`CIK:${String(at + 1).padStart(10, "0")}`, `NASDAQ:N${at}`],
    domicileCountry: "US",
  };
}

/**
 * Returns a headline. Headlines name companies in two ways, in turn: by the company's own alias, and by a name that
 * many companies share.
 */
function headline(at) {
  const name = at % 2 === 0 ? `Nam${at % COMPANIES}co` : nameOf(at);
  return `${name} ${events[at % events.length]} - Reuters`;
}

/** Measures all rounds and returns a row for the report: the round with the median CPU time. Times are in ms. */
export function companyMatchingRow(name, rounds) {
  const companies = Array.from({ length: COMPANIES }, (_, at) => company(at));
  const headlines = Array.from({ length: HEADLINES }, (_, at) => headline(at));
  const times = Array.from({ length: rounds }, () => {
    const start = process.cpuUsage();
    const matcher = companyMatcher(companies);
    const indexMs = msOf(process.cpuUsage(start));
    const matches = headlines.reduce((count, text) => count + matcher.match(text, "title").length, 0);
    return { indexMs, cpuMs: msOf(process.cpuUsage(start)), matches };
  }).sort((a, b) => a.cpuMs - b.cpuMs);
  return { name, companies: COMPANIES, headlines: HEADLINES, ...times[Math.floor(rounds / 2)] };
}

const msOf = ({ user, system }) => Math.round((user + system) / 1_000);
