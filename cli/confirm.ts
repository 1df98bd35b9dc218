import { Failure } from "../settings/failure.ts";
import { toggle, type Flag } from "./flag.ts";
import type { Terminal } from "./terminal.ts";

export const yesFlag: Flag<boolean> = toggle(
  "yes",
  "Do not ask. Needed where nobody can be asked.",
);

/** Returns if the person at the terminal agrees, or said so beforehand. */
export async function confirm(terminal: Terminal, question: string, yes: boolean): Promise<void> {
  if (yes) return;
  if (!terminal.interactive) {
    throw new Failure("usage", "Nobody can be asked here whether that is meant: add --yes.");
  }
  const answer = await terminal.ask(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer?.trim() ?? "")) throw new Failure("failed", "Nothing was done.");
}
