import { Argument, type Command } from "commander";
import { bashScript } from "./completion/bash-script.js";
import { commandTree } from "./completion/command-tree.js";
import { fishScript } from "./completion/fish-script.js";
import { zshScript } from "./completion/zsh-script.js";
import { say } from "./shared/output.js";
import { startUp } from "./shared/start-up.js";

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** Adds `vigil completion`. */
export function addCompletion(root: Command): void {
  root
    .command("completion")
    .description("print a script that completes commands, options and names in a shell")
    .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(scripts)))
    .addHelpText("after", EXAMPLES)
    .action(async (shell: keyof typeof scripts) => {
      const { services } = await startUp();
      const datasets = services.allDatasets.map(({ name }) => name);
      say(scripts[shell](commandTree(root, { dataset: datasets })));
    });
}

const EXAMPLES = `
Examples:
  vigil completion bash > ~/.local/share/bash-completion/completions/vigil
  vigil completion zsh > "\${fpath[1]}/_vigil"
  vigil completion fish > ~/.config/fish/completions/vigil.fish

The script contains the names of the operations and datasets of this version. Print it again after an upgrade.
Exit codes: 0 printed; 1 an unknown shell.`;
