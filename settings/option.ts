import { durationBetween, msOf, writtenDuration, type Parse } from "./values.ts";

/** One option of `serve`: its flag, environment variable, configuration key, help, default and check. */
export interface Option<Value> {
  /** Flag `--x-y`, environment variable `PETSTORE_X_Y` and configuration key. */
  readonly name: string;
  readonly placeholder: string;
  readonly help: string;
  /** The default, in words. */
  readonly defaultText: string;
  readonly fallback: Value;
  readonly parse: Parse<Value>;
  /** Formats a value whose plain text would not parse. */
  write?(value: Value): string;
  /** Never shown, may be in a file of its own (`PETSTORE_X_Y_FILE`), and has no flag unless it may be without a secret. */
  readonly secret?: true | "flag";
  /** Environment variables of other programs that set it if nothing else does. */
  readonly elsewhere?: Elsewhere;
  /** Whether only the configuration file can set it, as its value is no text. `parse` gets the JSON of the value. */
  readonly fileOnly?: true;
  /** Type of the value in the configuration file; `items` is the JSON Schema of what a list contains. */
  readonly json:
    | "string"
    | "port"
    | "strings"
    | "boolean"
    | readonly string[]
    | { readonly items: object };
}

export interface Elsewhere {
  /** The first that is set counts. */
  readonly variables: readonly string[];
  /** Options that belong together: the variables count only if none of the group is set otherwise. */
  readonly group?: string;
}

/** The declaration of an option; by default a text without a default. */
type Declared<Value> = Omit<Option<Value>, "defaultText" | "json"> &
  Partial<Pick<Option<Value>, "defaultText" | "json">>;

/** Declares an option. */
export function option<Value>(declared: Declared<Value>): Option<Value> {
  return { defaultText: "none", json: "string", ...declared };
}

/** Declares an option whose value is a duration, in milliseconds. The default and the bounds are written like a value. */
export function durationOption({
  usual,
  least,
  most,
  ...declared
}: Pick<Option<number>, "name" | "placeholder" | "help"> & {
  readonly usual: string;
  readonly least: string;
  readonly most?: string;
}): Option<number> {
  return option({
    ...declared,
    defaultText: usual,
    fallback: msOf(usual),
    parse: durationBetween(least, most),
    write: writtenDuration,
  });
}

/** `PETSTORE_DATA_DIR` for `data-dir`. */
export function environmentName(name: string): string {
  return `PETSTORE_${name.toUpperCase().replaceAll("-", "_")}`;
}
