import type { FunctionComponent, JSX } from "preact";

import type { LimitsView } from "../../../../lib/accounts/limits.ts";
import { SECOND_MS, systemClock } from "../../../../lib/base/clock.ts";
import type { Account } from "../../../../lib/model/account.ts";
import { usagePeriods, type UsagePeriod, type UsageRow } from "../../../../lib/model/usage.ts";
import { call, listAll } from "../../api.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Environments } from "../../components/choice.tsx";
import { Bones, Loaded, Notice, Refusal } from "../../components/feedback.tsx";
import { Card, Page } from "../../components/page.tsx";
import { inAccount } from "../../state/in-account.tsx";
import { isOperator } from "../../state/me.ts";
import { inEnvironment, useEnvironment, useQuery } from "../../state/query.ts";
import { usePolling, useResource } from "../../state/resource.ts";
import { keysWords } from "../keys/words.ts";
import { usageWords } from "./words.ts";
import { words } from "../../words/words.ts";
import { WindowMeters } from "../keys/window-meters.tsx";
import { paceOf, spentOf, sumOf, type Pace } from "./numbers.ts";
import { Requests, Shares } from "./requests.tsx";

const POLL_MS = 10 * SECOND_MS;

/** An account's API requests and its limits. */
export const Usage: FunctionComponent<{ readonly account: string }> = inAccount(
  keysWords.within(usageWords.within(AccountUsage)),
);

function AccountUsage({ account }: { readonly account: Account }): JSX.Element {
  const usage = usageWords.words();
  const environment = useEnvironment();
  const [query] = useQuery();
  const by = usagePeriods.find((one) => one === query["by"]) ?? "minute";
  const key = query["key"];

  const id = account.id;
  const rowsOf = (period: UsagePeriod, ofKey?: string) =>
    listAll("GET /accounts/:account/usage", {
      account: id,
      query: { by: period, environment, key: ofKey },
    });
  const place = `${account.id} ${environment}`;
  const keys = useResource(account.id, () =>
    listAll("GET /accounts/:account/keys", { account: id }),
  );
  const limits = useResource(place, () =>
    call("GET /accounts/:account/:environment/limits", { account: id, environment }),
  );
  const lastHour = useResource(place, () => rowsOf("minute"));
  const rows = useResource(`${place} ${by} ${key ?? ""}`, () => rowsOf(by, key));
  usePolling(POLL_MS, () =>
    Promise.all([limits.reload(), lastHour.reload(), rows.reload(), keys.reload()]),
  );

  // The limits change the height of their card: what stands below appears with them.
  const known =
    (limits.value ?? limits.problem) !== undefined &&
    (lastHour.value ?? lastHour.problem) !== undefined;
  const ofEnvironment = keys.value?.filter((one) => one.environment === environment) ?? [];
  return (
    <Page
      title={usage.title}
      about={usage.about}
      actions={
        <>
          <ButtonLink href={`/accounts/${id}/requests${inEnvironment(environment)}`}>
            {usage.toRequests}
          </ButtonLink>
          <Environments />
        </>
      }
    >
      <Refusal problem={limits.problem} onRetry={() => void limits.reload()} />
      <Card title={usage.used}>
        {known ? (
          <>
            <WindowMeters limits={limits.value} />
            <PaceOfDay limits={limits.value} lastHour={lastHour.value} />
          </>
        ) : (
          <Bones lines={4} />
        )}
      </Card>
      <Loaded resource={{ ...rows, value: known ? rows.value : undefined }} lines={10}>
        {(value) => (
          <>
            <Requests account={account} rows={value} by={by} keys={ofEnvironment} />
            <Shares rows={value} keys={ofEnvironment} />
          </>
        )}
      </Loaded>
      {/* Appears after what stands above it, so that it does not move. */}
      {known && rows.value !== undefined && <PlanCard account={account} />}
    </Page>
  );
}

/** Forecasts the use of the daily limit, and warns if it will not last. */
function PaceOfDay({
  limits,
  lastHour,
}: {
  readonly limits: LimitsView | undefined;
  /** The usage of all keys by minute. */
  readonly lastHour: readonly UsageRow[] | undefined;
}): JSX.Element {
  const usage = usageWords.words();
  const { common } = words();
  if (limits?.countBy === "key") return <p class="soft">{usage.byKeyEach}</p>;
  const day = limits?.windows.find(({ name }) => name === "day");
  if (day === undefined || lastHour === undefined) return <p class="soft">{common.loading}</p>;
  const pace = paceOf(day, spentOf(sumOf(lastHour)), systemClock.now());
  if (pace.kind === "idle" || pace.kind === "lasts") return <p class="soft">{textOf(pace)}</p>;
  return (
    <Notice tone={pace.kind === "used_up" ? "bad" : "warn"} live="status">
      <p>{textOf(pace)}</p>
    </Notice>
  );
}

function textOf(pace: Pace): string {
  const { paces } = usageWords.words();
  switch (pace.kind) {
    case "idle":
      return paces.idle;
    case "used_up":
      return paces.usedUp(pace.resetAt);
    case "reached":
      return paces.reached(pace.at);
    case "lasts":
      return paces.lasts(pace.share);
  }
}

/** The limits of the plan, and how to raise them. */
function PlanCard({ account }: { readonly account: Account }): JSX.Element {
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
