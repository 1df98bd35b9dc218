import { problem, type Problem } from "../../../../../lib/base/problem.ts";
import {
  MAX_ENTRIES,
  MAX_FILE_BYTES,
  MAX_TOTAL_BYTES,
} from "../../../../../lib/publishing/archive/limits.ts";
import { quoted } from "../../../../../lib/publishing/archive/refused.ts";

const MIB = 1_048_576;

/** Ends the preparation of a site. Never leaves it: whoever prepares it answers with the problem. */
export class SiteRefused extends Error {
  override readonly name = "SiteRefused";
  readonly problem: Problem;

  constructor(refusal: Problem) {
    super(refusal.message);
    this.problem = refusal;
  }
}

/** What was chosen holds what a site may not, or cannot be read. */
export function invalid(message: string): SiteRefused {
  return new SiteRefused(problem("invalid_archive", message));
}

export function tooLargeFile(path: string): SiteRefused {
  return tooLarge(`${quoted(path)} has more than ${MAX_FILE_BYTES / MIB} MiB.`);
}

export function tooLargeTogether(): SiteRefused {
  return tooLarge(`The files have more than ${MAX_TOTAL_BYTES / MIB} MiB together.`);
}

export function tooMany(): SiteRefused {
  return tooLarge(`There are more than ${MAX_ENTRIES} files.`);
}

function tooLarge(message: string): SiteRefused {
  return new SiteRefused(problem("payload_too_large", message));
}
