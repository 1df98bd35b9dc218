import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";

import { MINUTE_MS } from "../../../../lib/base/clock.ts";
import type { KeyView } from "../../../../lib/accounts/keys.ts";
import type { ProjectView } from "../../../../lib/publishing/shapes/projects.ts";
import type { DomainView } from "../../../../domains/view/shapes.ts";
import type { Account } from "../../../../lib/model/account.ts";
import { done } from "../../../../lib/base/result.ts";
import { at, call, listAll } from "../../api.ts";
import { Bones, Notice } from "../../components/feedback.tsx";
import { ButtonLink } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { Page } from "../../components/page.tsx";
import { inAccount } from "../../state/in-account.tsx";
import { countEnquiries } from "../../state/inbox.ts";
import { useLive } from "../../state/live.ts";
import { mayChange, mayOwn } from "../../state/me.ts";
import { usePolling, useResource, type Resource } from "../../state/resource.ts";
import { store, stored } from "../../state/preferences.ts";
import { overviewWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";
import { ActivityCard, eventsShown, latestEvents } from "./activity-card.tsx";
import {
  AnimalsCard,
  LimitsCard,
  ProjectsCard,
  StepsCard,
  type CatalogueSummary,
} from "./cards.tsx";
import { stepsOf } from "./steps.ts";

/** An account at a glance. */
export const Overview = inAccount(overviewWords.within(AccountOverview));

function AccountOverview({ account }: { readonly account: Account }): JSX.Element {
  const { id } = account;
  const production = { account: id, environment: "production" } as const;
  const summary = useResource(id, () =>
    call("GET /accounts/:account/:environment/summary", production),
  );
  const limits = useResource(id, () =>
    call("GET /accounts/:account/:environment/limits", production),
  );
  const projects = useResource<readonly ProjectView[]>(id, async () => {
    const listed = await listAll("GET /accounts/:account/projects", { account: id });
    // The service also lists projects that were deleted lately.
    return listed.ok
      ? done(listed.value.filter(({ deletedAt }) => deletedAt === undefined))
      : listed;
  });
  const keys = useResource(id, () => listAll("GET /accounts/:account/keys", { account: id }));
  const domains = useResource(id, () => listAll("GET /domains", { query: { account: id } }));
  const events = useResource(id, () => latestEvents(id));
  const all = { summary, limits, projects, keys, domains, events };
  const liveness = useLive({
    path: at`/accounts/${id}/events`,
    events: eventsShown(),
    onEvents: (some) => {
      const changed = some.map(({ type }) => CHANGED[type.split(".", 1).join("")]);
      for (const [name, resource] of Object.entries(all)) {
        if (name === "events" || changed.some((one) => one === name)) void resource.reload();
      }
      if (some.some(({ type }) => type === "enquiry.created")) void countEnquiries();
    },
    poll: async () => {
      await Promise.all(Object.values(all).map((one) => one.reload()));
    },
  });
  usePolling(LIMITS_MS, limits.reload);

  const hidden = useSignal(stored(`steps-${id}`) !== null);
  const hide = (): void => {
    hidden.value = true;
    store(`steps-${id}`, "hidden");
  };
  const base = `/accounts/${id}`;
  const steps = stepsOf(doneOf(all));
  const complete = steps?.length === 0;
  const shown = mayOwn.value && !hidden.value;
  // The steps would push the cards down if they appeared later.
  const waits = shown && steps === undefined && !Object.values(all).some(({ problem }) => problem);
  useEffect(() => {
    // On the next visit the cards do not wait for the steps.
    if (complete) hide();
  }, [complete]);
  const text = overviewWords.words();
  const { common } = words();
  const site = projects.value?.find(({ liveDeploy }) => liveDeploy !== undefined);
  const first = site ?? projects.value?.[0];
  const address = first === undefined ? `${base}/projects` : `/projects/${first.slug}`;
  return (
    <Page
      title={account.name}
      about={<a href={base}>{text.plan(common.plans[account.plan])}</a>}
      actions={
        mayChange.value && (
          <ButtonLink look="primary" href={`${base}/animals?add=1`}>
            <Icon name="plus" />
            {text.addAnimal}
          </ButtonLink>
        )
      }
    >
      {served({ projects, domains })
        ?.filter(({ status }) => status === "attention")
        .map((domain) => (
          <Notice key={domain.id} tone="warn">
            <p>
              <strong>{text.attention(domain.unicode)}</strong>
            </p>
            <p>
              <a href={`/projects/${domain.project}/domains/${domain.domain}`}>{text.toDomain}</a>
            </p>
          </Notice>
        ))}
      {waits && <Bones lines={12} />}
      {shown && steps !== undefined && !complete && (
        <StepsCard
          steps={steps}
          hrefs={{
            animals: `${base}/animals`,
            site: address,
            key: `${base}/keys`,
            domain: first === undefined ? address : `${address}/domains`,
          }}
          onHide={hide}
        />
      )}
      {!waits && (
        <div class="glance">
          <div class="stack wide">
            <AnimalsCard base={base} summary={summary} />
            <ProjectsCard base={base} projects={projects} />
            <LimitsCard base={base} limits={limits} />
          </div>
          <ActivityCard accountId={id} events={events} liveness={liveness.value} />
        </div>
      )}
    </Page>
  );
}

const LIMITS_MS = MINUTE_MS / 2;

/** The resource that an event changes, by the first word of its type. */
const CHANGED: Readonly<Record<string, string>> = {
  pet: "summary",
  order: "summary",
  category: "summary",
  project: "projects",
  deploy: "projects",
  domain: "domains",
  key: "keys",
};

/** Which of the first steps are done; undefined until loaded. */
function doneOf({
  summary,
  projects,
  keys,
  domains,
}: {
  readonly summary: Resource<CatalogueSummary>;
  readonly projects: Resource<readonly ProjectView[]>;
  readonly keys: Resource<readonly KeyView[]>;
  readonly domains: Resource<readonly DomainView[]>;
}): Parameters<typeof stepsOf>[0] {
  const pets = summary.value?.pets;
  return {
    animals: pets === undefined ? undefined : pets.available + pets.pending + pets.sold > 0,
    site: projects.value?.some(({ liveDeploy }) => liveDeploy !== undefined),
    key: keys.value?.some(({ status }) => status !== "revoked" && status !== "expired"),
    domain: served({ projects, domains })?.some(({ status }) => status !== "removed"),
  };
}

/** Returns the domains without those of deleted projects; undefined until loaded. */
function served({
  projects,
  domains,
}: {
  readonly projects: Resource<readonly ProjectView[]>;
  readonly domains: Resource<readonly DomainView[]>;
}): readonly DomainView[] | undefined {
  const slugs = projects.value && new Set(projects.value.map(({ slug }) => slug));
  return slugs && domains.value?.filter(({ project }) => slugs.has(project));
}
