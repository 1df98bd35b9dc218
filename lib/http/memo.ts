import { sizedCache } from "../base/cache.ts";
import type { ReadyAnswer } from "./answer.ts";

/** Answers that hold as long as their catalogue stays as it is. */
export interface Memo {
  /** What was answered at this revision of the catalogue. */
  get(address: string, revision: number): ReadyAnswer | undefined;
  set(address: string, revision: number, answer: ReadyAnswer): void;
}

/** Characters of bodies kept, about as many bytes. */
const MAX_SIZE = 16 * 1024 * 1024;

export function createMemo(): Memo {
  const answers = sizedCache<{ readonly revision: number; readonly answer: ReadyAnswer }>(
    MAX_SIZE,
    ({ answer }, address) => (answer.body ?? "").length + address.length + 500,
  );
  return {
    get: (address, revision) => {
      const kept = answers.get(address);
      return kept?.revision === revision ? kept.answer : undefined;
    },
    set: (address, revision, answer) => {
      answers.set(address, { revision, answer });
    },
  };
}
