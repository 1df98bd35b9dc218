import type { DestinationFlags } from "./client.ts";
import { optional, type Flag } from "./flag.ts";
import type { Option } from "../settings/options.ts";
import { configOption, optionEntries, options } from "../settings/options.ts";
import { done } from "../lib/base/result.ts";
import { text } from "../settings/values.ts";

type TextFlag = Flag<string | undefined>;

/** Every option that may be typed, as text: it is read together with the other sources. */
export const serveFlags: Readonly<Record<string, TextFlag>> = Object.fromEntries([
  [configOption.name, flagOf(configOption)],
  ...optionEntries
    .filter(([, { secret }]) => secret === undefined)
    .map(([, option]): [string, TextFlag] => [
      option.name,
      option.json === "boolean" ? toggleOf(option) : flagOf(option),
    ]),
]);

/** What a command needs to find the service; the rest comes from environment and file. */
export const clientFlags: {
  readonly [Name in keyof DestinationFlags]: TextFlag;
} = {
  "data-dir": flagOf(options.dataDir),
  config: flagOf(configOption),
  server: flagOf({
    name: "server",
    placeholder: "URL",
    help: "A service that runs elsewhere, instead of the one in the data directory.",
    otherwise: "none",
  }),
  "token-file": flagOf({
    name: "token-file",
    placeholder: "FILE",
    help: "Holds the management token for --server; its owner alone may read it. The token itself can be in PETSTORE_TOKEN.",
    otherwise: "none",
  }),
};

function flagOf({
  name,
  placeholder,
  help,
  otherwise,
}: Pick<Option<unknown>, "name" | "placeholder" | "help" | "otherwise">): TextFlag {
  return optional({ name, placeholder, help: `${help} Default: ${otherwise}.`, parse: text });
}

/** True when it is typed; the environment and the file can say it is not. */
function toggleOf({ name, help, otherwise }: Option<unknown>): TextFlag {
  return {
    name,
    help: `${help} Default: ${otherwise}.`,
    read: ([given]) => done(given === undefined ? undefined : "true"),
  };
}
