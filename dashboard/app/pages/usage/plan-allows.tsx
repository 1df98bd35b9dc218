import type { JSX } from "preact";

import type { Account } from "../../../../lib/model/account.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Card } from "../../components/page.tsx";
import { isOperator } from "../../state/me.ts";
import { usageWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";

/** What the plan allows, and how to come by more. */
export function PlanAllows({ account }: { readonly account: Account }): JSX.Element {
  const usage = usageWords.words();
  const { common } = words();
  const { plan, limits } = account;
  return (
    <Card
      title={usage.plan(common.plans[plan])}
      actions={
        isOperator.value && (
          <ButtonLink small href={`/accounts/${account.id}`}>
            {usage.changePlan}
          </ButtonLink>
        )
      }
    >
      <p>{usage.allows(limits.perMinute, limits.perDay)}</p>
      <p>
        {usage.next[plan]} {!isOperator.value && usage.askOperator}
      </p>
      <p class="soft small">{usage.advice}</p>
    </Card>
  );
}
