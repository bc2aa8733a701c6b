import { existsSync } from "node:fs";
import { join } from "node:path";
import { readingTools, upstreamClient } from "../../app/builder.js";
import { type Config, ConfigError } from "../../app/config.js";
import { settingReader } from "../../contract/setting.js";
import type { Clock } from "../../kit/clock.js";
import type { Services } from "../../services/registry.js";
import type { Diagnosis, DoctorOptions } from "./diagnosis.js";
import { recordingClient } from "./recording-client.js";
import { checkSources, hasManyBadRows, sourceTable } from "./source-check.js";
import { plannedQuestions } from "./source-questions.js";

export interface SourceDiagnosisOptions {
  readonly services: Services;
  readonly config: Config;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onChecked?: (count: number, of: number) => void;
}

/**
 * Runs `vigil doctor --sources`: sends trial requests to every configured upstream. The result is bad if a source
 * failed or has many bad rows, or if the check was cancelled. Nothing is stored except the recording for `--save`. The
 * requests are not deducted from the budgets for paid upstreams.
 */
export async function diagnoseSources(
  options: SourceDiagnosisOptions,
  { json, save }: DoctorOptions,
): Promise<Diagnosis> {
  const { services, config, clock } = options;
  if (save !== undefined && existsSync(join(save, "index.json"))) {
    throw new ConfigError(`${save} already contains a recording; choose another folder`);
  }
  const startedAt = clock.now();
  const client = await upstreamClient({
    config,
    clock,
    upstreamBase: config.upstreamBase,
    // Nothing is written to the store, so requests to a simulator or a mirror are allowed too.
    acceptSimulated: true,
    // Failures never stop the requests to a host, so that each of its sources is requested.
    limits: { failuresMax: Number.POSITIVE_INFINITY },
  });
  const recording = save === undefined ? undefined : recordingClient(client, save, secretsIn(services, config));
  try {
    const tools = readingTools({ config, services, clock }, recording ?? client, { take: async () => undefined });
    const { sources, operations } = services;
    const settingOf = settingReader(config.texts);
    const questions = plannedQuestions({ datasets: services.datasets, operations, now: startedAt, settingOf });
    const checked = await checkSources({ ...options, sources, questions, tools });
    const saved = recording && { folder: save, answers: await recording.writeIndex(startedAt) };
    const isBad =
      checked.length < sources.length || checked.some((source) => source.state === "failed" || hasManyBadRows(source));
    if (json) return { text: JSON.stringify({ asked: sources.length, sources: checked, saved }, null, 2), isBad };
    const end =
      saved === undefined
        ? ""
        : `\n${saved.answers} answers saved in ${saved.folder}: vigil demo --recorded ${saved.folder}`;
    return { text: sourceTable(checked, sources.length) + end, isBad };
  } finally {
    await client.close();
  }
}

/** Returns the configured keys, tokens and passwords, which a recording must not contain. */
function secretsIn({ sources }: Services, { texts }: Config): readonly string[] {
  const variables = sources.flatMap(({ credentials }) => credentials.map(({ variable }) => variable));
  // Account names are left out, because a name may be an ordinary word that also occurs in answers.
  const secret = variables.filter((variable) => /KEY|TOKEN|PASSWORD|SECRET|_API$/.test(variable));
  return [...new Set(secret.flatMap((variable) => texts[variable] ?? []))].filter((value) => value.length >= 6);
}
