import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import type { ProjectView } from "../../../../../lib/management/client.ts";
import type { Deploy } from "../../../../../lib/publishing/model/deploy.ts";
import { Card } from "../../../components/card.tsx";
import { Empty } from "../../../components/empty.tsx";
import { deploysWords } from "../../../words/deploys-words.ts";
import type { DeployActions } from "./deploy-actions.ts";
import { DeployChanges } from "./deploy-changes.tsx";
import { DeployFiles } from "./deploy-files.tsx";
import { DeployRow } from "./deploy-row.tsx";

/** Everything that was sent and is still kept, newest first. */
export function DeployList({
  project,
  deploys: listed,
  actions,
}: {
  readonly project: ProjectView;
  readonly deploys: readonly Deploy[];
  readonly actions: DeployActions;
}): JSX.Element {
  const deploys = deploysWords.words();
  const shown = useSignal<
    { readonly what: "changes" | "files"; readonly deploy: Deploy } | undefined
  >(undefined);
  const close = (): void => {
    shown.value = undefined;
  };
  if (listed.length === 0) {
    return (
      <Card title={deploys.list}>
        <Empty title={deploys.nothing}>{deploys.listEmpty}</Empty>
      </Card>
    );
  }
  return (
    <Card title={deploys.list} bare>
      <table class="table folds deploys">
        <thead>
          <tr>
            <th scope="col">{deploys.deploy}</th>
            <th scope="col">{deploys.state}</th>
            <th scope="col">{deploys.sentBy}</th>
            <th scope="col" class="number">
              {deploys.sizeColumn}
            </th>
            <th scope="col">
              <span class="out-of-sight">{deploys.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {listed.map((deploy) => (
            <DeployRow
              key={deploy.id}
              project={project}
              deploy={deploy}
              actions={actions}
              onShow={(what) => {
                shown.value = { what, deploy };
              }}
            />
          ))}
        </tbody>
      </table>
      <p class="soft small foot">{deploys.listText}</p>
      {shown.value?.what === "changes" && (
        <DeployChanges projectId={project.id} deploy={shown.value.deploy} onClose={close} />
      )}
      {shown.value?.what === "files" && (
        <DeployFiles projectId={project.id} deploy={shown.value.deploy} onClose={close} />
      )}
    </Card>
  );
}
