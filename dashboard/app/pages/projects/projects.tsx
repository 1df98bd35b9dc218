import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import type { Account } from "../../../../lib/model/account.ts";
import type { ProjectView } from "../../../../lib/management/client.ts";
import type { DomainView } from "../../../../lib/management/domain-view.ts";
import { at, getAll } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Empty } from "../../components/empty.tsx";
import { Icon } from "../../components/icon.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Page } from "../../components/page.tsx";
import { inAccount } from "../../state/in-account.tsx";
import { useLive } from "../../state/live.ts";
import { isOperator, mayChange } from "../../state/me.ts";
import { useResource } from "../../state/resource.ts";
import { words } from "../../words/words.ts";
import { CreateProject } from "./create-project.tsx";
import { PROJECT_EVENTS } from "./events.ts";
import { ProjectCard } from "./project-card.tsx";

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
