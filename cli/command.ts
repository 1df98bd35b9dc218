import { done, refused, type Result } from "../lib/base/result.ts";
import type { Runtime } from "../server/process/runtime.ts";
import type { Exit } from "../settings/failure.ts";
import { list, text, type Parse } from "../settings/values.ts";
import type { Terminal } from "./terminal.ts";

/** The environment in which a command runs. */
export interface Context extends Runtime {
  readonly terminal: Terminal;
  /** Only data and errors are wanted: `terminal` drops everything else. */
  readonly quiet?: true;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What a user types to start the program. */
  readonly program: string;
  /** `program` as visitors of the dashboard see it. */
  readonly programShown: string;
}

/** One option of a command. */
export interface Flag<Value> {
  /** The name without the dashes. */
  readonly name: string;
  /** Stands for the value in help; absent for a flag without a value. */
  readonly placeholder?: string;
  readonly help: string;
  /** The text to parse if the flag is given without a value; absent if it needs one. */
  readonly bare?: string;
  /** May be given more than once. */
  readonly many?: boolean;
  /** The values that completion offers, if they are few. */
  readonly choices?: readonly string[] | undefined;
  readonly required?: boolean;
  /** Accepted without effect, and not in the help. */
  readonly unlisted?: boolean;
  /** Parses the given texts, in order; none if the flag is absent. */
  readonly read: (texts: readonly string[]) => Result<Value, string>;
}

export type Flags = Readonly<Record<string, Flag<unknown>>>;

/** The values of a command's flags, under the keys of the flags. */
type Values<Given extends Flags> = {
  readonly [Key in keyof Given]: Given[Key] extends Flag<infer Value> ? Value : never;
};

interface Described<Value> {
  readonly name: string;
  readonly placeholder: string;
  readonly help: string;
  readonly parse: Parse<Value>;
}

/** Undefined if absent. */
export function optional<Value>(described: Described<Value>): Flag<Value | undefined> {
  return withDefault<Value | undefined>(described, undefined);
}

/** A text; undefined if absent. */
export function optionalText(
  name: string,
  placeholder: string,
  help: string,
): Flag<string | undefined> {
  return optional({ name, placeholder, help, parse: text });
}

/** Undefined if absent, `bare` if given without a value. */
export function optionalValue<Value>(
  described: Described<Value>,
  bare: string,
): Flag<Value | undefined> {
  return { ...optional(described), bare };
}

export function withDefault<Value>(
  { parse, ...shown }: Described<Value>,
  fallback: Value,
): Flag<Value> {
  return {
    ...shown,
    choices: parse.choices,
    read: ([given]) => (given === undefined ? done(fallback) : parse(given)),
  };
}

export function required<Value>({ parse, ...shown }: Described<Value>): Flag<Value> {
  return {
    ...shown,
    choices: parse.choices,
    required: true,
    read: ([given]) => (given === undefined ? refused("is required") : parse(given)),
  };
}

/** Repeatable, or a list with commas. Undefined if absent. */
export function repeated<Value>({
  parse,
  ...shown
}: Described<Value>): Flag<readonly Value[] | undefined> {
  return {
    ...shown,
    choices: parse.choices,
    many: true,
    read: (given) => (given.length === 0 ? done(undefined) : list(parse)(given.join(","))),
  };
}

/** Repeatable; each text is one value, whatever characters it has. Empty if absent. */
export function each<Value>({ parse, ...shown }: Described<Value>): Flag<readonly Value[]> {
  return {
    ...shown,
    choices: parse.choices,
    many: true,
    read: (given) => {
      const values: Value[] = [];
      for (const one of given) {
        const read = parse(one);
        if (!read.ok) return read;
        values.push(read.value);
      }
      return done(values);
    },
  };
}

/** True if given. */
export function toggle(name: string, help: string): Flag<boolean> {
  return { name, help, read: (given) => done(given.length > 0) };
}

/** A positional argument. */
export interface Operand {
  /** `ACCOUNT` */
  readonly placeholder: string;
  readonly help: string;
  readonly optional?: true;
  /** One or more; only the last operand can be. */
  readonly many?: true;
  /** The values that completion offers, if they are few. */
  readonly choices?: readonly string[];
}

export type Operands = Readonly<Record<string, Operand>>;

export interface Invocation<Given extends Flags, Named extends Operands> {
  readonly flags: Values<Given & typeof common>;
  readonly operands: Typed<Named>;
  readonly context: Context;
}

/** The given text of each operand, or its texts. */
type Typed<Named extends Operands> = {
  readonly [Key in keyof Named]: Named[Key] extends { readonly many: true }
    ? readonly string[]
    : Named[Key] extends { readonly optional: true }
      ? string | undefined
      : string;
};

export interface Definition<Given extends Flags, Named extends Operands> {
  /** The command as it is typed: `keys create`. */
  readonly path: string;
  /** One line that begins with an imperative verb, without a full stop. */
  readonly summary: string;
  /** Further facts; wrapped by the help. */
  readonly details?: string;
  readonly operands?: Named;
  readonly flags?: Given;
  /** Arguments after the program's name. */
  readonly examples: readonly string[];
}

/** A command, with its flags and operands erased. */
export interface Command {
  readonly path: string;
  readonly summary: string;
  readonly details: string | undefined;
  readonly operands: Operands;
  readonly flags: readonly (readonly [string, Flag<unknown>])[];
  readonly examples: readonly string[];
  /** `values` and `operands` were parsed by this command's own flags and operands. */
  readonly run: (
    values: Readonly<Record<string, unknown>>,
    operands: Readonly<Record<string, string | readonly string[]>>,
    context: Context,
  ) => Promise<Exit>;
}

/** Flags of every command that it reads itself. */
const common = {
  json: toggle("json", "Write one JSON document instead of text."),
} as const;

const quietFlag = toggle("quiet", "Write only data and errors: no messages, and no progress.");

export function command<
  const Given extends Flags = Record<never, never>,
  const Named extends Operands = Record<never, never>,
>({
  path,
  summary,
  details,
  operands,
  flags,
  examples,
  run,
}: Definition<Given, Named> & {
  readonly run: (invocation: Invocation<Given, Named>) => Promise<Exit>;
}): Command {
  return {
    path,
    summary,
    details,
    operands: operands ?? {},
    flags: Object.entries<Flag<unknown>>({ ...flags, ...common, quiet: quietFlag }),
    examples,
    run: ({ quiet, ...values }, named, context) =>
      run({
        // The parser read each value with the flag of its name, and counted the operands.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        flags: values as Values<Given & typeof common>,
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        operands: named as Typed<Named>,
        context: quiet === true ? quietly(context) : context,
      }),
  };
}

function quietly(context: Context): Context {
  return { ...context, quiet: true, terminal: { ...context.terminal, err: () => {} } };
}
