import type { CommandNode } from "./command-tree.js";

/**
 * Generates the completion script for zsh, which offers the words that can follow each command, with their
 * descriptions.
 */
export function zshScript(nodes: readonly CommandNode[]): string {
  const cases = nodes.map(({ words, subcommands, options, values }) => {
    const next = [
      ...subcommands.map(({ name, description }) => quoted(`${name}:${description}`)),
      ...values.map((value) => quoted(value)),
    ];
    const flags = options.map(({ name, description }) => quoted(`${name}:${description}`));
    return `    ${quoted(words.join(" "))}) next=(${next.join(" ")}); flags=(${flags.join(" ")}) ;;`;
  });
  return `#compdef vigil
_vigil() {
  local word command="" candidate
  local -a next flags known
  known=(${nodes.map(({ words }) => quoted(words.join(" "))).join(" ")})
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ "$word" == -* ]] && continue
    candidate="\${command:+$command }$word"
    (( \${known[(Ie)$candidate]} )) && command="$candidate"
  done
  case "$command" in
${cases.join("\n")}
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then
    _describe option flags
  else
    _describe command next || _files
  fi
}
compdef _vigil vigil`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
