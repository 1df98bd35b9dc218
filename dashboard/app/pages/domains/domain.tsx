import type { FunctionComponent, JSX } from "preact";

import type { ProjectView } from "../../../../lib/publishing/shapes/projects.ts";
import type { DomainView } from "../../../../domains/view/shapes.ts";
import { fromWire } from "../../../../lib/base/wire.ts";
import { at, call } from "../../api.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Loaded, Notice, Refusal } from "../../components/feedback.tsx";
import { useAttempt } from "../../components/form.tsx";
import { Icon } from "../../components/icon.tsx";
import type { MenuItem } from "../../components/menu.tsx";
import { Page } from "../../components/page.tsx";
import { type InProject, inProject } from "../../state/in-account.tsx";
import { type Liveness, useLive } from "../../state/live.ts";
import { isOperator, mayChange } from "../../state/me.ts";
import { useResource } from "../../state/resource.ts";
import { domainWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";
import { NotFound } from "../not-found.tsx";
import { DeletedNotice } from "../projects/project-page.tsx";
import { DomainMenu, exportCertificate, renewCertificate, verifyDomain } from "./actions.tsx";
import { visitAddress, wasVerified } from "./domain-rules.ts";
import { Behaviour, Facts, Timeline } from "./facts.tsx";
import { Findings } from "./findings.tsx";
import { StalledCard, StatusPanel } from "./progress.tsx";
import { Propagation } from "./propagation.tsx";
import { ShareDialog, useShareLink } from "./share.tsx";
import { CleanupCard, Records } from "./records.tsx";
import { leadsOnlyHere } from "../../../../domains/view/texts.ts";
import { headlineText } from "./texts.tsx";

/** One domain of a project. */
export const DomainPage: FunctionComponent<{
  readonly project: string;
  readonly domain: string;
}> = inProject<{ readonly domain: string }>(domainWords.within(OneDomain));

function OneDomain({
  project,
  reload,
  domain: name,
}: InProject & { readonly domain: string }): JSX.Element {
  const path = at`/projects/${project.id}/domains/${name}`;
  const domain = useResource(path, () =>
    call("GET /projects/:project/domains/:domain", { project: project.id, domain: name }),
  );
  const liveness = useLive({
    // A missing domain has no events.
    path: domain.value === undefined ? undefined : path,
    events: EVENTS,
    onEvents: (events) => {
      const data = events.at(-1)?.data;
      // Each event holds the whole domain, in the shape that `get` returns.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      if (data !== undefined) domain.put(fromWire(data) as DomainView);
    },
    poll: domain.reload,
  });
  if (domain.problem?.code === "not_found") return <NotFound />;
  return (
    <Loaded resource={domain} lines={10}>
      {(value) => (
        <DomainDetails
          project={project}
          reload={reload}
          domain={value}
          put={domain.put}
          liveness={liveness.value}
        />
      )}
    </Loaded>
  );
}

const EVENTS = ["domain"] as const;

function DomainDetails({
  project,
  reload,
  domain,
  put,
  liveness,
}: InProject & {
  readonly domain: DomainView;
  readonly put: (domain: DomainView) => void;
  readonly liveness: Liveness;
}): JSX.Element {
  const { view, share: shareWords } = domainWords.words();
  const { projects } = words();
  const { busy, problem, run } = useAttempt();
  const verify = (): void => {
    void run(() => verifyDomain(project.id, domain), put);
  };
  const shared = useShareLink(project.id, domain.domain);
  const share = (): void => {
    void run(shared.make, () => undefined);
  };
  const addAgain = (): void => {
    void run(
      () =>
        call("POST /projects/:project/domains", {
          project: project.id,
          body: { domain: domain.domain },
        }),
      put,
    );
  };
  const { unicode, status } = domain;
  const mayAct = mayChange.value && project.deletedAt === undefined;
  const actions = (
    <>
      <DomainMenu
        project={project}
        domain={domain}
        onVerify={verify}
        onChanged={put}
        further={[
          ...(mayAct && status !== "removed" ? [{ label: shareWords.action, onClick: share }] : []),
          ...(isOperator.value ? operatorItems(project.id, domain, put) : []),
        ]}
      />
      {status === "removed" && mayAct && (
        <Button look="primary" busy={busy} onClick={addAgain}>
          {view.addAgain}
        </Button>
      )}
      {status !== "removed" && mayAct && (
        <Button look={status === "live" ? undefined : "primary"} busy={busy} onClick={verify}>
          {wasVerified(domain) ? view.reverify : view.verify}
        </Button>
      )}
      {status === "live" && project.deletedAt === undefined && (
        <ButtonLink look="primary" href={visitAddress(domain, project)} away>
          {view.visit} <Icon name="away" />
        </ButtonLink>
      )}
    </>
  );
  return (
    <Page
      title={unicode}
      about={domain.domain === unicode ? undefined : view.asciiOf(domain.domain)}
      crumbs={[
        { label: projects.title, href: `/accounts/${project.accountId}/projects` },
        { label: project.name, href: `/projects/${project.slug}` },
        { label: view.title, href: `/projects/${project.slug}/domains` },
      ]}
      actions={actions}
    >
      <DeletedNotice project={project} reload={reload} />
      <Refusal problem={problem} />
      {shared.link !== undefined && (
        <ShareDialog link={shared.link} unicode={unicode} onDone={shared.close} />
      )}
      <DomainParts
        project={project}
        domain={domain}
        checking={busy}
        liveness={liveness}
        onVerify={verify}
        onChanged={put}
      />
    </Page>
  );
}

/** Changes to an issued certificate, for operators. */
function operatorItems(
  projectId: string,
  domain: DomainView,
  put: (domain: DomainView) => void,
): readonly MenuItem[] {
  if (domain.certificate.state !== "active" || domain.status === "removed") return [];
  const { view } = domainWords.words();
  const renew = async (): Promise<void> => {
    const renewed = await renewCertificate(projectId, domain);
    if (renewed !== undefined) put(renewed.value);
  };
  return [
    { label: view.renew.action, onClick: () => void renew() },
    { label: view.export.action, onClick: () => void exportCertificate(projectId, domain) },
  ];
}

/** The parts of the page; those that need an action come first. */
function DomainParts({
  project,
  domain,
  checking,
  liveness,
  onVerify,
  onChanged,
}: {
  readonly project: ProjectView;
  readonly domain: DomainView;
  readonly checking: boolean;
  readonly liveness: Liveness;
  readonly onVerify: () => void;
  readonly onChanged: (domain: DomainView) => void;
}): JSX.Element {
  const { view } = domainWords.words();
  const { status, dns, lookAlike, timeline } = domain;
  const panel = <StatusPanel domain={domain} checking={checking} liveness={liveness} />;
  if (status === "removed") {
    return (
      <>
        {panel}
        <CleanupCard domain={domain} />
        <Timeline timeline={timeline} />
      </>
    );
  }
  const findings = (
    <Findings
      findings={dns.findings}
      shown={headlineText(domain).nextAction ?? ""}
      project={project}
    />
  );
  const settled = status === "live" && dns.state === "verified";
  return (
    <>
      {panel}
      {lookAlike !== null && (
        <Notice tone="warn">
          <p>{view.lookAlikes[lookAlike]}</p>
        </Notice>
      )}
      {leadsOnlyHere(domain) && (
        <Notice tone="warn">
          <p>{view.onlyHere}</p>
        </Notice>
      )}
      <StalledCard domain={domain} busy={checking} onVerify={onVerify} />
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
