import type { FunctionComponent, JSX } from "preact";

import type { DomainView } from "../../../../lib/management/domain-view.ts";
import { at, send } from "../../api.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Refusal } from "../../components/notice.tsx";
import { Page } from "../../components/page.tsx";
import { useAttempt } from "../../state/attempt.ts";
import { inProject, type InProject } from "../../state/in-account.tsx";
import { isOperator, mayChange } from "../../state/me.ts";
import { domainWords } from "../../words/domain-words.ts";
import { words } from "../../words/words.ts";
import type { MenuItem } from "../../components/menu.tsx";
import { NotFound } from "../not-found.tsx";
import { DeletedNotice } from "../projects/deleted-notice.tsx";
import { verifyDomain } from "./deeds.ts";
import { DomainMenu } from "./domain-menu.tsx";
import { DomainParts } from "./one/parts.tsx";
import { exportCertificate, renewCertificate } from "./operator-deeds.ts";
import { wasVerified } from "./progress.ts";
import { useDomain, type FollowedDomain } from "./use-domain.ts";

/** One domain of a project, from its first record to its renewals. */
export const DomainPage: FunctionComponent<{
  readonly project: string;
  readonly domain: string;
}> = inProject<{ readonly domain: string }>(domainWords.within(OneDomain));

function OneDomain({
  project,
  reload,
  domain: name,
}: InProject & { readonly domain: string }): JSX.Element {
  const followed = useDomain(project.id, name);
  if (followed.domain.problem?.code === "not_found") return <NotFound />;
  return (
    <Loaded resource={followed.domain} lines={10}>
      {(domain) => <Shown {...{ project, reload, domain, followed }} />}
    </Loaded>
  );
}

function Shown({
  project,
  reload,
  domain,
  followed,
}: InProject & {
  readonly domain: DomainView;
  readonly followed: FollowedDomain;
}): JSX.Element {
  const { view } = domainWords.words();
  const { projects } = words();
  const asking = useAttempt();
  const { put } = followed.domain;
  const verify = (): void => {
    void asking.run(() => verifyDomain(project.id, domain), put);
  };
  const addAgain = (): void => {
    const path = at`/projects/${project.id}/domains`;
    void asking.run(() => send<DomainView>("POST", path, { domain: domain.domain }), put);
  };
  const { unicode, status } = domain;
  const mayAsk = mayChange.value && project.deletedAt === undefined;
  const ascii = domain.domain === unicode ? undefined : view.asciiOf(domain.domain);
  const actions = (
    <>
      <DomainMenu
        projectId={project.id}
        domain={domain}
        onVerify={verify}
        onChanged={put}
        further={isOperator.value ? forOperators(project.id, domain, put) : []}
      />
      {status === "removed" && mayAsk && (
        <Button look="primary" busy={asking.busy} onClick={addAgain}>
          {view.addAgain}
        </Button>
      )}
      {status !== "removed" && mayAsk && (
        <Button
          {...(status === "live" ? {} : { look: "primary" })}
          busy={asking.busy}
          onClick={verify}
        >
          {wasVerified(domain) ? view.reverify : view.verify}
        </Button>
      )}
      {status === "live" && (
        <ButtonLink look="primary" href={`https://${domain.domain}`} away>
          {view.visit} <Icon name="away" />
        </ButtonLink>
      )}
    </>
  );
  return (
    <Page
      title={unicode}
      {...(ascii === undefined ? {} : { about: ascii })}
      crumbs={[
        { label: projects.title, href: `/accounts/${project.accountId}/projects` },
        { label: project.name, href: `/projects/${project.slug}` },
        { label: view.title, href: `/projects/${project.slug}/domains` },
      ]}
      actions={actions}
    >
      <DeletedNotice project={project} reload={reload} />
      <Refusal problem={asking.problem} />
      <DomainParts
        project={project}
        domain={domain}
        asking={asking.busy}
        liveness={followed.liveness.value}
        onVerify={verify}
        onChanged={put}
      />
    </Page>
  );
}

/** What only they may do with a certificate that there is. */
function forOperators(
  projectId: string,
  domain: DomainView,
  put: (domain: DomainView) => void,
): readonly MenuItem[] {
  if (domain.certificate.state !== "active" || domain.status === "removed") return [];
  const { view } = domainWords.words();
  const renew = async (): Promise<void> => {
    const renewed = await renewCertificate(projectId, domain);
    if (renewed !== undefined) put(renewed);
  };
  return [
    { label: view.renew, onClick: () => void renew() },
    { label: view.export, onClick: () => void exportCertificate(projectId, domain) },
  ];
}
