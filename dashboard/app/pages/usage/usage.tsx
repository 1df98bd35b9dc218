import type { FunctionComponent } from "preact";

import type { KeyView, LimitsView } from "../../../../lib/actions/local-client.ts";
import { SECOND_MS } from "../../../../lib/base/clock.ts";
import { usagePeriods, type UsageRow } from "../../../../lib/model/usage.ts";
import { at, get, getAll } from "../../api.ts";
import { Bones, Loaded, Refusal } from "../../components/feedback.tsx";
import { Card, Page } from "../../components/page.tsx";
import { Environments } from "../../components/choice.tsx";
import { useEnvironment, useQuery } from "../../state/query.ts";
import { inAccount } from "../../state/in-account.tsx";
import { usePolling, useResource } from "../../state/resource.ts";
import { usageWords } from "../../words/late.tsx";
import { WindowMeters } from "../keys/window-meters.tsx";
import { PaceOfDay } from "./pace-of-day.tsx";
import { PlanAllows } from "./plan-allows.tsx";
import { Requests } from "./requests.tsx";
import { Shares } from "./shares.tsx";

const POLL_MS = 10 * SECOND_MS;

/** How much an account asks of the API, beside what its plan allows. */
export const Usage: FunctionComponent<{ readonly account: string }> = inAccount(
  usageWords.within(({ account }) => {
    const usage = usageWords.words();
    const environment = useEnvironment();
    const [query] = useQuery();
    const by = usagePeriods.find((one) => one === query["by"]) ?? "minute";
    const key = query["key"];

    const rowsOf = (period: string, keyId?: string): ReturnType<typeof getAll<UsageRow>> =>
      getAll(at`/accounts/${account.id}/usage`, { by: period, environment, key: keyId });
    const place = `${account.id} ${environment}`;
    const keys = useResource(account.id, () => getAll<KeyView>(at`/accounts/${account.id}/keys`));
    const limits = useResource(place, () =>
      get<LimitsView>(at`/accounts/${account.id}/${environment}/limits`),
    );
    const lastHour = useResource(place, () => rowsOf("minute"));
    const rows = useResource(`${place} ${by} ${key ?? ""}`, () => rowsOf(by, key));
    usePolling(POLL_MS, () =>
      Promise.all([limits.reload(), lastHour.reload(), rows.reload(), keys.reload()]),
    );

    // What is used up has a height of its own: it comes before what stands below it.
    const known =
      (limits.value ?? limits.problem) !== undefined &&
      (lastHour.value ?? lastHour.problem) !== undefined;
    const ofEnvironment = keys.value?.filter((one) => one.environment === environment) ?? [];
    return (
      <Page title={usage.title} about={usage.about} actions={<Environments />}>
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
        {/* Where it stands is known when what is above it is. */}
        {known && rows.value !== undefined && <PlanAllows account={account} />}
      </Page>
    );
  }),
);
