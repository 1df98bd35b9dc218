import { problem, type Problem } from "../../base/problem.ts";

/** Thrown while reading an invalid archive. `ingest` catches it and returns its problem. */
export class ArchiveRefused extends Error {
  override readonly name = "ArchiveRefused";
  readonly problem: Problem;

  constructor(refusal: Problem) {
    super(refusal.message);
    this.problem = refusal;
  }
}

/** Refuses an archive that is malformed or contains something not allowed in a site. */
export function invalid(message: string): ArchiveRefused {
  return new ArchiveRefused(problem("invalid_archive", message));
}

/** Refuses an archive that exceeds a limit. */
export function tooLarge(message: string): ArchiveRefused {
  return new ArchiveRefused(problem("payload_too_large", message));
}

/** Control, format, surrogate and separator characters, which could disguise a name or end a line. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const MAX_SHOWN = 120;

/** Quotes an untrusted name for a message: replaces invisible characters and shortens long names. */
export function quoted(name: string): string {
  const shown =
    name.length <= MAX_SHOWN ? name : `${name.slice(0, MAX_SHOWN - 40)}…${name.slice(-39)}`;
  return `"${shown.toWellFormed().replaceAll(UNSEEN, "\u{FFFD}").replaceAll('"', "'")}"`;
}
