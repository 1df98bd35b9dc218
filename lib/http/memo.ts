import { sizedCache } from "../base/cache.ts";
import { readyAnswer, type Answer, type KeptAnswer, type Style } from "./respond.ts";

/** Answers that hold as long as their catalogue stays as it is. */
export interface Memo {
  /** What was answered at this revision of the catalogue. */
  get(address: string, revision: number): KeptAnswer | undefined;
  set(address: string, revision: number, answer: Answer): void;
}

/** About as many bytes: characters of bodies, and what else an answer takes. */
const MAX_SIZE = 16 * 1024 * 1024;

/** Headers that are ready are the larger half of a short answer. */
const OVERHEAD = 3_000;

export function createMemo(style: Style): Memo {
  const answers = sizedCache<{ readonly revision: number; answer: KeptAnswer }>(
    MAX_SIZE,
    ({ answer }, address) => (answer.body ?? "").length + address.length + OVERHEAD,
  );
  return {
    get: (address, revision) => {
      const kept = answers.get(address);
      if (kept?.revision !== revision) return undefined;
      kept.answer = readyAnswer(style, kept.answer);
      return kept.answer;
    },
    set: (address, revision, answer) => {
      answers.set(address, { revision, answer });
    },
  };
}
