import type { BaseDomainCheck, BaseDomainReport } from "../../../../lib/management/system.ts";
import { setupWords } from "../../words/setup-words.ts";

const PORTS: Readonly<Partial<Record<BaseDomainCheck["id"], string>>> = {
  http: "80",
  https: "443",
};

/** What a check found, and what to do about it, in the reader's language; a new code as the service says it. */
export function told({ id, code, subject, observed, expected, fix }: BaseDomainCheck): string {
  const { codes } = setupWords.words().domain;
  // A service of a later version may know more codes than these words.
  const say: ((facts: Parameters<typeof codes.right>[0]) => string) | undefined = codes[code];
  return say?.({ subject, observed, expected, port: PORTS[id] ?? "" }) ?? fix ?? code;
}

/** Things that keep the name from working. */
export function faultsIn({ checks }: BaseDomainReport): readonly BaseDomainCheck[] {
  return checks.filter(({ state }) => state === "failed");
}

/** Nothing is left to be done outside of the program. */
export function isSettled(report: BaseDomainReport): boolean {
  return faultsIn(report).length === 0;
}

/** Where the dashboard will be, or is. */
export function addressOf({ name, checks }: BaseDomainReport): string {
  const secure = checks.some(({ id, code }) => id === "https" && code !== "https_off");
  return `${secure ? "https" : "http"}://${name}`;
}
