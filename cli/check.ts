import type { Context } from "./command.ts";
import type { DataDirectory } from "./data-directory.ts";
import type { Settings } from "./options.ts";

export interface Finding {
  readonly check: string;
  /** `warn` is worth a look; `fail` keeps the service from working. */
  readonly status: "ok" | "warn" | "fail";
  readonly message: string;
}

/** What is looked at. */
export interface Subject {
  readonly settings: Settings;
  readonly directory: DataDirectory;
  readonly context: Context;
}

/** Looks at one thing; a text is what is well. */
export type Check = (subject: Subject) => Promise<Finding["message"] | Omit<Finding, "check">>;
