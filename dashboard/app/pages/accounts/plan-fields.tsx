import type { JSX } from "preact";

import { planLimits, plans } from "../../../../lib/model/account.ts";
import { SelectField, TextField } from "../../components/field.tsx";
import { administrationWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";
import { limitIn, type PlanChoice } from "./plan-choice.ts";

/** Which plan, and for Enterprise the numbers that were agreed upon. */
export function PlanFields({
  label,
  value,
  onInput,
}: {
  readonly label: string;
  readonly value: PlanChoice;
  readonly onInput: (value: PlanChoice) => void;
}): JSX.Element {
  const { accounts } = administrationWords.words();
  const { form } = accounts;
  const { common } = words();
  const fault = (text: string): string | undefined =>
    text !== "" && limitIn(text) === undefined ? form.limitFault : undefined;
  return (
    <>
      <SelectField
        label={label}
        value={value.plan}
        options={plans.map((plan) => {
          const { perMinute, perDay } =
            plan === "enterprise" ? { perMinute: undefined, perDay: undefined } : planLimits[plan];
          const numbers =
            perMinute === undefined
              ? accounts.agreed
              : `${accounts.perMinute(perMinute)}, ${accounts.perDay(perDay)}`;
          return { value: plan, label: `${common.plans[plan]} (${numbers})` };
        })}
        onInput={(plan) => {
          onInput({ ...value, plan });
        }}
      />
      {value.plan === "enterprise" && (
        <div class="tiles">
          {(["perMinute", "perDay"] as const).map((name) => (
            <TextField
              key={name}
              label={form[name]}
              hint={form.limitsHint}
              fault={fault(value[name])}
              value={value[name]}
              literal
              required
              onInput={(text) => {
                onInput({ ...value, [name]: text });
              }}
            />
          ))}
        </div>
      )}
    </>
  );
}
