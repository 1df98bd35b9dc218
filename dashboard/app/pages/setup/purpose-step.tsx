import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import { planLimits } from "../../../../lib/model/account.ts";
import { siteLanguages, type SiteLanguage } from "../../../../lib/publishing/model/project.ts";
import { Button } from "../../components/button.tsx";
import { RadioField } from "../../components/choice.tsx";
import { Refusal } from "../../components/feedback.tsx";
import { bound, SelectField, TextField } from "../../components/field.tsx";
import { useAttempt } from "../../components/form.tsx";
import { useUnsaved } from "../../components/unsaved.ts";
import { Card } from "../../components/page.tsx";
import { enterAccount, reloadAccounts } from "../../state/account.ts";
import { number } from "../../words/format.ts";
import { setupWords } from "./words.ts";
import { language, words } from "../../words/words.ts";
import {
  makeAccount,
  makeSample,
  makeShelter,
  type Purpose,
  type Shelter,
} from "./make-shelter.ts";
import { StepHead } from "./steps.tsx";

const purposes = ["shelter", "sample", "embed"] as const;

/** Plans with fixed limits. */
const offered = ["free", "pro", "business"] as const;

/** Each language in its own words. */
const LANGUAGES: Readonly<Record<SiteLanguage, string>> = {
  en: "English",
  de: "Deutsch",
  es: "Español",
  fr: "Français",
};

/** Creates what the user wants to start with. */
export function PurposeStep({ onDone }: { readonly onDone: (made: Shelter) => void }): JSX.Element {
  const purpose = useSignal<Purpose>("shelter");
  const name = useSignal("");
  const spoken = useSignal<SiteLanguage>(language());
  const plan = useSignal<(typeof offered)[number]>("pro");
  const { busy, problem, run } = useAttempt();
  const { purpose: text } = setupWords.words();
  useUnsaved(name.value !== "");
  const { common } = words();

  const make = (): Promise<void> => {
    const wanted = { name: name.value, plan: plan.value };
    const makers = {
      sample: makeSample,
      shelter: () => makeShelter({ ...wanted, language: spoken.value }),
      embed: () => makeAccount(wanted),
    };
    return run(makers[purpose.value], (made) => {
      name.value = "";
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
              {purpose.value === "shelter" ? (
                <SelectField
                  label={text.language}
                  hint={text.languageHint}
                  options={siteLanguages.map((value) => ({ value, label: LANGUAGES[value] }))}
                  {...bound(spoken)}
                />
              ) : (
                <SelectField
                  label={text.plan}
                  hint={text.planHint}
                  options={offered.map((value) => {
                    const { perMinute, perDay } = planLimits[value];
                    const label = text.planOf(
                      common.plans[value],
                      number(perMinute),
                      number(perDay),
                    );
                    return { value, label };
                  })}
                  {...bound(plan)}
                />
              )}
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
