import { useSignal } from "@preact/signals";
import type { FunctionComponent, JSX } from "preact";

import type { DomainSuggestionView } from "../../../../lib/management/domain-view.ts";
import { at, get } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Empty } from "../../components/empty.tsx";
import { Icon } from "../../components/icon.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { accounts } from "../../state/account.ts";
import { inProject, type InProject } from "../../state/in-account.tsx";
import { mayChange } from "../../state/me.ts";
import { useResource } from "../../state/resource.ts";
import { domainWords } from "../../words/domain-words.ts";
import { ProjectPage } from "../projects/project-page.tsx";
import { AddDomain } from "./all/add-domain.tsx";
import { DomainTable } from "./all/domain-table.tsx";
import { Prerequisites } from "./all/prerequisites.tsx";
import { Redirects } from "./all/redirects.tsx";
import { RemovedLately } from "./all/removed-lately.tsx";
import { Suggestions } from "./all/suggestions.tsx";
import { useDomains } from "./all/use-domains.ts";
import { gatesOf, isOpen } from "./gates.ts";

/** The domains of a project: what has to be there before, those that there are, and which of them leads where. */
export const Domains: FunctionComponent<{ readonly project: string }> = inProject(
  domainWords.within(DomainsOfProject),
);

function DomainsOfProject({ project, reload }: InProject): JSX.Element {
  const { view } = domainWords.words();
  const domains = useDomains(project);
  const suggestions = useResource(project.id, () =>
    get<readonly DomainSuggestionView[]>(at`/projects/${project.id}/domain-suggestions`),
  );
  // The name that the dialog begins with; undefined: it is closed.
  const adding = useSignal<string | undefined>(undefined);
  const account = accounts.value.find(({ id }) => id === project.accountId);
  const gates = gatesOf(project, account);
  const open = isOpen(gates);
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
        <Prerequisites gates={gates} project={project} onDeployed={reload} />
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
            {value.length > 1 && (
              <Redirects project={project} domains={value} onChanged={changed} />
            )}
            <RemovedLately project={project} domains={value} />
          </>
        )}
      </Loaded>
      {adding.value !== undefined && (
        <AddDomain
          project={project}
          domains={list}
          begin={adding.value}
          onClose={() => {
            adding.value = undefined;
          }}
          onAdded={changed}
        />
      )}
    </ProjectPage>
  );
}
