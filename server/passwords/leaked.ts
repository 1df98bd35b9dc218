import { leakedList } from "./leaked-list.ts" with { type: "macro" };

const list: string = leakedList();

/** Leaked passwords by their rank. Made anew each time: it takes some megabytes, and a password is seldom chosen. */
export function leakedRanks(): ReadonlyMap<string, number> {
  const lines = new TextDecoder().decode(Bun.gunzipSync(Buffer.from(list, "base64")));
  return new Map(lines.split("\n").map((password, index) => [password, index + 1]));
}
