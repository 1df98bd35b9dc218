import type { JSX } from "preact";

import { Button, ButtonLink } from "../../components/button.tsx";
import { Card } from "../../components/page.tsx";
import { Icon } from "../../components/icon.tsx";
import type { OverviewWords } from "../../words/en/overview.ts";
import { overviewWords } from "../../words/late.tsx";
import type { Step, StepName } from "./steps.ts";

/** What is still to be done before strangers find the animals; it can be put away. */
export function StepsCard({
  steps,
  hrefs,
  onHide,
}: {
  readonly steps: readonly Step[];
  readonly hrefs: Readonly<Record<StepName, string>>;
  readonly onHide: () => void;
}): JSX.Element {
  const said = overviewWords.words();
  return (
    <Card
      title={said.steps}
      bare
      actions={
        <Button small look="quiet" onClick={onHide}>
          {said.hideSteps}
        </Button>
      }
    >
      <ol class="first-steps">
        {steps.map(({ name, done, next }, index) => {
          const { title, text, action } = wordsOf(said)[name];
          return (
            <li key={name} class={done ? "done" : next ? "next" : ""}>
              <span class="mark-of-step">
                {done ? (
                  <>
                    <Icon name="check" />
                    <span class="out-of-sight">{said.stepDone}</span>
                  </>
                ) : (
                  index + 1
                )}
              </span>
              <div>
                <h3>{title}</h3>
                {!done && <p class="soft">{text}</p>}
              </div>
              {!done && (
                <ButtonLink small href={hrefs[name]}>
                  {action}
                </ButtonLink>
              )}
            </li>
          );
        })}
      </ol>
    </Card>
  );
}

interface StepWords {
  readonly title: string;
  readonly text: string;
  readonly action: string;
}

function wordsOf(said: OverviewWords): Readonly<Record<StepName, StepWords>> {
  return {
    animals: {
      title: said.stepAnimals,
      text: said.stepAnimalsText,
      action: said.stepAnimalsAction,
    },
    site: { title: said.stepSite, text: said.stepSiteText, action: said.stepSiteAction },
    key: { title: said.stepKey, text: said.stepKeyText, action: said.stepKeyAction },
    domain: { title: said.stepDomain, text: said.stepDomainText, action: said.stepDomainAction },
  };
}
