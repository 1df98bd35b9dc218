import { done, refused, type Result } from "../lib/base/result.ts";
import type { Parse } from "../settings/values.ts";

/** One option of a command, and how to read it. */
export interface Flag<Value> {
  /** Without the dashes. */
  readonly name: string;
  /** Stands for the value in help; absent for a flag that takes none. */
  readonly placeholder?: string;
  readonly help: string;
  /** What is read when it is given without a value; absent where it needs one. */
  readonly bare?: string;
  /** May be given more than once. */
  readonly many?: boolean;
  readonly required?: boolean;
  /** Reads what was given, in order; an empty list when it was not. */
  readonly read: (texts: readonly string[]) => Result<Value, string>;
}

export type Flags = Readonly<Record<string, Flag<unknown>>>;

/** What the flags of a command come to, under the keys of the flags. */
export type Values<Given extends Flags> = {
  readonly [Key in keyof Given]: Given[Key] extends Flag<infer Value> ? Value : never;
};

interface Described<Value> {
  readonly name: string;
  readonly placeholder: string;
  readonly help: string;
  readonly parse: Parse<Value>;
}

/** Undefined when it is not given. */
export function optional<Value>(described: Described<Value>): Flag<Value | undefined> {
  return {
    ...shown(described),
    read: ([given]) => (given === undefined ? done(undefined) : described.parse(given)),
  };
}

/** Undefined when it is not given, `bare` when it is given without a value. */
export function optionalValue<Value>(
  described: Described<Value>,
  bare: string,
): Flag<Value | undefined> {
  return { ...optional(described), bare };
}

export function withDefault<Value>(described: Described<Value>, fallback: Value): Flag<Value> {
  return {
    ...shown(described),
    read: ([given]) => (given === undefined ? done(fallback) : described.parse(given)),
  };
}

export function required<Value>(described: Described<Value>): Flag<Value> {
  return {
    ...shown(described),
    required: true,
    read: ([given]) => (given === undefined ? refused("is needed") : described.parse(given)),
  };
}

/** Any number of times; several at once with commas between them. Undefined when it is not given. */
export function repeated<Value>(described: Described<Value>): Flag<readonly Value[] | undefined> {
  return {
    ...shown(described),
    many: true,
    read: (given) => {
      if (given.length === 0) return done(undefined);
      const values: Value[] = [];
      for (const part of given.flatMap((one) => one.split(","))) {
        const value = described.parse(part.trim());
        if (!value.ok) return value;
        values.push(value.value);
      }
      return done(values);
    },
  };
}

/** True when it is given. */
export function toggle(name: string, help: string): Flag<boolean> {
  return { name, help, read: (given) => done(given.length > 0) };
}

function shown({ name, placeholder, help }: Described<unknown>): Omit<Flag<never>, "read"> {
  return { name, placeholder, help };
}
