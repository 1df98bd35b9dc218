import type { ProjectView } from "../../../../lib/management/client.ts";
import type { Deploy } from "../../../../lib/publishing/model/deploy.ts";
import { at, type Problem, type Result, send } from "../../api.ts";
import { confirm } from "../../components/dialog.tsx";
import { toast } from "../../components/toasts.tsx";
import { deploysWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";
import { nameOfDeploy } from "./project-page.tsx";

/** What can be done with the deploys of a project. Each resolves when it was done, refused, or not wanted after all. */
export interface DeployActions {
  publish(deployId: string): Promise<void>;
  rollBack(): Promise<void>;
  starter(): Promise<void>;
  pin(deploy: Deploy): Promise<void>;
  remove(deploy: Deploy): Promise<void>;
}

/** Does them, offers to undo what can be undone, and calls back when something changed or was refused. */
export function deployActions(
  { id: projectId, liveDeployId }: Pick<ProjectView, "id" | "liveDeployId">,
  onOutcome: (problem: Problem | undefined) => void,
): DeployActions {
  const path = at`/projects/${projectId}`;

  const told = <Value>(result: Result<Value, Problem>, said: (value: Value) => void): void => {
    if (result.ok) said(result.value);
    onOutcome(result.ok ? undefined : result.failure);
  };
  const activate = (id: string): Promise<Result<Deploy, Problem>> =>
    send<Deploy>("POST", path + at`/deploys/${id}/activate`);
  /** For what took the place of the deploy that was live. */
  const undo = (): { readonly label: string; readonly run: () => void } | undefined =>
    liveDeployId === undefined
      ? undefined
      : {
          label: words().common.undo,
          run: () =>
            void activate(liveDeployId).then((result) => {
              told(result, (deploy) => toast(deploysWords.words().published(nameOfDeploy(deploy))));
            }),
        };

  return {
    publish: async (deployId) => {
      told(await activate(deployId), (deploy) => {
        toast(deploysWords.words().published(nameOfDeploy(deploy)), undo());
      });
    },
    rollBack: async () => {
      const deploys = deploysWords.words();
      const sure = await confirm({
        title: deploys.askRollBack,
        text: deploys.askRollBackText,
        action: deploys.rollBack,
      });
      if (!sure) return;
      told(await send<Deploy>("POST", `${path}/rollback`, {}), (deploy) => {
        toast(deploysWords.words().rolledBack(nameOfDeploy(deploy)), undo());
      });
    },
    starter: async () => {
      const deploys = deploysWords.words();
      const sure =
        liveDeployId === undefined ||
        (await confirm({
          title: deploys.starterAgain,
          text: deploys.starterAgainText,
          action: deploys.starter,
        }));
      if (!sure) return;
      told(await send<Deploy>("POST", `${path}/deploys`, { source: "starter" }), (deploy) => {
        toast(deploysWords.words().published(nameOfDeploy(deploy)), undo());
      });
    },
    pin: async ({ id, pinned }) => {
      const body = { pinned: !pinned };
      told(await send<Deploy>("PATCH", path + at`/deploys/${id}`, body), () => {
        const deploys = deploysWords.words();
        toast(pinned ? deploys.nowUnpinned : deploys.nowPinned);
      });
    },
    remove: async ({ id }) => {
      const { common } = words();
      const deploys = deploysWords.words();
      const sure = await confirm({
        title: deploys.askDelete,
        text: deploys.askDeleteText,
        action: common.delete,
        look: "danger",
      });
      if (!sure) return;
      told(await send("DELETE", path + at`/deploys/${id}`), () => {
        toast(deploysWords.words().deleted);
      });
    },
  };
}
