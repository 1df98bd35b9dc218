import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import type { ProjectView } from "../../../../lib/management/client.ts";
import {
  canBecome,
  isMaking,
  isWhole,
  type Deploy,
  type DeployState,
} from "../../../../lib/publishing/model/deploy.ts";
import { Badge } from "../../components/indicators.tsx";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Card } from "../../components/page.tsx";
import { Empty } from "../../components/feedback.tsx";
import { Icon } from "../../components/icon.tsx";
import { Instant } from "../../components/time.tsx";
import { Menu, type MenuItem } from "../../components/menu.tsx";
import { Table } from "../../components/table.tsx";
import { mayChange } from "../../state/me.ts";
import { deploysWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";
import type { DeployActions } from "./deploy-actions.ts";
import { DeployChanges, DeployFiles } from "./deploy-dialogs.tsx";
import { nameOfDeploy, previewOf } from "./project-page.tsx";

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
          { name: deploys.sizeColumn, cell: "number" },
          { name: deploys.actions, cell: "end corner" },
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

/** A deploy, and what can be done with it. */
function DeployRow({
  project,
  deploy,
  actions,
  onShow,
}: {
  readonly project: ProjectView;
  readonly deploy: Deploy;
  readonly actions: DeployActions;
  /** More of it is to be seen. */
  readonly onShow: (what: "changes" | "files") => void;
}): JSX.Element {
  const { common } = words();
  const deploys = deploysWords.words();
  const { id, state, author, files, bytes, createdAt, failure, source, pinned } = deploy;
  const whole = isWhole(state);
  const name = nameOfDeploy(deploy);

  const items: readonly MenuItem[] = [
    whole &&
      state !== "live" &&
      project.liveDeployId !== undefined && {
        label: deploys.changes,
        onClick: () => {
          onShow("changes");
        },
      },
    whole && {
      label: deploys.files,
      onClick: () => {
        onShow("files");
      },
    },
    whole &&
      mayChange.value && {
        label: pinned ? deploys.unpin : deploys.pin,
        onClick: () => void actions.pin(deploy),
      },
    mayChange.value &&
      state !== "live" &&
      !isMaking(state) && {
        label: common.delete,
        danger: true,
        onClick: () => void actions.remove(deploy),
      },
  ].filter((item) => item !== false);

  return (
    <tr>
      <td class="name">
        <div>
          <strong>{name}</strong>
          {failure !== undefined && (
            <p class="small fault" lang="en">
              {failure.message}
            </p>
          )}
        </div>
      </td>
      <td data-label={deploys.state}>
        <StateBadge deploy={deploy} />
      </td>
      <td data-label={deploys.sentBy}>
        <span class="small">
          <Instant at={createdAt} /> <span class="soft">{deploys.by(author)}</span>
        </span>
      </td>
      <td data-label={deploys.sizeColumn} class="number brief">
        <span class="small soft">
          {whole && (source === "starter" ? "–" : deploys.size(files, bytes))}
        </span>
      </td>
      <td class="end">
        <span class="row tight end">
          {whole && <PreviewLink href={previewOf(project, id)} />}
          {canBecome(state, "live") && mayChange.value && (
            <Button
              small
              label={`${state === "ready" ? deploys.publish : deploys.publishAgain}: ${name}`}
              onClick={() => void actions.publish(id)}
            >
              {state === "ready" ? deploys.publish : deploys.publishAgain}
            </Button>
          )}
          {items.length > 0 && <Menu label={common.more(name)} items={items} />}
        </span>
      </td>
    </tr>
  );
}

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
        {isMaking(state) && <span class="spin" aria-hidden="true" />}
        {deploys.states[state]}
      </Badge>
      {pinned && <Badge icon="pin">{deploys.pinned}</Badge>}
    </span>
  );
}

const LOOKS: Readonly<
  Record<
    DeployState,
    { readonly tone?: "good" | "bad" | "accent"; readonly icon?: "check" | "warn" }
  >
> = {
  uploading: { tone: "accent" },
  processing: { tone: "accent" },
  ready: { tone: "accent" },
  live: { tone: "good", icon: "check" },
  superseded: {},
  failed: { tone: "bad", icon: "warn" },
};

/** Leads to a deploy as visitors would see it; nothing where only what is live is shown. */
export function PreviewLink({ href }: { readonly href: string | undefined }): JSX.Element | null {
  if (href === undefined) return null;
  return (
    <ButtonLink small look="quiet" away href={href}>
      {deploysWords.words().preview} <Icon name="away" />
    </ButtonLink>
  );
}
