import type { Problem } from "../../../lib/base/problem.ts";
import { words } from "./words.ts";

/** A refusal in one sentence of the reader's language; what has no words there, as the service says it. */
export function said({ code, message }: Problem): string {
  return words().problems[code] ?? message;
}
