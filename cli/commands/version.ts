import { command } from "../command.ts";
import { writeJson } from "../output.ts";

export const versionCommand = command({
  path: "version",
  summary: "Show the version of this program",
  operands: {},
  flags: {},
  examples: ["version", "version --json"],
  run: async ({ flags, context }) => {
    const { terminal, version } = context;
    if (flags.json) await writeJson(terminal, { version, bun: Bun.version });
    else await terminal.out(`petstore ${version}\n`);
    return "done";
  },
});
