import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLocation } from "preact-iso";

import type { ProjectView } from "../../../../lib/management/client.ts";
import type { DomainView } from "../../../../lib/management/domain-view.ts";
import type { Account } from "../../../../lib/model/account.ts";
import type { Deploy } from "../../../../lib/publishing/model/deploy.ts";
import { faultOfSlug } from "../../../../lib/publishing/model/slug.ts";
import { at, getAll, type Problem, send } from "../../api.ts";
import { Badge } from "../../components/indicators.tsx";
import { AWAY, Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Empty, Loaded, Refusal } from "../../components/feedback.tsx";
import { CheckField, TextField, bound } from "../../components/field.tsx";
import { Icon } from "../../components/icon.tsx";
import { Instant } from "../../components/time.tsx";
import { Page } from "../../components/page.tsx";
import { toast } from "../../components/toasts.tsx";
import { inAccount } from "../../state/in-account.tsx";
import { useLive } from "../../state/live.ts";
import { isOperator, mayChange } from "../../state/me.ts";
import { useResource } from "../../state/resource.ts";
import { words } from "../../words/words.ts";
import { PROJECT_EVENTS } from "./events.ts";
import { DeletedNotice, hostOf, nameOfDeploy } from "./project-page.tsx";
import { slugOf } from "./slug-of.ts";

/** The projects of an account. */
export const Projects = inAccount(({ account }) => <Listed account={account} />);

function Listed({ account: { id } }: { readonly account: Account }): JSX.Element {
  const { projects } = words();
  const creating = useSignal(false);
  const listed = useResource(id, () => getAll<ProjectView>(at`/accounts/${id}/projects`));
  const domains = useResource(id, () =>
    getAll<DomainView>("/domains", isOperator.value ? { account: id, limit: 200 } : { limit: 200 }),
  );
  useLive({
    path: at`/accounts/${id}/events`,
    events: PROJECT_EVENTS,
    onEvent: () => void listed.reload(),
    poll: listed.reload,
  });

  const create = mayChange.value && (
    <Button
      look="primary"
      onClick={() => {
        creating.value = true;
      }}
    >
      <Icon name="plus" /> {projects.new}
    </Button>
  );
  return (
    <Page title={projects.title} about={projects.about} actions={create}>
      <Loaded resource={listed} lines={6}>
        {(all) =>
          all.length === 0 ? (
            <section class="card">
              <Empty title={projects.none}>{projects.noneText}</Empty>
            </section>
          ) : (
            <ul class="tiles broad">
              {all.toSorted(livingFirst).map((project) => (
                <li key={project.id}>
                  <ProjectCard
                    project={project}
                    domains={(domains.value ?? []).filter((one) => one.project === project.slug)}
                    reload={listed.reload}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {creating.value && (
        <CreateProject
          accountId={id}
          onClose={() => {
            creating.value = false;
          }}
        />
      )}
    </Page>
  );
}

/** Deleted ones last; else as they come, the newest first. */
function livingFirst(one: ProjectView, other: ProjectView): number {
  return Number(one.deletedAt !== undefined) - Number(other.deletedAt !== undefined);
}

/** A project in the list: where it is, what is live there, and since when. */
export function ProjectCard({
  project,
  domains,
  reload,
}: {
  readonly project: ProjectView;
  readonly domains: readonly DomainView[];
  readonly reload: () => Promise<void>;
}): JSX.Element {
  const { projects } = words();
  const { name, slug, url, liveDeploy, deletedAt } = project;
  const live = liveDeploy !== undefined && deletedAt === undefined;
  return (
    <article class="card project-card">
      <div class="inside stack tight">
        <div class="project-head">
          <h2>
            <a href={`/projects/${slug}`}>{name}</a>
          </h2>
          <State project={project} />
        </div>
        <p class="mono small">
          {live ? (
            <a href={url} {...AWAY}>
              {hostOf(url)}
              <Icon name="away" />
              <span class="out-of-sight">{projects.open}</span>
            </a>
          ) : (
            <span class="soft">{hostOf(url)}</span>
          )}
        </p>
        {domains.map(({ id, domain, unicode, status }) => (
          <p key={id} class="mono small">
            <a href={`/projects/${slug}/domains/${domain}`}>
              <Icon name={status === "live" ? "domain" : "clock"} />
              {unicode}
            </a>
          </p>
        ))}
        {live && (
          <p class="soft small">
            {nameOfDeploy(liveDeploy)}
            {liveDeploy.activatedAt !== undefined && (
              <>
                {" · "}
                <Instant at={liveDeploy.activatedAt} />
              </>
            )}
          </p>
        )}
        <DeletedNotice project={project} reload={reload} />
      </div>
    </article>
  );
}

function State({ project }: { readonly project: ProjectView }): JSX.Element {
  const { projects } = words();
  if (project.deletedAt !== undefined) return <Badge tone="bad">{projects.deleted}</Badge>;
  if (project.liveDeployId === undefined) return <Badge>{projects.empty}</Badge>;
  return (
    <Badge tone="good" icon="check">
      {projects.live}
    </Badge>
  );
}

const MAX_NAME = 80;

/** Makes a project, and publishes the storefront there unless that is not wanted. */
export function CreateProject({
  accountId,
  onClose,
}: {
  readonly accountId: string;
  readonly onClose: () => void;
}): JSX.Element {
  const { projects } = words();
  const { route } = useLocation();
  const name = useSignal("");
  /** Undefined as long as it follows the name. */
  const typed = useSignal<string | undefined>(undefined);
  const starter = useSignal(true);
  const busy = useSignal(false);
  const problem = useSignal<Problem | undefined>(undefined);

  const slug = typed.value ?? slugOf(name.value);
  const taken = problem.value?.code === "slug_taken";
  const faulty = slug !== "" && faultOfSlug(slug) !== undefined;
  const fault = faulty ? projects.slugFault : taken ? projects.slugTaken : undefined;

  const create = async (): Promise<void> => {
    busy.value = true;
    const created = await send<ProjectView>("POST", at`/accounts/${accountId}/projects`, {
      name: name.value.trim(),
      // Without one the service makes one up.
      ...(slug === "" ? {} : { slug }),
    });
    if (!created.ok) {
      busy.value = false;
      problem.value = created.failure;
      return;
    }
    const { id, slug: given, name: called } = created.value;
    const published = starter.value
      ? await send<Deploy>("POST", at`/projects/${id}/deploys`, { source: "starter" })
      : undefined;
    // The project is there whatever became of the storefront; its page offers that again.
    toast(published?.ok === true ? projects.createdLive(called) : projects.created(called));
    onClose();
    route(`/projects/${given}`);
  };

  return (
    <Dialog
      title={projects.new}
      action={projects.create}
      busy={busy.value}
      disabled={name.value.trim() === "" || faulty}
      onSubmit={() => void create()}
      onClose={onClose}
    >
      {!taken && <Refusal problem={problem.value} />}
      <TextField
        label={projects.name}
        hint={projects.nameHint}
        value={name.value}
        required
        autofocus
        maxLength={MAX_NAME}
        onInput={(value) => {
          name.value = value;
          problem.value = undefined;
        }}
      />
      <TextField
        label={projects.slug}
        hint={projects.slugHint}
        fault={fault}
        value={slug}
        literal
        onInput={(value) => {
          typed.value = value.toLowerCase();
          problem.value = undefined;
        }}
      />
      <div class="stack tight">
        <CheckField label={projects.starter} {...bound(starter)} />
        <p class="soft small">{projects.starterHint}</p>
      </div>
    </Dialog>
  );
}
