import type { JSX } from "preact";

import type { DomainUpdate } from "../../../../domains/view/bodies.ts";
import type { DomainView } from "../../../../domains/view/shapes.ts";
import { call, type Problem, type Result } from "../../api.ts";
import { download } from "../../components/copy.tsx";
import { confirm, type Question } from "../../components/dialog.tsx";
import { Menu, type MenuItem } from "../../components/menu.tsx";
import { toast } from "../../components/toasts.tsx";
import { mayChange, mayOwn } from "../../state/me.ts";
import { domainWords } from "../../words/late.tsx";
import { said, words } from "../../words/words.ts";
import { wasVerified } from "./domain-rules.ts";

type Named = Pick<DomainView, "domain" | "unicode">;

/** Checks the DNS of a domain now. */
export function verifyDomain(
  project: string,
  { domain }: Named,
): Promise<Result<DomainView, Problem>> {
  return call("POST /projects/:project/domains/:domain/verify", { project, domain });
}

/** The other changes confirm if needed, report their outcome in a toast, and resolve with undefined if not made. */
async function change<Value>({
  ask,
  request,
  done,
}: {
  readonly ask?: Question;
  readonly request: () => Promise<Result<Value, Problem>>;
  readonly done: string;
}): Promise<Value | undefined> {
  if (ask !== undefined && !(await confirm(ask))) return undefined;
  const result = await request();
  toast(result.ok ? done : refusalText(result.failure));
  return result.ok ? result.value : undefined;
}

export function updateDomain(
  project: string,
  { domain }: Named,
  update: DomainUpdate,
): Promise<DomainView | undefined> {
  return change({
    request: () =>
      call("PATCH /projects/:project/domains/:domain", { project, domain, body: update }),
    done: domainWords.words().view.saved,
  });
}

export function addDomain(project: string, domain: string): Promise<DomainView | undefined> {
  return change({
    request: () => call("POST /projects/:project/domains", { project, body: { domain } }),
    done: domainWords.words().view.added(domain),
  });
}

export function makePrimary(
  project: string,
  { domain, unicode }: Named,
): Promise<DomainView | undefined> {
  const { view } = domainWords.words();
  return change({
    ask: {
      title: view.askPrimary(unicode),
      text: view.askPrimaryText(unicode),
      action: view.makePrimary,
    },
    request: () =>
      call("PATCH /projects/:project/domains/:domain", {
        project,
        domain,
        body: { role: "primary" },
      }),
    done: view.nowPrimary(unicode),
  });
}

function removeDomain(
  project: string,
  { domain, unicode }: Named,
): Promise<DomainView | undefined> {
  const { view } = domainWords.words();
  return change({
    ask: {
      title: view.askRemove(unicode),
      text: view.askRemoveText(unicode),
      action: view.remove,
      look: "danger",
      typed: unicode,
    },
    request: () => call("DELETE /projects/:project/domains/:domain", { project, domain }),
    done: view.removed(unicode),
  });
}

/** Orders the next certificate now. */
export function renewCertificate(
  project: string,
  { domain, unicode }: Named,
): Promise<DomainView | undefined> {
  const { view } = domainWords.words();
  return change({
    ask: { title: view.askRenew(unicode), text: view.askRenewText, action: view.renew },
    request: () => call("POST /projects/:project/domains/:domain/renew", { project, domain }),
    done: view.renewing,
  });
}

/** Downloads the certificate and its private key. */
export async function exportCertificate(
  project: string,
  { domain, unicode }: Named,
): Promise<void> {
  const { view } = domainWords.words();
  const exported = await change({
    ask: {
      title: view.askExport(unicode),
      text: view.askExportText(unicode),
      action: view.export,
      look: "danger",
    },
    request: () =>
      call("POST /projects/:project/domains/:domain/certificate/export", { project, domain }),
    done: view.exported(unicode),
  });
  if (exported === undefined) return;
  const parts = [exported.chain, exported.privateKey];
  download(`${domain}.pem`, "application/x-pem-file", parts);
}

/** Describes a refusal. The service's error in the request body is more precise, but only in English. */
export function refusalText(problem: Problem): string {
  const detail = problem.errors?.[0]?.message;
  const text = said(problem);
  if (detail === undefined) return text;
  return text === problem.message ? detail : `${text} (${detail})`;
}

/** The menu of a domain. */
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
  /** The domain was changed or removed. */
  readonly onChanged: (domain: DomainView) => void;
  /** Items that come first. */
  readonly further?: readonly MenuItem[];
}): JSX.Element | null {
  const { view } = domainWords.words();
  const { common } = words();
  const run = async (action: typeof makePrimary): Promise<void> => {
    const changed = await action(projectId, domain);
    if (changed !== undefined) onChanged(changed);
  };
  const attached = domain.status !== "removed";
  const items: readonly (MenuItem | false)[] = [
    ...further,
    attached &&
      mayChange.value && {
        label: wasVerified(domain) ? view.reverify : view.verify,
        onClick: onVerify,
      },
    attached &&
      mayChange.value &&
      domain.role === "redirect" && {
        label: view.makePrimary,
        onClick: () => void run(makePrimary),
      },
    attached &&
      mayOwn.value && {
        label: view.remove,
        danger: true,
        onClick: () => void run(removeDomain),
      },
  ];
  const shown = items.filter((item) => item !== false);
  return shown.length === 0 ? null : <Menu label={common.more(domain.unicode)} items={shown} />;
}
