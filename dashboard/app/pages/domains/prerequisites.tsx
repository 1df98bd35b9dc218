import type { ComponentChildren, JSX } from "preact";

import type { ProjectView } from "../../../../lib/publishing/shapes/projects.ts";
import { AWAY, Button, ButtonLink } from "../../components/button.tsx";
import { Refusal } from "../../components/feedback.tsx";
import { useAttempt } from "../../components/form.tsx";
import { Icon, type IconName } from "../../components/icon.tsx";
import { Card } from "../../components/page.tsx";
import { toast } from "../../components/toasts.tsx";
import { isOperator, mayChange } from "../../state/me.ts";
import { relative } from "../../words/format.ts";
import { domainWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";
import { publishStarter } from "../projects/project-page.tsx";
import type { PrerequisiteStates } from "./list-rules.ts";

type State = "met" | "unmet" | "yours";

const ICONS: Readonly<Record<State, IconName>> = { met: "check", unmet: "cross", yours: "info" };

/** The prerequisites for a domain, with links to what is missing. */
export function Prerequisites({
  states: { account, plan, deploy },
  project,
  onDeployed,
}: {
  readonly states: PrerequisiteStates;
  readonly project: ProjectView;
  readonly onDeployed: () => Promise<void>;
}): JSX.Element {
  const { view } = domainWords.words();
  const { common } = words();
  const planName = account === undefined ? "" : common.plans[account.plan];
  const suspended = account?.suspendedAt !== undefined;
  const deployedAt = project.liveDeploy?.activatedAt;
  const { busy, problem, run } = useAttempt();
  const publish = (): void => {
    void run(
      () => publishStarter(project.id),
      () => {
        toast(view.starterDone);
        void onDeployed();
      },
    );
  };
  return (
    <Card title={view.readyTitle}>
      <p>{view.readyText}</p>
      <ul class="gates">
        <Gate name={view.ready.plan} state={plan ? "met" : "unmet"}>
          <p>
            {suspended ? view.suspended : plan ? view.planMet(planName) : view.planUnmet(planName)}
          </p>
          {!plan && !suspended && (
            <>
              {!isOperator.value && <p class="soft">{view.planAsk}</p>}
              <ButtonLink small href={`/accounts/${project.accountId}`}>
                {isOperator.value ? view.planChange : view.planAction}
              </ButtonLink>
            </>
          )}
        </Gate>
        <Gate name={view.ready.dns} state="yours">
          <p>{view.dnsText}</p>
          <a href="/help/custom-domains" {...AWAY}>
            {view.dnsAction}
          </a>
        </Gate>
        <Gate name={view.ready.deploy} state={deploy ? "met" : "unmet"}>
          <p>
            {deploy
              ? deployedAt !== undefined && view.deployMet(relative(deployedAt))
              : view.deployUnmet}
          </p>
          {!deploy && (
            <>
              <div class="row">
                {mayChange.value && (
                  <Button small busy={busy} onClick={publish}>
                    {view.starterAction}
                  </Button>
                )}
                <a href={`/projects/${project.slug}`}>{view.deployAction}</a>
              </div>
              <Refusal problem={problem} />
            </>
          )}
        </Gate>
      </ul>
    </Card>
  );
}

function Gate({
  name,
  state,
  children,
}: {
  readonly name: string;
  readonly state: State;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { view } = domainWords.words();
  return (
    <li class={state}>
      <Icon name={ICONS[state]} />
      <div class="stack tight">
        <h3>
          {name} <span class="soft small">({view.readyStates[state]})</span>
        </h3>
        {children}
      </div>
    </li>
  );
}
