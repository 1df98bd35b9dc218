import type { Runtime } from "../runtime.ts";
import type { DataDirectory } from "../data-directory.ts";
import type { Settings } from "../../settings/options.ts";

/** What was found of one thing. */
export interface Found {
  /** `warn` is worth a look; `fail` keeps the service from working; `skip` does not matter here. */
  readonly status: "ok" | "warn" | "fail" | "skip";
  readonly message: string;
  /** What to do about it, as one would tell somebody: without a capital and a full stop. */
  readonly fix?: string;
}

export interface Finding extends Found {
  readonly check: string;
}

/** What is looked at. */
export interface Subject {
  readonly settings: Settings;
  readonly directory: DataDirectory;
  readonly runtime: Runtime;
  /** Who looks is the server of the directory itself, which must not stand still for it. */
  readonly serving: boolean;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** Looks at one thing; a text is what is well. */
export type Check = (subject: Subject) => Promise<string | Found>;

export function warn(message: string, fix?: string): Found {
  return found("warn", message, fix);
}

export function fail(message: string, fix?: string): Found {
  return found("fail", message, fix);
}

export function skip(message: string): Found {
  return found("skip", message, undefined);
}

function found(status: Found["status"], message: string, fix: string | undefined): Found {
  return fix === undefined ? { status, message } : { status, message, fix };
}
