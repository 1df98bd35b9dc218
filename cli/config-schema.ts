import type { Option } from "./option.ts";
import { optionEntries } from "./options.ts";

/** JSON Schema (2020-12) of the file that `--config` names. */
export function configSchema(): object {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Options of petstore serve",
    type: "object",
    additionalProperties: false,
    properties: {
      $schema: { type: "string" },
      ...Object.fromEntries(
        optionEntries.map(([, option]) => [
          option.name,
          {
            description: `${option.help} Default: ${option.otherwise}.`,
            ...(option.secret ? { writeOnly: true } : {}),
            ...typeOf(option),
          },
        ]),
      ),
    },
  };
}

function typeOf({ json }: Option<unknown>): object {
  switch (json) {
    case "string":
      return { type: "string", minLength: 1 };
    case "port":
      return { type: "integer", minimum: 1, maximum: 65_535 };
    case "strings":
      return { type: "array", items: { type: "string", minLength: 1 } };
    case "boolean":
      return { type: "boolean" };
    default:
      return { enum: json };
  }
}
