import type { DomainUpdate } from "../../../../lib/management/domain-client.ts";
import type { DomainView } from "../../../../lib/management/domain-view.ts";
import { at, send, type Problem, type Result } from "../../api.ts";
import { confirm } from "../../components/confirm.tsx";
import { toast } from "../../components/toasts.tsx";
import { domainWords } from "../../words/domain-words.ts";
import { said } from "../../words/said.ts";

type Named = Pick<DomainView, "domain" | "unicode">;

/** Asks the DNS now. */
export function verifyDomain(
  projectId: string,
  { domain }: Named,
): Promise<Result<DomainView, Problem>> {
  return send<DomainView>("POST", at`/projects/${projectId}/domains/${domain}/verify`);
}

/** Changes what a domain does; says why where that cannot be. */
export async function updateDomain(
  projectId: string,
  { domain }: Named,
  change: DomainUpdate,
): Promise<DomainView | undefined> {
  const path = at`/projects/${projectId}/domains/${domain}`;
  return told(await send<DomainView>("PATCH", path, change), domainWords.words().view.saved);
}

/** Adds a name that is known to be wanted. */
export async function addDomain(
  projectId: string,
  domain: string,
): Promise<DomainView | undefined> {
  const added = await send<DomainView>("POST", at`/projects/${projectId}/domains`, { domain });
  return told(added, domainWords.words().view.added(domain));
}

/** Lets it show the site, and the others lead to it, once that was confirmed. */
export async function makePrimary(
  projectId: string,
  domain: Named,
): Promise<DomainView | undefined> {
  const { view } = domainWords.words();
  const { unicode } = domain;
  const sure = await confirm({
    title: view.askPrimary(unicode),
    text: view.askPrimaryText(unicode),
    action: view.makePrimary,
  });
  if (!sure) return undefined;
  const path = at`/projects/${projectId}/domains/${domain.domain}`;
  const changed = await send<DomainView>("PATCH", path, { role: "primary" });
  return told(changed, view.nowPrimary(unicode));
}

/** Takes it away once its name was typed. */
export async function removeDomain(
  projectId: string,
  { domain, unicode }: Named,
): Promise<DomainView | undefined> {
  const { view } = domainWords.words();
  const sure = await confirm({
    title: view.askRemove(unicode),
    text: view.askRemoveText(unicode),
    action: view.remove,
    look: "danger",
    typed: unicode,
  });
  if (!sure) return undefined;
  const path = at`/projects/${projectId}/domains/${domain}`;
  return told(await send<DomainView>("DELETE", path), view.removed(unicode));
}

/** What came of it; a refusal is said for a moment, since nothing was changed. */
function told<Value>(result: Result<Value, Problem>, thanks: string): Value | undefined {
  toast(result.ok ? thanks : refusedFor(result.failure));
  return result.ok ? result.value : undefined;
}

/** Of a body, what exactly is wrong with it says more than its code; it is English, and so stands behind other words. */
export function refusedFor(problem: Problem): string {
  const exactly = problem.errors?.[0]?.message;
  const text = said(problem);
  if (exactly === undefined) return text;
  return text === problem.message ? exactly : `${text} (${exactly})`;
}
