import { loadSettings } from "../settings/load.ts";
import { optionEntries } from "../settings/options.ts";
import { configSchema, shownSettings } from "../settings/shown.ts";
import { command, type Command } from "./command.ts";
import { serveFlags } from "./operation.ts";
import { writeJson, writeTable } from "./output.ts";

export const configCommands: readonly Command[] = [
  command({
    path: "config print",
    summary: "Show the options of `serve` and their sources, without secrets",
    flags: serveFlags,
    examples: ["config print", "config print --config petstore.json --json"],
    run: async ({ flags, context: { terminal, environment } }) => {
      const { json, ...typed } = flags;
      const shown = shownSettings(await loadSettings({ flags: typed, environment }));
      if (json) await writeJson(terminal, shown);
      else {
        const rows = optionEntries.map(([, { name }]) => [
          name,
          shown[name]?.text ?? "",
          shown[name]?.source ?? "",
        ]);
        await writeTable(terminal, ["OPTION", "VALUE", "FROM"], rows);
      }
      return "done";
    },
  }),
  command({
    path: "config schema",
    summary: "Write the JSON Schema of the configuration file",
    examples: ["config schema > petstore.schema.json"],
    run: async ({ context }) => {
      await writeJson(context.terminal, configSchema());
      return "done";
    },
  }),
];
