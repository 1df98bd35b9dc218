import type { JSX } from "preact";

import type {
  DomainUpdate,
  ExportedCertificate,
} from "../../../../lib/management/domain-client.ts";
import type { DomainView } from "../../../../lib/management/domain-view.ts";
import { at, type Problem, type Result, send } from "../../api.ts";
import { confirm } from "../../components/dialog.tsx";
import { download } from "../../components/copy.tsx";
import { Menu, type MenuItem } from "../../components/menu.tsx";
import { toast } from "../../components/toasts.tsx";
import { mayChange, mayOwn } from "../../state/me.ts";
import { domainWords } from "../../words/late.tsx";
import { said, words } from "../../words/words.ts";
import { wasVerified } from "./domain-rules.ts";

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
async function removeDomain(
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

/** Orders the next certificate now, once that was confirmed: authorities count how often. */
export async function renewCertificate(
  projectId: string,
  { domain, unicode }: Named,
): Promise<DomainView | undefined> {
  const { view } = domainWords.words();
  const sure = await confirm({
    title: view.askRenew(unicode),
    text: view.askRenewText,
    action: view.renew,
  });
  if (!sure) return undefined;
  const path = at`/projects/${projectId}/domains/${domain}/renew`;
  const result = await send<DomainView>("POST", path);
  toast(result.ok ? view.renewing : refusedFor(result.failure));
  return result.ok ? result.value : undefined;
}

/** Saves certificate and private key as a file, once that was confirmed: it is written into the timeline. */
export async function exportCertificate(
  projectId: string,
  { domain, unicode }: Named,
): Promise<void> {
  const { view } = domainWords.words();
  const sure = await confirm({
    title: view.askExport(unicode),
    text: view.askExportText(unicode),
    action: view.export,
    look: "danger",
  });
  if (!sure) return;
  const path = at`/projects/${projectId}/domains/${domain}/certificate/export`;
  const result = await send<ExportedCertificate>("POST", path);
  if (!result.ok) {
    toast(refusedFor(result.failure));
    return;
  }
  const { chain, privateKey } = result.value;
  download(`${domain}.pem`, "application/x-pem-file", [chain, privateKey]);
  toast(view.exported(unicode));
}

/** What can be done with a domain, behind three dots. */
export function DomainMenu({
  projectId,
  domain,
  onVerify,
  onChanged,
  further = [],
}: {
  readonly projectId: string;
  readonly domain: DomainView;
  readonly onVerify: () => void;
  /** It does something else now, or is removed. */
  readonly onChanged: (domain: DomainView) => void;
  /** Stand before the rest. */
  readonly further?: readonly MenuItem[];
}): JSX.Element | null {
  const { view } = domainWords.words();
  const { common } = words();
  const change = async (deed: typeof makePrimary): Promise<void> => {
    const changed = await deed(projectId, domain);
    if (changed !== undefined) onChanged(changed);
  };
  const gone = domain.status === "removed";
  const items: readonly (MenuItem | false)[] = [
    ...further,
    !gone &&
      mayChange.value && {
        label: wasVerified(domain) ? view.reverify : view.verify,
        onClick: onVerify,
      },
    !gone &&
      mayChange.value &&
      domain.role === "redirect" && {
        label: view.makePrimary,
        onClick: () => void change(makePrimary),
      },
    !gone &&
      mayOwn.value && {
        label: view.remove,
        danger: true,
        onClick: () => void change(removeDomain),
      },
  ];
  const shown = items.filter((item) => item !== false);
  return shown.length === 0 ? null : <Menu label={common.more(domain.unicode)} items={shown} />;
}
