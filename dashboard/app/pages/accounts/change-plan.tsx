import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import type { Account } from "../../../../lib/model/account.ts";
import { at, send } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/page.tsx";
import { confirm } from "../../components/dialog.tsx";
import { Notice, Refusal } from "../../components/feedback.tsx";
import { toast } from "../../components/toasts.tsx";
import { reloadAccounts } from "../../state/account.ts";
import { useAttempt } from "../../components/form.tsx";
import { bound } from "../../components/field.tsx";
import { administrationWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";
import { choiceOf, planIn, type PlanChoice } from "./plan-choice.ts";
import { effectsOf, type PlanEffects } from "./plan-effects.ts";
import { PlanFields } from "./plan-fields.tsx";

/** Lets an operator give the account another plan, and tells beforehand what that changes. */
export function ChangePlan({ account }: { readonly account: Account }): JSX.Element {
  const { page } = administrationWords.words().accounts;
  const { common } = words();
  const choice = useSignal<PlanChoice>(choiceOf(account));
  const attempt = useAttempt();
  const next = planIn(choice.value);
  const effects = next === undefined ? undefined : effectsOf(account, next);

  const change = async (): Promise<void> => {
    if (next === undefined || effects === undefined) return;
    const sure =
      effects.domains !== "loses" ||
      (await confirm({
        title: page.loseTitle,
        text: page.losesDomains,
        action: page.change,
        look: "danger",
      }));
    if (!sure) return;
    await attempt.run(
      () => send<Account>("PATCH", at`/accounts/${account.id}`, next),
      ({ plan }) => {
        toast(page.changed(common.plans[plan]));
        void reloadAccounts();
      },
    );
  };
  return (
    <Card title={page.planAndLimits}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void change();
        }}
      >
        <PlanFields label={page.plan} {...bound(choice)} />
        {effects !== undefined && <Effects effects={effects} />}
        <Refusal problem={attempt.problem} />
        <div>
          <Button type="submit" busy={attempt.busy} disabled={effects === undefined}>
            {page.change}
          </Button>
        </div>
      </form>
    </Card>
  );
}

function Effects({ effects: { limits, domains } }: { readonly effects: PlanEffects }): JSX.Element {
  const { page } = administrationWords.words().accounts;
  return (
    <Notice tone={domains === "loses" ? "warn" : "plain"} live="status">
      <h3>{page.atOnce}</h3>
      {limits !== undefined && <p>{page.limits(limits.from, limits.to)}</p>}
      {domains === "gains" && <p>{page.gainsDomains}</p>}
      {domains === "loses" && <p>{page.losesDomains}</p>}
      <p>{page.nothingElse}</p>
    </Notice>
  );
}
