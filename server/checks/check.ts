import type { CheckCode, CheckFacts } from "./facts.ts";
import { checkWords, type CheckId, type CheckText } from "./words.ts";
import type { DataDirectory } from "../data/data-directory.ts";
import type { DatabaseReader } from "../data/database.ts";
import type { Settings } from "../../settings/options.ts";
import type { Runtime } from "../process/runtime.ts";

/** The result of a check, with its English texts. */
export interface Found extends CheckText {
  /** `warn` needs attention, `fail` keeps the service from working, `skip` does not apply. */
  readonly status: "ok" | "warn" | "fail" | "skip";
  readonly code: CheckCode;
  /** The values in the texts, for other languages. */
  readonly facts: CheckFacts[CheckCode];
}

export interface Finding extends Found {
  readonly id: CheckId;
  /** The name of the check on the command line. */
  readonly check: string;
}

/** What the checks examine. */
export interface Subject {
  readonly settings: Settings;
  readonly directory: DataDirectory;
  readonly runtime: Runtime;
  /** Whether the server of the directory itself runs the checks, which must not block it. */
  readonly serving: boolean;
  /** Opens the database, once for all checks. */
  readonly database: () => Promise<DatabaseReader>;
  /** Aborted at the time limit. */
  readonly signal: AbortSignal;
}

export type Check = (subject: Subject) => Promise<Found>;

type Make = <Code extends CheckCode>(code: Code, facts: CheckFacts[Code]) => Found;

const as =
  (status: Found["status"]): Make =>
  (code, facts) => ({ status, code, facts, ...checkWords[code](facts) });

export const ok: Make = as("ok");
export const warn: Make = as("warn");
export const fail: Make = as("fail");
export const skip: Make = as("skip");
