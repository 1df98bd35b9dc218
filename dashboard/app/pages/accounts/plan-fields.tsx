import type { JSX } from "preact";

import { planLimits, plans, type Plan } from "../../../../lib/model/account.ts";
import { SelectField, TextField, type Bound } from "../../components/field.tsx";
import { administrationWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";
import { limitIn, type PlanChoice } from "./plan-rules.ts";

/** Chooses a plan and, for Enterprise, the limits agreed upon. */
export function PlanFields({
  label,
  value,
  onInput,
}: Bound<PlanChoice> & { readonly label: string }): JSX.Element {
  const { accounts } = administrationWords.words();
  const { form } = accounts;
  const { common } = words();
  const labelOf = (plan: Plan): string => {
    const name = common.plans[plan];
    if (plan === "enterprise") return name;
    const { perMinute, perDay } = planLimits[plan];
    return `${name} (${accounts.perMinute(perMinute)}, ${accounts.perDay(perDay)})`;
  };
  return (
    <>
      <SelectField
        label={label}
        value={value.plan}
        options={plans.map((plan) => ({ value: plan, label: labelOf(plan) }))}
        onInput={(plan) => onInput({ ...value, plan })}
      />
      {value.plan === "enterprise" && (
        <div class="tiles">
          {(["perMinute", "perDay"] as const).map((name) => (
            <TextField
              key={name}
              label={form[name]}
              hint={form.limitsHint}
              fault={
                value[name] !== "" && limitIn(value[name]) === undefined
                  ? form.limitFault
                  : undefined
              }
              value={value[name]}
              literal
              required
              onInput={(text) => onInput({ ...value, [name]: text })}
            />
          ))}
        </div>
      )}
    </>
  );
}
