import type { CommandNode } from "./command-tree.js";

/** Generates the completion script for bash, which offers the words that can follow each command. */
export function bashScript(nodes: readonly CommandNode[]): string {
  const cases = nodes.map(({ words, subcommands, options, values }) => {
    const next = [...subcommands.map(({ name }) => name), ...values];
    const pattern = words.length === 0 ? '""' : `"${words.join(" ")}"`;
    return `    ${pattern}) next="${next.join(" ")}"; flags="${options.map(({ name }) => name).join(" ")}" ;;`;
  });
  return `# bash completion of vigil
_vigil() {
  local word command="" candidate next="" flags=""
  local current="\${COMP_WORDS[COMP_CWORD]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) continue ;; esac
    candidate="\${command:+$command }$word"
    case "|${nodes.map(({ words }) => words.join(" ")).join("|")}|" in *"|$candidate|"*) command="$candidate" ;; esac
  done
  case "$command" in
${cases.join("\n")}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$current")) ;;
    *) COMPREPLY=($(compgen -W "$next" -- "$current")) ;;
  esac
}
complete -o default -F _vigil vigil`;
}
