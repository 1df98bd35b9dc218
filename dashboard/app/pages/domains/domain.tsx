import type { ReadonlySignal } from "@preact/signals";
import type { FunctionComponent, JSX } from "preact";

import type { ProjectView } from "../../../../lib/management/client.ts";
import type { DomainView } from "../../../../lib/management/domain-view.ts";
import { fromWire } from "../../../../lib/management/wire.ts";
import { at, get, send } from "../../api.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { Loaded, Notice, Refusal } from "../../components/feedback.tsx";
import type { MenuItem } from "../../components/menu.tsx";
import { Page } from "../../components/page.tsx";
import { useAttempt } from "../../components/form.tsx";
import { type InProject, inProject } from "../../state/in-account.tsx";
import { type Liveness, useLive } from "../../state/live.ts";
import { isOperator, mayChange } from "../../state/me.ts";
import { type Resource, useResource } from "../../state/resource.ts";
import { domainWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";
import { NotFound } from "../not-found.tsx";
import { DeletedNotice } from "../projects/project-page.tsx";
import { DomainMenu, exportCertificate, renewCertificate, verifyDomain } from "./actions.tsx";
import { wasVerified } from "./domain-rules.ts";
import { Behaviour, Facts, Timeline } from "./facts.tsx";
import { Findings } from "./findings.tsx";
import { Stalled, Standing } from "./progress.tsx";
import { Propagation } from "./propagation.tsx";
import { Cleanup, Records } from "./records.tsx";
import { headlineTold } from "./texts.tsx";

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

/** A domain of a project, as it is at every moment. */
export interface FollowedDomain {
  readonly domain: Resource<DomainView>;
  readonly liveness: ReadonlySignal<Liveness>;
}

const EVENTS = ["domain"] as const;

/** Follows a domain as long as it is shown: each event is the whole of it, so that none can be missed. */
export function useDomain(projectId: string, name: string): FollowedDomain {
  const path = at`/projects/${projectId}/domains/${name}`;
  const domain = useResource(path, () => get<DomainView>(path));
  const liveness = useLive({
    // What is not there cannot be followed.
    path: domain.value === undefined ? undefined : path,
    events: EVENTS,
    onEvent: (_type, data) => {
      // The service's own type, as `get` reads it.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      if (data !== undefined) domain.put(fromWire(data) as DomainView);
    },
    poll: domain.reload,
  });
  return { domain, liveness };
}

/** All that is told of a domain: what has to be done now comes first. */
export function DomainParts({
  project,
  domain,
  asking,
  liveness,
  onVerify,
  onChanged,
}: {
  readonly project: ProjectView;
  readonly domain: DomainView;
  readonly asking: boolean;
  readonly liveness: Liveness;
  readonly onVerify: () => void;
  readonly onChanged: (domain: DomainView) => void;
}): JSX.Element {
  const { view } = domainWords.words();
  const { status, dns, lookAlike, timeline } = domain;
  const standing = <Standing domain={domain} asking={asking} liveness={liveness} />;
  if (status === "removed") {
    return (
      <>
        {standing}
        <Cleanup domain={domain} />
        <Timeline timeline={timeline} />
      </>
    );
  }
  const findings = (
    <Findings
      findings={dns.findings}
      said={headlineTold(domain).nextAction ?? ""}
      accountId={project.accountId}
      project={project.slug}
    />
  );
  const settled = status === "live" && dns.state === "verified";
  return (
    <>
      {standing}
      {lookAlike !== null && (
        <Notice tone="warn">
          <p>{view.lookAlikes[lookAlike]}</p>
        </Notice>
      )}
      <Stalled domain={domain} busy={asking} onVerify={onVerify} />
      {!settled && <Records domain={domain} />}
      {!settled && findings}
      <Facts domain={domain} />
      {settled && <Records domain={domain} />}
      {settled && findings}
      <Propagation domain={domain} />
      <div class="pair">
        <Behaviour projectId={project.id} domain={domain} onChanged={onChanged} />
        <Timeline timeline={timeline} />
      </div>
    </>
  );
}
