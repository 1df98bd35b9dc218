import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLocation } from "preact-iso";

import type { ProjectView } from "../../../../lib/publishing/shapes/projects.ts";
import type { DomainView } from "../../../../domains/view/shapes.ts";
import type { Account } from "../../../../lib/model/account.ts";
import { trimText } from "../../../../lib/model/text.ts";
import { faultOfSlug } from "../../../../lib/publishing/model/slug.ts";
import { at, call, listAll, type Problem, type Result } from "../../api.ts";
import { AWAY, Button } from "../../components/button.tsx";
import { Empty, Loaded } from "../../components/feedback.tsx";
import { bound, CheckField, TextField } from "../../components/field.tsx";
import { FormDialog } from "../../components/form.tsx";
import { Icon } from "../../components/icon.tsx";
import { ProjectState } from "../../components/indicators.tsx";
import { Page } from "../../components/page.tsx";
import { Instant } from "../../components/time.tsx";
import { toast } from "../../components/toasts.tsx";
import { inAccount, type InProject } from "../../state/in-account.tsx";
import { useLive } from "../../state/live.ts";
import { isOperator, mayChange } from "../../state/me.ts";
import { useResource } from "../../state/resource.ts";
import { language } from "../../words/format.ts";
import { words } from "../../words/words.ts";
import { PROJECT_EVENTS } from "./events.ts";
import { DeletedNotice, hostOf, nameOfDeploy, publishStarter } from "./project-page.tsx";
import { slugOf } from "./slug-of.ts";

/** The projects of an account. */
export const Projects = inAccount(ProjectList);

function ProjectList({ account: { id } }: { readonly account: Account }): JSX.Element {
  const { projects } = words();
  const creating = useSignal(false);
  const listed = useResource(id, () => listAll("GET /accounts/:account/projects", { account: id }));
  const domains = useResource(id, () =>
    listAll("GET /domains", { query: { limit: 200, account: isOperator.value ? id : undefined } }),
  );
  useLive({
    path: at`/accounts/${id}/events`,
    events: PROJECT_EVENTS,
    onEvents: () => void listed.reload(),
    poll: listed.reload,
  });

  const create = mayChange.value && (
    <Button look="primary" onClick={() => (creating.value = true)}>
      <Icon name="plus" /> {projects.create}
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
              {all.toSorted(deletedLast).map((project) => (
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
      {creating.value && <CreateProject accountId={id} onClose={() => (creating.value = false)} />}
    </Page>
  );
}

function deletedLast(one: ProjectView, other: ProjectView): number {
  return Number(one.deletedAt !== undefined) - Number(other.deletedAt !== undefined);
}

function ProjectCard({
  project,
  domains,
  reload,
}: InProject & { readonly domains: readonly DomainView[] }): JSX.Element {
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
          <ProjectState project={project} />
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

const MAX_NAME = 80;

/** Creates a project and, by default, publishes the storefront there. */
function CreateProject({
  accountId,
  onClose,
}: {
  readonly accountId: string;
  readonly onClose: () => void;
}): JSX.Element {
  const { projects } = words();
  const { route } = useLocation();
  const name = useSignal("");
  /** Undefined while the slug follows the name. */
  const typed = useSignal<string | undefined>(undefined);
  const starter = useSignal(true);
  const taken = useSignal(false);
  const slug = typed.value ?? slugOf(name.value);
  const faulty = slug !== "" && faultOfSlug(slug) !== undefined;

  const create = async (): Promise<Result<ProjectView, Problem> | undefined> => {
    const created = await call("POST /accounts/:account/projects", {
      account: accountId,
      // Without a slug the service chooses one.
      body: {
        name: name.value.trim(),
        slug: slug === "" ? undefined : slug,
        language: language(),
      },
    });
    taken.value = !created.ok && created.failure.code === "slug_taken";
    return taken.value ? undefined : created;
  };
  const open = async (project: ProjectView): Promise<void> => {
    const published = starter.value ? await publishStarter(project.id) : undefined;
    // If publishing failed, the project's page offers it again.
    toast(projects[published?.ok === true ? "createdLive" : "created"](project.name));
    onClose();
    route(`/projects/${project.slug}`);
  };
  return (
    <FormDialog
      title={projects.create}
      action={projects.create}
      disabled={trimText(name.value) === "" || faulty}
      send={create}
      onDone={(project) => void open(project)}
      onClose={onClose}
    >
      <TextField
        label={projects.name}
        hint={projects.nameHint}
        required
        autofocus
        maxLength={MAX_NAME}
        {...bound(name)}
      />
      <TextField
        label={projects.slug}
        hint={projects.slugHint}
        fault={faulty ? projects.slugFault : taken.value ? projects.slugTaken : undefined}
        value={slug}
        literal
        onInput={(value) => {
          typed.value = value.toLowerCase();
          taken.value = false;
        }}
      />
      <div class="stack tight">
        <CheckField label={projects.starter} {...bound(starter)} />
        <p class="soft small">{projects.starterHint}</p>
      </div>
    </FormDialog>
  );
}
