/** What an executable was built from. */
export interface Build {
  /** Hash of the commit; ends with `-changed` if files were not committed. */
  readonly commit: string;
  /** Time of the commit, in ISO 8601. */
  readonly at: string;
  /** `linux-x64` */
  readonly target: string;
}

/** `scripts/compile.ts` defines it. */
declare const PETSTORE_BUILD: Build | undefined;

/** Undefined for a program that runs from source. */
export const build: Build | undefined =
  typeof PETSTORE_BUILD === "undefined" ? undefined : PETSTORE_BUILD;
