import { formatServerAddress, type ServerAddress } from "../domains/index.ts";
import { authority, type Endpoint } from "./addresses.ts";
import { optionEntries } from "./options.ts";
import type { LoadedSettings, Source } from "./load.ts";
import type { Option } from "./option.ts";

export interface ShownSetting {
  /** The value as it could be written; "(set)" for a secret, "" if not set. */
  readonly text: string;
  readonly source: Source;
}

/** Returns the settings without secrets, by the names of the options. */
export function shownSettings({
  settings,
  sources,
}: LoadedSettings): Readonly<Record<string, ShownSetting>> {
  const values: Readonly<Record<string, unknown>> = { ...settings };
  const origins: Readonly<Record<string, Source>> = sources;
  return Object.fromEntries(
    optionEntries.map(([key, { name, secret, write = written }]) => {
      const value = values[key];
      const text = secret ? (value === undefined ? "" : "(set)") : write(value);
      return [name, { text, source: origins[key] ?? "default" }];
    }),
  );
}

function written(value: unknown): string {
  if (Array.isArray(value)) return value.map(written).join(",");
  if (["string", "number", "boolean"].includes(typeof value)) return String(value);
  if (typeof value !== "object" || value === null) return "";
  if (isEndpoint(value)) return authority(value);
  if (isServerAddress(value)) return formatServerAddress(value);
  return "address" in value && "bits" in value
    ? `${String(value.address)}/${String(value.bits)}`
    : "";
}

function isServerAddress(value: object): value is ServerAddress {
  return "address" in value && "port" in value;
}

function isEndpoint(value: object): value is Endpoint {
  return "host" in value && "port" in value;
}

/** Returns the JSON Schema (2020-12) of the `--config` file. */
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
            description: `${option.help} Default: ${option.defaultText}.`,
            ...(option.secret ? { writeOnly: true } : {}),
            ...typeOf(option),
          },
        ]),
      ),
    },
  };
}

function typeOf({ json }: Option<unknown>): object {
  if (typeof json === "object" && "items" in json) {
    return { type: "array", minItems: 1, items: json.items };
  }
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
