import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import { planLimits } from "../../../../lib/model/account.ts";
import { Button } from "../../components/button.tsx";
import { RadioField } from "../../components/choice.tsx";
import { Refusal } from "../../components/feedback.tsx";
import { bound, SelectField, TextField } from "../../components/field.tsx";
import { useAttempt } from "../../components/form.tsx";
import { Card } from "../../components/page.tsx";
import { enterAccount, reloadAccounts } from "../../state/account.ts";
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

/** Plans with fixed limits. */
const offered = ["free", "pro", "business"] as const;

/** Creates what the user wants to start with. */
export function PurposeStep({ onDone }: { readonly onDone: (made: Shelter) => void }): JSX.Element {
  const purpose = useSignal<Purpose>("sample");
  const name = useSignal("");
  const plan = useSignal<(typeof offered)[number]>("pro");
  const { busy, problem, run } = useAttempt();
  const { purpose: text } = setupWords.words();
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
      <StepHead title={text.title}>{text.about}</StepHead>
      <Card>
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            void make();
          }}
        >
          <RadioField
            label={text.label}
            options={purposes.map((value) => ({
              value,
              label: text[value],
              hint: text[`${value}Hint`],
            }))}
            {...bound(purpose)}
          />
          {purpose.value !== "sample" && (
            <>
              <TextField
                label={purpose.value === "shelter" ? text.shelterName : text.embedName}
                required
                maxLength={120}
                {...bound(name)}
              />
              <SelectField
                label={text.plan}
                hint={text.planHint}
                options={offered.map((value) => {
                  const { perMinute, perDay } = planLimits[value];
                  const label = text.planOf(common.plans[value], number(perMinute), number(perDay));
                  return { value, label };
                })}
                {...bound(plan)}
              />
            </>
          )}
          <Refusal problem={problem} />
          <div class="row">
            <Button look="primary" type="submit" busy={busy}>
              {text.action}
            </Button>
          </div>
        </form>
      </Card>
    </>
  );
}
