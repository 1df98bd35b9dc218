import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import type { Deploy } from "../../../../lib/publishing/model/deploy.ts";
import { at, get, type Problem } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Loaded, Refusal } from "../../components/feedback.tsx";
import { type InProject, inProject } from "../../state/in-account.tsx";
import { useLive } from "../../state/live.ts";
import { mayChange } from "../../state/me.ts";
import { useResource } from "../../state/resource.ts";
import { deploysWords } from "../../words/late.tsx";
import { deployActions } from "./deploy-actions.ts";
import { DeployList, LiveCard } from "./deploys.tsx";
import { PROJECT_EVENTS, projectOf } from "./events.ts";
import { ProjectPage } from "./project-page.tsx";
import { SendSite } from "./upload/send-site.tsx";

/** What is live of a project, how to send something new, and everything that was sent. */
export const ProjectDeploys = inProject(deploysWords.within(Deploys));

function Deploys({ project, reload }: InProject): JSX.Element {
  const { id, accountId, liveDeployId, deletedAt } = project;
  const problem = useSignal<Problem | undefined>(undefined);
  const listed = useResource(id, () =>
    get<readonly Deploy[]>(at`/projects/${id}/deploys`, { limit: 200 }),
  );
  const lookAgain = async (): Promise<void> => {
    await Promise.all([reload(), listed.reload()]);
  };
  useLive({
    path: at`/accounts/${accountId}/events`,
    events: PROJECT_EVENTS,
    onEvent: (_, event) => {
      if (projectOf(event) === id) void lookAgain();
    },
    poll: lookAgain,
  });
  const actions = deployActions(project, (refusal) => {
    problem.value = refusal;
    void lookAgain();
  });

  if (deletedAt !== undefined)
    return (
      <ProjectPage project={project} reload={reload}>
        {null}
      </ProjectPage>
    );
  // Before anything is published, there is no site to open.
  const starter = project.liveDeploy === undefined && mayChange.value && (
    <Button look="primary" onClick={() => void actions.starter()}>
      {deploysWords.words().starter}
    </Button>
  );
  return (
    <ProjectPage project={project} reload={reload} {...(starter && { actions: starter })}>
      <Refusal problem={problem.value} />
      {/* Whether there is something to go back to is known from the list: they come together, or buttons would be late. */}
      <Loaded resource={listed} lines={12}>
        {(all) => (
          <>
            <LiveCard
              project={project}
              actions={actions}
              canRollBack={all.some(
                ({ id: one, state }) => one !== liveDeployId && state === "superseded",
              )}
            />
            {mayChange.value && (
              <SendSite
                project={project}
                onChange={() => void lookAgain()}
                onPublish={(deployId) => void actions.publish(deployId)}
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
