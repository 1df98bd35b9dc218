import type { ProjectView } from "../../../../lib/publishing/shapes/projects.ts";
import type { Deploy } from "../../../../lib/publishing/model/deploy.ts";
import { call, type Problem, type Result } from "../../api.ts";
import { confirm } from "../../components/dialog.tsx";
import { toast } from "../../components/toasts.tsx";
import { deploysWords } from "./deploys-words.ts";
import { words } from "../../words/words.ts";
import { askAboutGone } from "./gone.tsx";
import { nameOfDeploy, publishStarter } from "./project-page.tsx";

/** Changes to the deploys of a project. Each resolves when it is made, refused or cancelled. */
export interface DeployActions {
  /** Asks first if files of the live site disappear. Resolves with the live deploy; undefined if it was not published. */
  publish(deployId: string): Promise<Deploy | undefined>;
  rollBack(): Promise<void>;
  starter(): Promise<void>;
  pin(deploy: Deploy): Promise<void>;
  remove(deploy: Deploy): Promise<void>;
}

/** Confirms each change if needed, offers to undo it if possible, and reports its outcome to `onOutcome`. */
export function deployActions(
  { id: project, liveDeployId }: ProjectView,
  onOutcome: (problem: Problem | undefined) => void,
): DeployActions {
  const text = deploysWords.words();
  const { common } = words();

  const report = <Value>(
    result: Result<Value, Problem>,
    message: (value: Value) => string,
    undo?: Parameters<typeof toast>[1],
  ): void => {
    if (result.ok) toast(message(result.value), undo);
    onOutcome(result.ok ? undefined : result.failure);
  };
  const activate = (id: string, add = false): Promise<Result<Deploy, Problem>> =>
    call("POST /projects/:project/deploys/:deploy/activate", {
      project,
      deploy: id,
      query: add ? { add } : {},
    });
  const published = (deploy: Deploy): string => text.published(nameOfDeploy(deploy));
  /** Publishes the deploy that was live before the change. */
  const undo =
    liveDeployId === undefined
      ? undefined
      : {
          label: common.undo,
          run: () => void activate(liveDeployId).then((result) => report(result, published)),
        };

  return {
    publish: async (deployId) => {
      const place = { project, deploy: deployId };
      const compared = await call("GET /projects/:project/deploys/:deploy/diff", place);
      if (!compared.ok) {
        onOutcome(compared.failure);
        return undefined;
      }
      const how = await askAboutGone(compared.value.gone);
      if (how === "not") return undefined;
      const result = await activate(deployId, how === "add");
      report(result, published, undo);
      return result.ok ? result.value : undefined;
    },
    rollBack: async () => {
      if (!(await confirm(text.rollBack))) return;
      const result = await call("POST /projects/:project/rollback", { project, body: {} });
      report(result, (deploy) => text.rollBack.done(nameOfDeploy(deploy)), undo);
    },
    starter: async () => {
      if (liveDeployId !== undefined && !(await confirm(text.starter))) return;
      report(await publishStarter(project), published, undo);
    },
    pin: async ({ id, pinned }) => {
      const result = await call("PATCH /projects/:project/deploys/:deploy", {
        project,
        deploy: id,
        body: { pinned: !pinned },
      });
      report(result, () => (pinned ? text.nowUnpinned : text.nowPinned));
    },
    remove: async ({ id }) => {
      if (await confirm(text.delete, "", { look: "danger" }))
        report(
          await call("DELETE /projects/:project/deploys/:deploy", { project, deploy: id }),
          () => text.delete.done,
        );
    },
  };
}
