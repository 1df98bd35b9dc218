import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import type { ProjectView } from "../../../../../lib/management/client.ts";
import type { Deploy } from "../../../../../lib/publishing/model/deploy.ts";
import { Card } from "../../../components/card.tsx";
import { Empty } from "../../../components/empty.tsx";
import { Table } from "../../../components/table.tsx";
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
      <Table
        label={deploys.list}
        columns={[
          deploys.deploy,
          deploys.state,
          deploys.sentBy,
          { number: deploys.sizeColumn },
          { unseen: deploys.actions },
        ]}
        look="deploys"
      >
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
      </Table>
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
