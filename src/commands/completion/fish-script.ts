import type { CommandNode } from "./command-tree.js";

/**
 * Generates the completion script for fish, which offers the words that can follow each command, with their
 * descriptions.
 */
export function fishScript(nodes: readonly CommandNode[]): string {
  const lines = nodes.flatMap(({ words, subcommands, options, values }) => {
    const condition = `-n ${quoted(`test "$(__vigil_command)" = "${words.join(" ")}"`)}`;
    return [
      ...subcommands.map(
        ({ name, description }) => `complete -c vigil ${condition} -a ${name} -d ${quoted(description)}`,
      ),
      ...(values.length > 0 ? [`complete -c vigil ${condition} -a ${quoted(values.join(" "))}`] : []),
      ...options.map(
        ({ name, description }) => `complete -c vigil ${condition} -l ${name.slice(2)} -d ${quoted(description)}`,
      ),
    ];
  });
  return `# fish completion of vigil
function __vigil_command
  set -l known ${nodes.map(({ words }) => quoted(words.join(" "))).join(" ")}
  set -l command ""
  for word in (commandline -opc)[2..-1]
    string match -q -- "-*" $word; and continue
    set -l candidate (string trim "$command $word")
    contains -- "$candidate" $known; and set command $candidate
  end
  echo $command
end
${lines.join("\n")}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
