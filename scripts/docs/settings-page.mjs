// docs/settings.md: every setting, the keys of upstreams and the limits of single paths.
import { settings } from "../../dist/app/config.js";
import { table } from "./markdown.mjs";

export function settingsPage({ settings: ofServices, sources, writes }) {
  const rows = [...Object.values(settings), ...ofServices].map(({ name, default: fallback, unit, description }) => [
    `\`${name}\``,
    fallback === "" ? "" : `\`${fallback}\`${unit ? ` ${unit}` : ""}`,
    description,
  ]);
  const keys = sources.flatMap(({ title, credentials }) =>
    credentials.map(({ variable, description }) => [`\`${variable}\``, title, description]),
  );
  const pathLimits = writes.flatMap(({ path, write: { limit } }) =>
    limit ? [[`\`${limit.name}\``, limit.callsMax, `\`${path}\``]] : [],
  );
  return `# Settings

Every setting is a variable in the environment, or a member of \`vigil.config.json\` in the working folder (\`VIGIL_CONFIG\`
selects another file). The environment takes precedence. If a value is invalid, the service does not start, and the
error names the setting.

${table(["name", "default", "description"], rows)}

## Keys of upstreams

No key is required. A source without its key is \`unconfigured\`, unless its upstream also answers without a key.
\`/api/health\` names the variables that are not set.

${table(["name", "source", "description"], keys)}

## Limits of single paths

Each limit is a number of calls in 60 s. Calls are counted by account, or by address for callers without an account.
\`VIGIL_LIMITS\` changes a limit by its name.

${table(["name", "default", "path"], pathLimits)}

## On the command line

Commands that call a running service, such as \`vigil datasets\` and \`vigil call\`, use the address in \`VIGIL_URL\` and
the key in \`VIGIL_KEY\`.
`;
}
