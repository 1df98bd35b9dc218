import type { Pipeline } from "../pipeline/pipeline.ts";
import type { DomainStore } from "../ports/domain-store.ts";

/** Checks whether domains may stay, after a change of their account or project. */
export interface GateChecks {
  /** Tells that the account or project was changed. */
  changed(topic: "account" | "project", subject: string): void;
  /** Checks some of the domains concerned. Keeps failed checks for the next call, without delaying others. */
  run(): Promise<void>;
}

/** Bounded, because removals and renames wait for it. */
const CHECKS_A_ROUND = 100;
const PAGE = 100;

export function createGateChecks(
  domains: DomainStore,
  pipeline: Pick<Pipeline, "checkGates">,
): GateChecks {
  /** Changed accounts and projects whose domains were not read yet. */
  const subjects = new Map<string, "account" | "project">();
  /** Their domains, which were not checked yet. */
  const unchecked = new Set<string>();
  return {
    changed: (topic, subject) => {
      subjects.set(subject, topic);
    },
    run: async () => {
      for (const [subject, topic] of [...subjects]) {
        const concerned = await domainsOf(domains, topic, subject);
        subjects.delete(subject);
        for (const domainId of concerned) unchecked.add(domainId);
      }
      const failures: unknown[] = [];
      for (const domainId of [...unchecked].slice(0, CHECKS_A_ROUND)) {
        unchecked.delete(domainId);
        try {
          await pipeline.checkGates(domainId);
        } catch (error) {
          unchecked.add(domainId);
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

async function domainsOf(
  { domains }: DomainStore,
  topic: "account" | "project",
  subject: string,
): Promise<readonly string[]> {
  if (topic === "project") return (await domains.ofProject(subject)).map(({ id }) => id);
  const ids: string[] = [];
  for (;;) {
    const page = await domains.ofAccount(subject, { limit: PAGE, after: ids.at(-1) });
    ids.push(...page.map(({ id }) => id));
    if (page.length < PAGE) return ids;
  }
}
