import { unknown, type Answer, type Found } from "../model/answer.ts";

/**
 * What several servers say, as one answer: all records of all that found some, each once; else an absence, if one
 * of them says so; else what the first lacked.
 */
export function putTogether(answers: readonly Answer<string>[]): Answer<string> {
  const found = answers.filter((answer): answer is Found<string> => answer.kind === "found");
  const [first, ...rest] = new Set(found.flatMap(({ records }) => records));
  if (first === undefined) {
    return answers.find(({ kind }) => kind === "absent") ?? answers[0] ?? unknown("timeout");
  }
  return {
    kind: "found",
    records: [first, ...rest],
    ttlSeconds: Math.min(...found.map(({ ttlSeconds }) => ttlSeconds)),
    aliases: found[0]?.aliases ?? [],
    authenticated: found.every(({ authenticated }) => authenticated),
  };
}
