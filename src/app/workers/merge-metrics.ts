/** The metrics of one process. */
export interface ProcessMetrics {
  /** Value of the label `worker`. */
  readonly worker: string;
  /** Prometheus text. */
  readonly text: string;
}

interface Family {
  readonly heads: readonly string[];
  readonly samples: string[];
}

/**
 * Merges the metrics of several processes into one text, in which the label `worker` names the process of each sample.
 */
export function mergedMetrics(processes: readonly ProcessMetrics[]): string {
  const families = new Map<string, Family>();
  for (const { worker, text } of processes) {
    let heads: string[] = [];
    let family: Family = { heads, samples: [] };
    for (const line of text.split("\n")) {
      const [, name] = /^# HELP (\S+)/.exec(line) ?? [];
      if (name !== undefined) {
        heads = [line];
        family = families.get(name) ?? { heads, samples: [] };
        families.set(name, family);
      } else if (line.startsWith("#")) heads.push(line);
      else if (line !== "") family.samples.push(labelled(line, worker));
    }
  }
  return [...families.values()].map(({ heads, samples }) => `${[...heads, ...samples].join("\n")}\n`).join("\n");
}

/** Adds the label to a sample: `name value` or `name{label="text"} value`. */
function labelled(sample: string, worker: string): string {
  const label = `worker="${worker}"`;
  const at = sample.search(/[{ ]/);
  const rest = sample.slice(at);
  return rest.startsWith("{")
    ? `${sample.slice(0, at)}{${label},${rest.slice(1)}`
    : `${sample.slice(0, at)}{${label}}${rest}`;
}
