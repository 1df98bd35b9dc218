import { leakedList } from "./leaked-list.ts" with { type: "macro" };

const list: string = leakedList();

/** Returns leaked passwords by rank. Not cached: the map takes some megabytes, and members rarely choose passwords. */
export function leakedRanks(): ReadonlyMap<string, number> {
  const lines = new TextDecoder().decode(Bun.gunzipSync(Buffer.from(list, "base64")));
  return new Map(lines.split("\n").map((password, index) => [password, index + 1]));
}
