import type { MailMessage } from "../../../contract/mail.js";
import { escaped } from "../../../kit/escaped-html.js";
import { oneLine } from "../../../kit/one-line.js";
import type { FiredRow, FiringKind, WatchFiring } from "../records.js";
import { firingSummary, sourceText, valueLines } from "./firing/firing-text.js";
import { FIRED_ROWS_MAX } from "./limits.js";

export type MailContent = Required<Pick<MailMessage, "subject" | "text" | "html" | "headers">>;

/** A part of an email. It is written both as plain text and as HTML. */
type Part =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "lines"; readonly title: string; readonly lines: readonly string[] }
  | { readonly kind: "links"; readonly title: string; readonly links: readonly Link[] };

interface Link {
  readonly label: string;
  readonly url: string;
}

/** Maximum number of characters of a value in an email. The links lead to the whole value. */
const VALUE_CHARACTERS_MAX = 1_000;

const SIMULATED = "This is a demo: all data is simulated.";

interface Confirmation {
  /** The origin of the service. */
  readonly origin: string;
  readonly link: string;
  readonly isSimulated: boolean;
}

/** Writes the email that asks the owner of an address for consent. It repeats no text written by an account. */
export function confirmationMail({ origin, link, isSimulated }: Confirmation): MailContent {
  const subject = "Confirm this address for watch emails";
  const parts: readonly Part[] = [
    ...simulatedPart(isSimulated),
    paragraph(`An account of the Vigil service at ${origin} wants to send emails about its watches to this address.`),
    { kind: "links", title: "Confirm within 7 days", links: [{ label: "Confirm", url: link }] },
    paragraph("If you did not expect this email, ignore it: no emails about watches will be sent."),
  ];
  return { subject, ...written(subject, parts), headers: {} };
}

export interface FiringMail {
  readonly firing: WatchFiring;
  /** The origin of the service. In the email's links, it precedes the path. */
  readonly origin: string;
  /** The link that stops the emails of this watch to this address. */
  readonly stopLink: string;
  readonly isSimulated: boolean;
}

/** Writes the email about a firing. */
export function firingMail({ firing, origin, stopLink, isSimulated }: FiringMail): MailContent {
  const name = oneLine(firing.watchName);
  const subject = `${name}: ${firingSummary(firing)}`;
  const parts: readonly Part[] = [
    ...simulatedPart(isSimulated),
    paragraph(`${kinds[firing.kind]} at ${oneLine(firing.firedAt)}: ${firingSummary(firing)}.`),
    ...(firing.message === undefined ? [] : [paragraph(oneLine(firing.message))]),
    ...valueParts(firing),
    ...rowParts(firing),
    { kind: "lines", title: "Data", lines: dataLines(firing) },
    { kind: "links", title: "Links", links: linksOf(firing, origin) },
    { kind: "links", title: "Sources", links: sourcesOf(firing) },
    { kind: "links", title: "Stop emails about this watch", links: [{ label: "Stop", url: stopLink }] },
  ];
  const headers = { "List-Unsubscribe": `<${stopLink}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
  return { subject, ...written(name, parts), headers };
}

const kinds: Readonly<Record<FiringKind, string>> = {
  WATCH_FIRING_KIND_FIRED: "Fired",
  WATCH_FIRING_KIND_RESOLVED: "Resolved",
  WATCH_FIRING_KIND_FAILED: "Failed",
  WATCH_FIRING_KIND_NOTICE: "Notice",
};

function simulatedPart(isSimulated: boolean): readonly Part[] {
  return isSimulated ? [paragraph(SIMULATED)] : [];
}

function paragraph(text: string): Part {
  return { kind: "text", text };
}

function valueParts({ before, after, isTruncated }: WatchFiring): readonly Part[] {
  const lines = [
    ...valueLines({ before, after }, valueText),
    ...(isTruncated ? ["A value is too large for this email."] : []),
  ];
  return lines.length === 0 ? [] : [{ kind: "lines", title: "Value", lines }];
}

function rowParts(firing: WatchFiring): readonly Part[] {
  const { rows = [], addedCount = 0, changedCount = 0, removedCount = 0 } = firing;
  const shown = rows.slice(0, FIRED_ROWS_MAX);
  const more = addedCount + changedCount + removedCount - shown.length;
  return [
    ...shown.map((row): Part => ({ kind: "lines", title: `${row.change}: ${oneLine(row.id)}`, lines: rowLines(row) })),
    ...(more > 0 ? [paragraph(`${more} more; the links lead to all of them.`)] : []),
  ];
}

function rowLines({ change, before, after, isTruncated }: FiredRow): readonly string[] {
  const values = [before, after].filter((value) => value !== undefined);
  return [
    ...(change === "changed" ? valueLines({ before, after }, valueText) : values.map(valueText)),
    ...(isTruncated ? ["A value is too large for this email."] : []),
  ];
}

function dataLines({ call, state, generations, previousGenerations = {} }: WatchFiring): readonly string[] {
  return [
    `call: ${oneLine(call)}`,
    `state: ${state}`,
    ...Object.entries(generations).map(([dataset, generation]) => {
      const previous = previousGenerations[dataset];
      return `${oneLine(dataset)}: generation ${generation}${previous === undefined ? "" : `, previously ${previous}`}`;
    }),
  ];
}

function linksOf({ links: { answer, changes, history } }: WatchFiring, origin: string): readonly Link[] {
  const paths = [
    ["Answer", answer],
    ...(changes === undefined ? [] : [["Changes", changes] as const]),
    ...history.map((path) => ["History", path] as const),
  ] as const;
  return paths.map(([label, path]) => ({ label, url: `${origin}${oneLine(path)}` }));
}

function sourcesOf({ sources }: WatchFiring): readonly Link[] {
  return sources.map((source) => ({ label: sourceText(source), url: oneLine(source.url) }));
}

function valueText(value: unknown): string {
  const text = oneLine(typeof value === "string" ? value : JSON.stringify(value));
  return text.length > VALUE_CHARACTERS_MAX ? `${text.slice(0, VALUE_CHARACTERS_MAX)}…` : text;
}

function written(title: string, parts: readonly Part[]): Pick<MailContent, "text" | "html"> {
  const filled = parts.filter((part) => part.kind !== "links" || part.links.length > 0);
  return {
    text: `${[title, ...filled.map(textOf)].join("\n\n")}\n`,
    html: `<!doctype html>\n<html lang="en">\n<body>\n<h2>${escaped(title)}</h2>\n${filled.map(htmlOf).join("\n")}\n</body>\n</html>\n`,
  };
}

function textOf(part: Part): string {
  if (part.kind === "text") return part.text;
  if (part.kind === "lines") return [part.title, ...part.lines.map((line) => `  ${line}`)].join("\n");
  return [part.title, ...part.links.map(({ label, url }) => `  ${label}: ${url}`)].join("\n");
}

function htmlOf(part: Part): string {
  if (part.kind === "text") return `<p>${escaped(part.text)}</p>`;
  const items =
    part.kind === "lines"
      ? part.lines.map((line) => `<li><code>${escaped(line)}</code></li>`)
      : part.links.map(({ label, url }) => `<li>${anchor(label, url)}</li>`);
  return `<h3>${escaped(part.title)}</h3>\n<ul>${items.join("")}</ul>`;
}

/** Links only to web addresses, so that no text can become a script. */
function anchor(label: string, url: string): string {
  return /^https?:\/\//.test(url)
    ? `<a href="${escaped(url)}">${escaped(label)}</a>`
    : `${escaped(label)}: ${escaped(url)}`;
}
