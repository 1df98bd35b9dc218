import type { DomainFindingView } from "../lib/management/index.ts";
import { wrap } from "./wrap.ts";

const WIDTH = 80;
const signs: Readonly<Record<DomainFindingView["severity"], string>> = {
  blocking: "✗",
  warning: "!",
  ok: "✓",
};

/** What was seen, what should be there, and what to do about it. */
export function findingLines({
  code,
  severity,
  observed,
  expected,
  fix,
  server,
}: DomainFindingView): readonly string[] {
  const known = server === null || observed.includes(server);
  const seen = known ? observed : `${observed} (Answer of ${server}.)`;
  return [
    ...hanging(`  ${signs[severity]} `, seen),
    ...hanging("    expected  ", expected),
    ...(fix === "" ? [] : hanging("    to do     ", fix)),
    `    code      ${code}`,
  ];
}

function hanging(first: string, text: string): readonly string[] {
  const [line = "", ...rest] = wrap(text, WIDTH - first.length);
  return [first + line, ...rest.map((one) => " ".repeat(first.length) + one)];
}
