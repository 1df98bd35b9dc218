import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import { planLimits } from "../../../../lib/model/account.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/page.tsx";
import { SelectField, TextField, bound } from "../../components/field.tsx";
import { Refusal } from "../../components/feedback.tsx";
import { RadioField } from "../../components/choice.tsx";
import { enterAccount, reloadAccounts } from "../../state/account.ts";
import { useAttempt } from "../../components/form.tsx";
import { number } from "../../words/format.ts";
import { setupWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";
import {
  makeAccount,
  makeSample,
  makeShelter,
  type Purpose,
  type Shelter,
} from "./make-shelter.ts";
import { StepHead } from "./steps.tsx";

const purposes = ["sample", "shelter", "embed"] as const;

/** Those whose numbers need not be agreed upon. */
const offered = ["free", "pro", "business"] as const;

/** What somebody wants to begin with: makes it. */
export function PurposeStep({ onDone }: { readonly onDone: (made: Shelter) => void }): JSX.Element {
  const purpose = useSignal<Purpose>("sample");
  const name = useSignal("");
  const plan = useSignal<(typeof offered)[number]>("pro");
  const { busy, problem, run } = useAttempt();
  const { purpose: say } = setupWords.words();
  const { common } = words();

  const make = (): Promise<void> => {
    const wanted = { name: name.value, plan: plan.value };
    const makers = {
      sample: makeSample,
      shelter: () => makeShelter(wanted),
      embed: () => makeAccount(wanted),
    };
    return run(makers[purpose.value], (made) => {
      enterAccount(made.accountId);
      void reloadAccounts();
      onDone(made);
    });
  };

  return (
    <>
      <StepHead title={say.title}>{say.about}</StepHead>
      <Card>
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            void make();
          }}
        >
          <RadioField
            label={say.label}

            options={purposes.map((value) => ({
              value,
              label: say[value],
              hint: say[`${value}Hint`],
            }))}
            {...bound(purpose)}
          />
          {purpose.value !== "sample" && (
            <>
              <TextField
                label={purpose.value === "shelter" ? say.shelterName : say.embedName}
                required
                maxLength={120}

                {...bound(name)}
              />
              <SelectField
                label={say.plan}
                hint={say.planHint}

                options={offered.map((value) => {
                  const { perMinute, perDay } = planLimits[value];
                  const label = say.planOf(common.plans[value], number(perMinute), number(perDay));
                  return { value, label };
                })}
                {...bound(plan)}
              />
            </>
          )}
          <Refusal problem={problem} />
          <div class="row">
            <Button look="primary" type="submit" busy={busy}>
              {say.action}
            </Button>
          </div>
        </form>
      </Card>
    </>
  );
}
