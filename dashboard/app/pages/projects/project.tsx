import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import { at, call, type Problem } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Loaded, Refusal } from "../../components/feedback.tsx";
import { type InProject, inProject } from "../../state/in-account.tsx";
import { useLive } from "../../state/live.ts";
import { mayChange } from "../../state/me.ts";
import { useResource } from "../../state/resource.ts";
import { deploysWords } from "./deploys-words.ts";
import { deployActions } from "./deploy-actions.ts";
import { DeployList, LiveCard } from "./deploys.tsx";
import { PROJECT_EVENTS, projectOf } from "./events.ts";
import { GoneQuestion } from "./gone.tsx";
import { ProjectPage } from "./project-page.tsx";
import { SendSite } from "./upload/send-site.tsx";

/** The live deploy of a project, the upload of a site and the list of deploys. */
export const ProjectDeploys = inProject(deploysWords.within(Deploys));

function Deploys({ project, reload }: InProject): JSX.Element {
  const { id, accountId, liveDeployId, deletedAt } = project;
  const problem = useSignal<Problem | undefined>(undefined);
  const listed = useResource(id, () =>
    call("GET /projects/:project/deploys", { project: id, query: { limit: 200 } }),
  );
  const reloadAll = async (): Promise<void> => {
    await Promise.all([reload(), listed.reload()]);
  };
  useLive({
    path: at`/accounts/${accountId}/events`,
    events: PROJECT_EVENTS,
    onEvents: (events) => {
      if (events.some(({ data }) => projectOf(data) === id)) void reloadAll();
    },
    poll: reloadAll,
  });
  const actions = deployActions(project, (refusal) => {
    problem.value = refusal;
    void reloadAll();
  });

  if (deletedAt !== undefined)
    return (
      <ProjectPage project={project} reload={reload}>
        {null}
      </ProjectPage>
    );
  // Without a live deploy there is no site to open.
  const starter = project.liveDeploy === undefined && mayChange.value && (
    <Button look="primary" onClick={() => void actions.starter()}>
      {deploysWords.words().starter.action}
    </Button>
  );
  return (
    <ProjectPage project={project} reload={reload} {...(starter && { actions: starter })}>
      <Refusal problem={problem.value} />
      <GoneQuestion />
      {/* The rollback button depends on the list, so the cards appear together. */}
      <Loaded resource={listed} lines={12}>
        {(all) => (
          <>
            <LiveCard
              project={project}
              actions={actions}
              onChange={() => void reloadAll()}
              canRollBack={all.some(
                ({ id: one, state }) => one !== liveDeployId && state === "superseded",
              )}
            />
            {mayChange.value && (
              <SendSite
                project={project}
                onChange={() => void reloadAll()}
                publish={(deployId) => actions.publish(deployId)}
                onStarter={() => void actions.starter()}
              />
            )}
            <DeployList project={project} deploys={all} actions={actions} />
          </>
        )}
      </Loaded>
    </ProjectPage>
  );
}
