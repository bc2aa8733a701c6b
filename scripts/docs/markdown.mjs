// The parts of Markdown that the generated pages share.

const cell = (text) => String(text).replaceAll("|", "\\|").replaceAll("\n", " ");

/** A table. Texts of cells are Markdown. */
export function table(header, rows) {
  return [header, header.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n");
}

/** A fenced block of code. */
export function block(language, code) {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}

/** The id of a heading, as GitHub and the service derive it. */
export function anchor(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}

/** Formats a duration. If it is shorter than an hour, the unit is minutes, otherwise hours. */
export function lasting(ms) {
  return ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`;
}
