import { problem, type Problem } from "../../base/problem.ts";

/** Ends the reading of an archive that is at fault. Never leaves the intake, which answers with the problem. */
export class ArchiveRefused extends Error {
  override readonly name = "ArchiveRefused";
  readonly problem: Problem;

  constructor(refusal: Problem) {
    super(refusal.message);
    this.problem = refusal;
  }
}

/** The archive itself is wrong, or holds what a site may not. */
export function invalid(message: string): ArchiveRefused {
  return new ArchiveRefused(problem("invalid_archive", message));
}

/** There is too much of something. */
export function tooLarge(message: string): ArchiveRefused {
  return new ArchiveRefused(problem("payload_too_large", message));
}

/** Control, format, surrogate and separator characters: what could make a name look like another, or end a line. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const MAX_SHOWN = 120;

/** A stranger's name, fit for a message: in quotes, what cannot be seen replaced, its middle left out when it is long. */
export function quoted(name: string): string {
  const shown =
    name.length <= MAX_SHOWN ? name : `${name.slice(0, MAX_SHOWN - 40)}…${name.slice(-39)}`;
  return `"${shown.toWellFormed().replaceAll(UNSEEN, "\u{FFFD}").replaceAll('"', "'")}"`;
}
