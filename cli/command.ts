import type { Runtime } from "../server/runtime.ts";
import type { Exit } from "../settings/failure.ts";
import { toggle, type Flag, type Flags, type Values } from "./flag.ts";
import type { Terminal } from "./terminal.ts";

/** What a command needs of the world around it. */
export interface Context extends Runtime {
  readonly terminal: Terminal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** How a person types the program. */
  readonly program: string;
}

/** An argument without a name. */
export interface Operand {
  /** `ACCOUNT` */
  readonly placeholder: string;
  readonly help: string;
  /** May be left out. */
  readonly optional?: true;
}

export type Operands = Readonly<Record<string, Operand>>;

export interface Invocation<Given extends Flags, Named extends Operands> {
  readonly flags: Values<Given & typeof common>;
  readonly operands: Typed<Named>;
  readonly context: Context;
}

/** What was typed for each operand; undefined is possible only for one that may be left out. */
type Typed<Named extends Operands> = {
  readonly [Key in keyof Named]: Named[Key] extends { readonly optional: true }
    ? string | undefined
    : string;
};

interface Definition<Given extends Flags, Named extends Operands> {
  /** As it is typed: `keys create`. */
  readonly path: string;
  /** One line, without a full stop. */
  readonly summary: string;
  /** What else there is to know; already wrapped. */
  readonly details?: string;
  readonly operands: Named;
  readonly flags: Given;
  /** Arguments after the program's name. */
  readonly examples: readonly string[];
  readonly run: (invocation: Invocation<Given, Named>) => Promise<Exit>;
}

/** A command, whatever its flags are. */
export interface Command {
  readonly path: string;
  readonly summary: string;
  readonly details: string | undefined;
  readonly operands: Operands;
  readonly flags: readonly (readonly [string, Flag<unknown>])[];
  readonly examples: readonly string[];
  /** `values` and `operands` are those that this command's own flags and operands were read into. */
  readonly run: (
    values: Readonly<Record<string, unknown>>,
    operands: Readonly<Record<string, string>>,
    context: Context,
  ) => Promise<Exit>;
}

/** What every command takes. */
const common = {
  json: toggle("json", "Write one JSON document instead of text for people."),
} as const;

export function command<const Given extends Flags, const Named extends Operands>(
  definition: Definition<Given, Named>,
): Command {
  const { path, summary, details, operands, flags, examples, run } = definition;
  return {
    path,
    summary,
    details,
    operands,
    flags: Object.entries<Flag<unknown>>({ ...flags, ...common }),
    examples,
    run: (values, named, context) =>
      run({
        // The parser read each value by the flag of its name, and counted the operands.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        flags: values as Values<Given & typeof common>,
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        operands: named as Typed<Named>,
        context,
      }),
  };
}
