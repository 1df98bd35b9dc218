import type { JSX } from "preact";

import type { DomainUpdate } from "../../../../domains/view/bodies.ts";
import type { DomainView } from "../../../../domains/view/shapes.ts";
import type { ProjectView } from "../../../../lib/publishing/shapes/projects.ts";
import { call, type Problem, type Result } from "../../api.ts";
import { download } from "../../components/copy.tsx";
import { act, actIfSure } from "../../components/form.tsx";
import { Menu, type MenuItem } from "../../components/menu.tsx";
import { mayChange, mayOwn } from "../../state/me.ts";
import { domainWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";
import { wasVerified } from "./domain-rules.ts";

type Named = Pick<DomainView, "domain" | "unicode">;

/** Checks the DNS of a domain now. */
export function verifyDomain(
  project: string,
  { domain }: Named,
): Promise<Result<DomainView, Problem>> {
  return call("POST /projects/:project/domains/:domain/verify", { project, domain });
}

export function updateDomain(
  project: string,
  { domain }: Named,
  body: DomainUpdate,
): ReturnType<typeof act<DomainView>> {
  return act(words().common.saved, () =>
    call("PATCH /projects/:project/domains/:domain", { project, domain, body }),
  );
}

export function addDomain(project: string, domain: string): ReturnType<typeof act<DomainView>> {
  return act(domainWords.words().view.added(domain), () =>
    call("POST /projects/:project/domains", { project, body: { domain } }),
  );
}

export function makePrimary(
  project: string,
  { domain, unicode }: Named,
): ReturnType<typeof act<DomainView>> {
  return actIfSure(domainWords.words().view.makePrimary, unicode, () =>
    call("PATCH /projects/:project/domains/:domain", {
      project,
      domain,
      body: { role: "primary" },
    }),
  );
}

/** Orders the next certificate now. */
export function renewCertificate(
  project: string,
  { domain, unicode }: Named,
): ReturnType<typeof act<DomainView>> {
  return actIfSure(domainWords.words().view.renew, unicode, () =>
    call("POST /projects/:project/domains/:domain/renew", { project, domain }),
  );
}

/** Downloads the certificate and its private key. */
export async function exportCertificate(
  project: string,
  { domain, unicode }: Named,
): Promise<void> {
  const exported = await actIfSure(
    domainWords.words().view.export,
    unicode,
    () => call("POST /projects/:project/domains/:domain/certificate/export", { project, domain }),
    { look: "danger" },
  );
  if (exported === undefined) return;
  const parts = [exported.value.chain, exported.value.privateKey];
  download(`${domain}.pem`, "application/x-pem-file", parts);
}

/** The menu of a domain. */
export function DomainMenu({
  project,
  domain,
  onVerify,
  onChanged,
  further = [],
}: {
  readonly project: ProjectView;
  readonly domain: DomainView;
  readonly onVerify: () => void;
  /** The domain was changed or removed. */
  readonly onChanged: (domain: DomainView) => void;
  /** Items that come first. */
  readonly further?: readonly MenuItem[];
}): JSX.Element | null {
  const { view } = domainWords.words();
  const { common } = words();
  const { unicode } = domain;
  const report = (changed: { readonly value: DomainView } | undefined): void => {
    if (changed !== undefined) onChanged(changed.value);
  };
  const remove = (): Promise<{ readonly value: DomainView } | undefined> =>
    actIfSure(
      view.remove,
      unicode,
      () =>
        call("DELETE /projects/:project/domains/:domain", {
          project: project.id,
          domain: domain.domain,
        }),
      { look: "danger", typed: unicode },
    );
  const attached = domain.status !== "removed";
  // A deleted project serves none of its domains, but they can be removed for use elsewhere.
  const mayAct = attached && mayChange.value && project.deletedAt === undefined;
  const items: readonly (MenuItem | false)[] = [
    ...further,
    mayAct && {
      label: wasVerified(domain) ? view.reverify : view.verify,
      onClick: onVerify,
    },
    mayAct &&
      domain.role === "redirect" && {
        label: view.makePrimary.action,
        onClick: () => void makePrimary(project.id, domain).then(report),
      },
    attached &&
      mayOwn.value && {
        label: view.remove.action,
        danger: true,
        onClick: () => void remove().then(report),
      },
  ];
  const shown = items.filter((item) => item !== false);
  return shown.length === 0 ? null : <Menu label={common.more(unicode)} items={shown} />;
}
