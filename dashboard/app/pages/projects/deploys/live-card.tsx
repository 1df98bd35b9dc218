import type { JSX } from "preact";

import type { ProjectView } from "../../../../../lib/management/client.ts";
import type { Deploy } from "../../../../../lib/publishing/model/deploy.ts";
import { Button } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { Empty } from "../../../components/empty.tsx";
import { Instant } from "../../../components/instant.tsx";
import { mayChange } from "../../../state/me.ts";
import { deploysWords } from "../../../words/deploys-words.ts";
import { previewOf } from "../addresses.ts";
import type { DeployActions } from "./deploy-actions.ts";
import { nameOfDeploy } from "./deploy-name.ts";
import { PreviewLink } from "./preview-link.tsx";
import { StateBadge } from "./state-badge.tsx";

/** What visitors see now, and the way back. */
export function LiveCard({
  project,
  actions,
  canRollBack,
}: {
  readonly project: ProjectView;
  readonly actions: DeployActions;
  /** Something else was live before. */
  readonly canRollBack: boolean;
}): JSX.Element {
  const deploys = deploysWords.words();
  const { liveDeploy } = project;
  if (liveDeploy === undefined) {
    return (
      <section class="card">
        <Empty title={deploys.nothing}>{deploys.nothingText}</Empty>
      </section>
    );
  }
  return (
    <Card title={deploys.liveNow}>
      <div class="row apart">
        <Facts deploy={liveDeploy} />
        <div class="row">
          <PreviewLink href={previewOf(project, liveDeploy.id)} />
          {canRollBack && mayChange.value && (
            <Button small onClick={() => void actions.rollBack()}>
              {deploys.rollBack}
            </Button>
          )}
        </div>
      </div>
    </Card>
  );
}

function Facts({ deploy }: { readonly deploy: Deploy }): JSX.Element {
  const deploys = deploysWords.words();
  const { source, author, files, bytes, activatedAt } = deploy;
  return (
    <div class="stack tight">
      <p class="row">
        <strong>{nameOfDeploy(deploy)}</strong>
        <StateBadge deploy={deploy} />
      </p>
      <p class="soft small">
        {activatedAt !== undefined && <Instant at={activatedAt} />} {deploys.by(author)}
        {source === "archive" && ` · ${deploys.size(files, bytes)}`}
      </p>
    </div>
  );
}
