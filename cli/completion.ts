import { command, type Command } from "./command.ts";
import { bashCompletion } from "./completion/bash.ts";
import { fishCompletion } from "./completion/fish.ts";
import { placesOf, type Place } from "./completion/words.ts";
import { zshCompletion } from "./completion/zsh.ts";
import { writeJson } from "./output.ts";
import { Failure } from "../settings/failure.ts";
import { oneOf } from "../settings/values.ts";

const writers: Readonly<Record<string, (places: readonly Place[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

const shells: readonly string[] = Object.keys(writers);

/** Returns the script that completes the commands in a shell. */
export function completionFor(shell: string, commands: readonly Command[]): string {
  return writers[shell]?.(placesOf(commands)) ?? "";
}

/** `completion` for the commands that `all` returns, which contain this one. */
export function completionOf(all: () => readonly Command[]): Command {
  return command({
    path: "completion",
    summary: "Write the completion of commands, options and values for a shell",
    details:
      "The shell then completes `petstore`, if it finds the program in its PATH. IDs of accounts, slugs of projects and domains are completed while a server runs on the data directory; no other server is asked. Write the script again after an update.",
    operands: {
      shell: { placeholder: "SHELL", help: `${shells.join(", ")}.`, choices: shells },
    },
    examples: [
      "completion bash > ~/.local/share/bash-completion/completions/petstore",
      "completion zsh > ~/.zfunc/_petstore    # fpath=(~/.zfunc $fpath) before compinit in ~/.zshrc",
      "completion fish > ~/.config/fish/completions/petstore.fish",
    ],
    run: async ({ flags: { json }, operands: { shell }, context: { terminal } }) => {
      const read = oneOf(shells)(shell);
      if (!read.ok) throw new Failure("usage", `SHELL ${read.failure}.`);
      const script = completionFor(shell, all());
      if (json) await writeJson(terminal, { shell, script });
      else await terminal.out(script);
      return "done";
    },
  });
}
