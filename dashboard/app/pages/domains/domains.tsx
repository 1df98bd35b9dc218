import { useSignal } from "@preact/signals";
import type { FunctionComponent, JSX } from "preact";

import { SECOND_MS } from "../../../../lib/base/clock.ts";
import type { ProjectView } from "../../../../lib/publishing/shapes/projects.ts";
import type { DomainSuggestionView, DomainView } from "../../../../domains/view/shapes.ts";
import { at, call } from "../../api.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Empty, Loaded } from "../../components/feedback.tsx";
import { Icon } from "../../components/icon.tsx";
import { Card } from "../../components/page.tsx";
import { Instant } from "../../components/time.tsx";
import { accounts } from "../../state/account.ts";
import { type InProject, inProject } from "../../state/in-account.tsx";
import { useLive } from "../../state/live.ts";
import { mayChange } from "../../state/me.ts";
import { type Resource, usePolling, useResource } from "../../state/resource.ts";
import { domainWords } from "../../words/late.tsx";
import { ProjectPage } from "../projects/project-page.tsx";
import { AddDomain } from "./add-domain.tsx";
import { isInProgress } from "./domain-rules.ts";
import { DomainTable } from "./domain-table.tsx";
import { areMet, prerequisitesOf, removedDomains } from "./list-rules.ts";
import { Prerequisites } from "./prerequisites.tsx";
import { Redirects } from "./redirects.tsx";

/** The domains of a project. */
export const Domains: FunctionComponent<{ readonly project: string }> = inProject(
  domainWords.within(DomainsOfProject),
);

function DomainsOfProject({ project, reload }: InProject): JSX.Element {
  const { view } = domainWords.words();
  const domains = useDomains(project);
  const suggestions = useResource(project.id, () =>
    call("GET /projects/:project/domain-suggestions", { project: project.id }),
  );
  // The initial name in the dialog; undefined while it is closed.
  const adding = useSignal<string | undefined>(undefined);
  const account = accounts.value.find(({ id }) => id === project.accountId);
  const prerequisites = prerequisitesOf(project, account);
  const open = areMet(prerequisites);
  const add = (name: string): void => {
    adding.value = name;
  };
  const changed = (): void => {
    void domains.reload();
    void suggestions.reload();
  };
  const list = domains.value ?? [];
  const deleted = project.deletedAt !== undefined;
  const mayAdd = mayChange.value && open;
  const addButton = (
    <Button look="primary" disabled={!mayAdd} onClick={() => add("")}>
      <Icon name="plus" />
      {view.add}
    </Button>
  );
  return (
    <ProjectPage project={project} reload={reload} actions={deleted ? null : addButton}>
      {!deleted && (!open || list.length === 0) && (
        <Prerequisites states={prerequisites} project={project} onDeployed={reload} />
      )}
      <Loaded resource={domains} lines={5}>
        {(value) => (
          <>
            {value.length === 0 && open && (
              <Card>
                <Empty title={view.noneTitle}>{view.noneText}</Empty>
              </Card>
            )}
            {value.length > 0 && (
              <DomainTable project={project} domains={value} mayAdd={mayAdd} onChanged={changed} />
            )}
            <Suggestions
              project={project}
              suggestions={suggestions.value ?? []}
              domains={value}
              mayAdd={mayAdd}
              onAdd={add}
            />
            {value.length > 1 && !deleted && (
              <Redirects project={project} domains={value} onChanged={changed} />
            )}
            <RecentlyRemoved project={project} domains={value} />
          </>
        )}
      </Loaded>
      {adding.value !== undefined && (
        <AddDomain
          project={project}
          domains={list}
          initialName={adding.value}
          onClose={() => (adding.value = undefined)}
          onAdded={changed}
        />
      )}
    </ProjectPage>
  );
}

/** The types of events that change a list of domains. */
const EVENTS = [
  "domain.added",
  "domain.verified",
  "domain.contested",
  "domain.removed",
  "domain.issuing",
  "domain.renewed",
  "domain.live",
  "domain.failed",
  "domain.expiring",
  "domain.drifting",
  "domain.moved",
  "domain.released",
] as const;

/** A DNS check without a change of status sends no event. */
const POLL_MS: number = 10 * SECOND_MS;

/** Loads the domains of a project and keeps them up to date. */
function useDomains(
  project: Pick<ProjectView, "id" | "accountId">,
): Resource<readonly DomainView[]> {
  const domains = useResource(project.id, () =>
    call("GET /projects/:project/domains", { project: project.id }),
  );
  const reload = (): Promise<void> => domains.reload();
  useLive({
    path: `${at`/accounts/${project.accountId}/events`}?types=${EVENTS.join(",")}`,
    events: EVENTS,
    onEvents: () => void reload(),
    poll: reload,
  });
  usePolling(POLL_MS, async () => {
    if (domains.value?.some(isInProgress) === true) await reload();
  });
  return domains;
}

const SITE_FILE = "petstore.site.json";

/** Domains that the published site names but does not have yet. */
function Suggestions({
  project,
  suggestions,
  domains,
  mayAdd,
  onAdd,
}: {
  readonly project: ProjectView;
  readonly suggestions: readonly DomainSuggestionView[];
  readonly domains: readonly DomainView[];
  readonly mayAdd: boolean;
  readonly onAdd: (name: string) => void;
}): JSX.Element | null {
  const { view } = domainWords.words();
  // The list may still contain a domain that was just added.
  const open = suggestions.filter(
    ({ domain, step }) => step !== "add" || !domains.some((one) => one.domain === domain),
  );
  if (open.length === 0) return null;
  return (
    <Card title={view.suggestions}>
      <p class="soft">{view.suggestionsText(SITE_FILE)}</p>
      <ul class="stack tight">
        {open.map(({ domain, unicode, step }) => (
          <li key={domain} class="row apart">
            <span>
              <b>{unicode}</b> <span class="soft small">{view.suggestionSteps[step]}</span>
            </span>
            {step === "verify" ? (
              <ButtonLink small href={`/projects/${project.slug}/domains/${domain}`}>
                {view.verify}
              </ButtonLink>
            ) : (
              mayAdd && (
                <Button small onClick={() => onAdd(unicode)}>
                  {view.addTwin(unicode)}
                </Button>
              )
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Removed domains that can be restored at once. */
function RecentlyRemoved({
  project,
  domains,
}: {
  readonly project: ProjectView;
  readonly domains: readonly DomainView[];
}): JSX.Element | null {
  const { view } = domainWords.words();
  const attached = domains.map(({ domain }) => domain);
  const events = useResource(`${project.id} ${attached.join()}`, () =>
    call("GET /accounts/:account/events", {
      account: project.accountId,
      query: { types: ["domain.removed"], order: "newest", limit: 200 },
    }),
  );
  const removed = removedDomains(events.value ?? [], { projectId: project.id, attached });
  if (removed.length === 0) return null;
  return (
    <Card title={view.removedLately}>
      <ul class="stack tight">
        {removed.map(({ domain, removedAt }) => (
          <li key={domain} class="row apart">
            <a href={`/projects/${project.slug}/domains/${domain}`}>{domain}</a>
            <span class="soft small">
              {view.removedAt} <Instant at={removedAt} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
