import type { Runtime } from "../runtime.ts";
import type { DataDirectory } from "../data-directory.ts";
import type { Settings } from "../../settings/options.ts";

/** The result of a check. */
export interface Found {
  /** `warn` needs attention, `fail` keeps the service from working, `skip` does not apply. */
  readonly status: "ok" | "warn" | "fail" | "skip";
  readonly message: string;
  /** An imperative without a capital and a full stop. */
  readonly fix?: string;
}

export interface Finding extends Found {
  readonly check: string;
}

/** What the checks examine. */
export interface Subject {
  readonly settings: Settings;
  readonly directory: DataDirectory;
  readonly runtime: Runtime;
  /** Whether the server of the directory itself runs the checks, which must not block it. */
  readonly serving: boolean;
  /** Aborted at the time limit. */
  readonly signal: AbortSignal;
}

/** One check; a plain text means `ok`. */
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
