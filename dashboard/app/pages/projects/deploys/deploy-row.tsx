import type { JSX } from "preact";

import type { ProjectView } from "../../../../../lib/management/client.ts";
import type { Deploy } from "../../../../../lib/publishing/model/deploy.ts";
import { canBecome, isMaking, isWhole } from "../../../../../lib/publishing/model/deploy-state.ts";
import { Button } from "../../../components/button.tsx";
import { Instant } from "../../../components/instant.tsx";
import { Menu, type MenuItem } from "../../../components/menu.tsx";
import { mayChange } from "../../../state/me.ts";
import { deploysWords } from "../../../words/deploys-words.ts";
import { words } from "../../../words/words.ts";
import { previewOf } from "../addresses.ts";
import type { DeployActions } from "./deploy-actions.ts";
import { nameOfDeploy } from "./deploy-name.ts";
import { PreviewLink } from "./preview-link.tsx";
import { StateBadge } from "./state-badge.tsx";

/** A deploy, and what can be done with it. */
export function DeployRow({
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
