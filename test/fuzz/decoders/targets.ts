import type { Chance } from "../../helpers/chance.ts";
import { listOf, textOf, VISIBLE } from "./writing.ts";

/** The target of a request: a path with or without a query, or an absolute address. */
export function requestTarget(random: Chance): string {
  const segment = (): string =>
    random.pick([
      "v1",
      "pets",
      ".",
      "..",
      "%2e",
      "%2E.",
      "a b",
      "\\",
      "#x",
      textOf(random, VISIBLE, 0, 8),
    ]);
  const path = `/${listOf(0, 5, random, segment).join("/")}`;
  const query = random.true(0.5) ? `?${textOf(random, VISIBLE, 0, 20)}` : "";
  const origin = random.true(0.2)
    ? random.pick(["http://a.example", "https://[::1]:80", "HTTP://"])
    : "";
  return origin + path + query;
}
