import { command } from "../command.ts";
import { configSchema } from "../../settings/shown.ts";
import { writeJson } from "../output.ts";

export const configSchemaCommand = command({
  path: "config schema",
  summary: "Write the JSON Schema of the configuration file",
  operands: {},
  flags: {},
  examples: ["config schema > petstore.schema.json"],
  run: async ({ context }) => {
    await writeJson(context.terminal, configSchema());
    return "done";
  },
});
