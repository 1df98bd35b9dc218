import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import type { ProjectView } from "../../../../lib/publishing/shapes/projects.ts";
import {
  canBecome,
  type Deploy,
  isUnfinished,
  isWhole,
} from "../../../../lib/publishing/model/deploy.ts";
import type { DeployState } from "../../../../lib/model/deploy-states.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Empty } from "../../components/feedback.tsx";
import { Icon } from "../../components/icon.tsx";
import { Badge, type BadgeLooks } from "../../components/indicators.tsx";
import { Menu, type MenuItem } from "../../components/menu.tsx";
import { Card } from "../../components/page.tsx";
import { Table } from "../../components/table.tsx";
import { Instant } from "../../components/time.tsx";
import { mayChange } from "../../state/me.ts";
import { deploysWords } from "./deploys-words.ts";
import { words } from "../../words/words.ts";
import { AdoptDialog } from "./adopt-dialog.tsx";
import type { DeployActions } from "./deploy-actions.ts";
import { DeployChanges, DeployFiles } from "./deploy-dialogs.tsx";
import { nameOfDeploy, previewOf } from "./project-page.tsx";

/** The deploys that are kept, newest first. */
export function DeployList({
  project,
  deploys: listed,
  actions,
}: {
  readonly project: ProjectView;
  readonly deploys: readonly Deploy[];
  readonly actions: DeployActions;
}): JSX.Element {
  const text = deploysWords.words();
  const shown = useSignal<
    { readonly what: "changes" | "files"; readonly deploy: Deploy } | undefined
  >(undefined);
  if (listed.length === 0) {
    return (
      <Card title={text.list}>
        <Empty title={text.nothing}>{text.listEmpty}</Empty>
      </Card>
    );
  }
  const dialog = shown.value && {
    projectId: project.id,
    deploy: shown.value.deploy,
    onClose: () => (shown.value = undefined),
  };
  return (
    <Card title={text.list} bare>
      <Table
        label={text.list}
        columns={[
          { name: text.deploy, cell: "lead" },
          text.state,
          text.sentBy,
          { name: text.sizeColumn, cell: "number" },
          { name: text.actions, cell: "end" },
        ]}
        look="deploys"
        rows={listed.map((deploy) => ({
          key: deploy.id,
          cells: [
            <DeployName deploy={deploy} />,
            <StateBadge deploy={deploy} />,
            <span class="small">
              <Instant at={deploy.createdAt} /> <span class="soft">{text.by(deploy.author)}</span>
            </span>,
            <span class="small soft brief">
              {isWhole(deploy.state) &&
                (deploy.source === "starter" ? "–" : text.size(deploy.files, deploy.bytes))}
            </span>,
            <RowActions
              project={project}
              deploy={deploy}
              actions={actions}
              onShow={(what) => (shown.value = { what, deploy })}
            />,
          ],
        }))}
      />
      <p class="soft small foot">{text.listText}</p>
      {dialog && shown.value?.what === "changes" && <DeployChanges {...dialog} />}
      {dialog && shown.value?.what === "files" && <DeployFiles {...dialog} />}
    </Card>
  );
}

function DeployName({ deploy }: { readonly deploy: Deploy }): JSX.Element {
  return (
    <div>
      <strong>{nameOfDeploy(deploy)}</strong>
      {deploy.failure !== undefined && (
        <p class="small fault" lang="en">
          {deploy.failure.message}
        </p>
      )}
    </div>
  );
}

function RowActions({
  project,
  deploy,
  actions,
  onShow,
}: {
  readonly project: ProjectView;
  readonly deploy: Deploy;
  readonly actions: DeployActions;
  /** Opens a dialog. */
  readonly onShow: (what: "changes" | "files") => void;
}): JSX.Element {
  const { common } = words();
  const text = deploysWords.words();
  const { id, state, pinned } = deploy;
  const whole = isWhole(state);
  const name = nameOfDeploy(deploy);
  const publish = state === "ready" ? text.publish : text.publishAgain;
  const items: readonly MenuItem[] = [
    whole &&
      state !== "live" &&
      project.liveDeployId !== undefined && {
        label: text.changes,
        onClick: () => onShow("changes"),
      },
    whole && { label: text.files, onClick: () => onShow("files") },
    whole &&
      mayChange.value && {
        label: pinned ? text.unpin : text.pin,
        onClick: () => void actions.pin(deploy),
      },
    mayChange.value &&
      state !== "live" &&
      !isUnfinished(state) && {
        label: text.delete.action,
        danger: true,
        onClick: () => void actions.remove(deploy),
      },
  ].filter((item) => item !== false);
  return (
    <span class="row tight end">
      {whole && <PreviewLink href={previewOf(project, id)} />}
      {canBecome(state, "live") && mayChange.value && (
        <Button small label={`${publish}: ${name}`} onClick={() => void actions.publish(id)}>
          {publish}
        </Button>
      )}
      {items.length > 0 && <Menu label={common.more(name)} items={items} />}
    </span>
  );
}

/** The live deploy, and a button that rolls back. */
export function LiveCard({
  project,
  actions,
  canRollBack,
  onChange,
}: {
  readonly project: ProjectView;
  readonly actions: DeployActions;
  /** An earlier deploy can become live again. */
  readonly canRollBack: boolean;
  /** Another deploy is live. */
  readonly onChange: () => void;
}): JSX.Element {
  const deploys = deploysWords.words();
  const adopting = useSignal(false);
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
          {liveDeploy.source === "archive" && mayChange.value && (
            <Button small look="quiet" onClick={() => (adopting.value = true)}>
              {deploys.adopt.open}
            </Button>
          )}
          {canRollBack && mayChange.value && (
            <Button small onClick={() => void actions.rollBack()}>
              {deploys.rollBack.action}
            </Button>
          )}
        </div>
      </div>
      {adopting.value && (
        <AdoptDialog
          project={project.id}
          deploy={liveDeploy.id}
          onDone={onChange}
          onClose={() => (adopting.value = false)}
        />
      )}
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

/** How a deploy is, and whether it is kept for good. */
function StateBadge({
  deploy: { state, pinned },
}: {
  readonly deploy: Pick<Deploy, "state" | "pinned">;
}): JSX.Element {
  const deploys = deploysWords.words();
  return (
    <span class="row tight">
      <Badge {...LOOKS[state]}>
        {isUnfinished(state) && <span class="spin" aria-hidden="true" />}
        {deploys.states[state]}
      </Badge>
      {pinned && <Badge icon="pin">{deploys.pinned}</Badge>}
    </span>
  );
}

const LOOKS: BadgeLooks<DeployState> = {
  uploading: { tone: "accent" },
  processing: { tone: "accent" },
  ready: { tone: "accent" },
  live: { tone: "good", icon: "check" },
  superseded: {},
  failed: { tone: "bad", icon: "warn" },
};

/** Opens the preview of a deploy; renders nothing if the service has no previews. */
export function PreviewLink({ href }: { readonly href: string | undefined }): JSX.Element | null {
  if (href === undefined) return null;
  return (
    <ButtonLink small look="quiet" away href={href}>
      {deploysWords.words().preview} <Icon name="away" />
    </ButtonLink>
  );
}
