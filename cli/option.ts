import type { Parse } from "./values.ts";

/** One thing that `serve` can be told. */
export interface Option<Value> {
  /** Flag `--x-y`, environment `PETSTORE_X_Y` and file key at once. */
  readonly name: string;
  readonly placeholder: string;
  readonly help: string;
  /** The default in words. */
  readonly otherwise: string;
  readonly fallback: Value;
  readonly parse: Parse<Value>;
  /** How the value is written where its own text would not be read back. */
  write?(value: Value): string;
  /** Has no flag, and is never shown. */
  readonly secret?: true;
  /** How the file may write it. */
  readonly json: "string" | "port" | "strings" | "boolean" | readonly string[];
}
