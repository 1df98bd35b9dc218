import { problems, type Problem, type Result } from "../lib/index.ts";
import { Failure, type Exit } from "./exit.ts";

/** The value, or the end of the command with the reason. */
export function must<Value>(result: Result<Value, Problem>): Value {
  if (result.ok) return result.value;
  throw new Failure(exitOf(result.failure), result.failure.message);
}

function exitOf({ code }: Problem): Exit {
  const { status } = problems[code];
  if (status === 400) return "usage";
  if (status === 401 || status === 403) return "denied";
  if (status === 404) return "notFound";
  return status === 429 || status === 503 ? "tryLater" : "failed";
}
