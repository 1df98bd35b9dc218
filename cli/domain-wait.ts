import type { Clock } from "../lib/index.ts";
import type { DomainView, ManagementClient } from "../lib/management/index.ts";
import { type Exit, must } from "../settings/failure.ts";
import type { Progress } from "./progress.ts";

const LOOK_EVERY_MS = 1_000;
/** As often as a server looks at a domain that was just added. */
const VERIFY_EVERY_MS = 20_000;

export interface Waiting {
  readonly domains: ManagementClient["domains"];
  readonly clock: Clock;
  readonly progress: Progress;
  readonly waitMs: number;
}

/** Asks the DNS, and goes on until the domain is live, or blocked, or the time is up; resolves with how it is then. */
export async function waitFor(
  { project, domain }: Pick<DomainView, "project" | "domain">,
  { domains, clock, progress, waitMs }: Waiting,
): Promise<DomainView> {
  const startedAt = clock.now();
  let askedAt = startedAt;
  progress.say(`Asking the DNS for ${domain} …`);
  let view = must(await domains.verify(project, domain));
  while (!isOver(view) && clock.now() - startedAt < waitMs) {
    const seconds = Math.round((clock.now() - startedAt) / 1_000);
    progress.say(`${view.headline} (${seconds} s)`);
    await clock.sleep(LOOK_EVERY_MS);
    // What is verified is made by the server; only what is not is asked for again.
    const again = view.dns.state !== "verified" && clock.now() - askedAt >= VERIFY_EVERY_MS;
    if (again) askedAt = clock.now();
    view = must(await (again ? domains.verify(project, domain) : domains.show(project, domain)));
  }
  progress.clear();
  return view;
}

/** What the exit code says of a domain: 0 is on its way or there, 6 somebody has to do something, 75 ask again. */
export function exitOf(view: DomainView): Exit {
  const { status, dns } = view;
  if (status === "verified" || status === "issuing" || status === "live") return "done";
  if (isBlocked(view)) return "notOk";
  return status === "attention" && dns.state !== "unknown" ? "notOk" : "tryLater";
}

/** Waiting longer would not help. */
function isOver(view: DomainView): boolean {
  return view.status === "live" || view.status === "removed" || isBlocked(view);
}

function isBlocked({ status, dns }: DomainView): boolean {
  return status !== "live" && dns.findings.some(({ severity }) => severity === "blocking");
}
