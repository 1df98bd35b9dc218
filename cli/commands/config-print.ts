import { command } from "../command.ts";
import { optionEntries } from "../../settings/options.ts";
import { writeJson, writeTable } from "../output.ts";
import { serveFlags } from "../serve-flags.ts";
import { loadSettings } from "../../settings/load.ts";
import { shownSettings } from "../../settings/shown.ts";

export const configPrint = command({
  path: "config print",
  summary: "Show what `serve` would be told, and by whom; secrets are not shown",
  operands: {},
  flags: serveFlags,
  examples: ["config print", "config print --config petstore.json --json"],
  run: async ({ flags, context }) => {
    const { terminal, environment } = context;
    const { json, ...typed } = flags;
    const loaded = await loadSettings({ flags: typed, environment });
    const shown = shownSettings(loaded);
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
});
