import type { PetstoreClient } from "../domains/operations.ts";
import { done } from "../lib/base/result.ts";
import { toWire } from "../lib/management/index.ts";
import type { Exit } from "../settings/failure.ts";
import { configOption, optionEntries, options } from "../settings/options.ts";
import type { Option } from "../settings/option.ts";
import { text } from "../settings/values.ts";
import { withClient, type DestinationFlags } from "./client.ts";
import {
  command,
  optional,
  type Command,
  type Definition,
  type Flag,
  type Flags,
  type Invocation,
  type Operands,
} from "./command.ts";
import { writeJson } from "./output.ts";

type TextFlag = Flag<string | undefined>;
type Shown = Pick<Option<unknown>, "name" | "placeholder" | "help" | "defaultText"> &
  Partial<Pick<Option<unknown>, "parse">>;

function flagOf({ name, placeholder, help, defaultText, parse }: Shown): TextFlag {
  const shown = { name, placeholder, help: `${help} Default: ${defaultText}.` };
  return { ...optional({ ...shown, parse: text }), choices: parse?.choices };
}

/** True if typed; environment and file can also set it to false. */
function toggleOf({ name, help, defaultText }: Option<unknown>): TextFlag {
  return {
    name,
    help: `${help} Default: ${defaultText}.`,
    read: ([given]) => done(given === undefined ? undefined : "true"),
  };
}

/** The options of `serve` as flags, unparsed: `loadSettings` parses all sources. */
export const serveFlags: Readonly<Record<string, TextFlag>> = Object.fromEntries([
  [configOption.name, flagOf(configOption)],
  ...optionEntries
    .filter(([, { secret, fileOnly }]) => secret !== true && fileOnly !== true)
    .map(([, option]): [string, TextFlag] => [
      option.name,
      option.json === "boolean" ? toggleOf(option) : flagOf(option),
    ]),
]);

/** The flags that locate the service. */
export const clientFlags: { readonly [Name in keyof DestinationFlags]: TextFlag } = {
  "data-dir": flagOf(options.dataDir),
  config: flagOf(configOption),
  server: flagOf({
    name: "server",
    placeholder: "URL",
    help: "A remote server, instead of the installation in the data directory.",
    defaultText: "none",
  }),
  "token-file": flagOf({
    name: "token-file",
    placeholder: "FILE",
    help: "File with the management token for --server, readable by its owner only. PETSTORE_TOKEN can hold the token itself.",
    defaultText: "none",
  }),
};

type Called<Given extends Flags, Named extends Operands> = Invocation<
  Given & typeof clientFlags,
  Named
>;

/**
 * Declares a command over the management API. `call` returns the value; `show` writes it for people, and `--json` writes
 * it as the API does, unless `json` selects something else.
 */
export function operation<
  Value,
  Input,
  const Given extends Flags = Record<never, never>,
  const Named extends Operands = Record<never, never>,
>({
  before,
  call,
  show,
  json = (value) => value,
  exit = () => "done",
  create,
  ...definition
}: Definition<Given, Named> & {
  /** Checks the arguments before the service is reached; its result is the input of `call`. */
  readonly before?: (called: Called<Given, Named>) => Input | Promise<Input>;
  readonly call: (
    client: PetstoreClient,
    called: Called<Given, Named>,
    input: Input,
  ) => Promise<Value>;
  readonly show: (value: Value, called: Called<Given, Named>) => void | Promise<void>;
  readonly json?: (value: Value) => unknown;
  /** Default: `done`. */
  readonly exit?: (value: Value) => Exit;
  /** Whether the command creates an installation that does not exist. */
  readonly create?: (called: Called<Given, Named>) => boolean;
}): Command {
  return command<Given & typeof clientFlags, Named>({
    ...definition,
    // The type parameter stands for exactly these.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    flags: { ...definition.flags, ...clientFlags } as Given & typeof clientFlags,
    run: async (called) => {
      const { flags, context } = called;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const common = flags as DestinationFlags & { readonly json: boolean };
      // Undefined only if `call` takes no input.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const input = (await before?.(called)) as Input;
      const value = await withClient(common, context, (client) => call(client, called, input), {
        create: create?.(called) ?? false,
      });
      if (common.json) await writeJson(context.terminal, toWire(json(value)));
      else await show(value, called);
      return exit(value);
    },
  });
}
