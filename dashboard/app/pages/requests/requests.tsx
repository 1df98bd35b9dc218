import { useSignal } from "@preact/signals";
import type { FunctionComponent, JSX } from "preact";

import type { KeyView } from "../../../../lib/accounts/keys.ts";
import { DAY_MS, isoTime, SECOND_MS, systemClock } from "../../../../lib/base/clock.ts";
import type { Account } from "../../../../lib/model/account.ts";
import { call, listAll, type Output } from "../../api.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Environments } from "../../components/choice.tsx";
import { Empty, Notice } from "../../components/feedback.tsx";
import { bound, TextField } from "../../components/field.tsx";
import { Badge } from "../../components/indicators.tsx";
import { FilterSelect, Listed } from "../../components/list.tsx";
import { Card, Page } from "../../components/page.tsx";
import { Table } from "../../components/table.tsx";
import { inAccount } from "../../state/in-account.tsx";
import { listPage, usePages } from "../../state/pages.ts";
import { inEnvironment, type Query, useEnvironment, useQuery } from "../../state/query.ts";
import { usePolling, useResource } from "../../state/resource.ts";
import { keysWords } from "../keys/words.ts";
import { prefixOf } from "../keys/rules.ts";
import { RequestDialog } from "./request-dialog.tsx";
import { toneOf } from "./status.ts";
import { requestsWords } from "./words.ts";

export type LoggedRequest = Output<"GET /accounts/:account/requests">[number];

const POLL_MS = 10 * SECOND_MS;
const PAGE = 50;
/** The days whose counts say whether the log is a sample. */
const RECENT_MS = 7 * DAY_MS;

/** The log of an account's API requests. */
export const RequestLog: FunctionComponent<{ readonly account: string }> = inAccount(
  keysWords.within(requestsWords.within(AccountRequests)),
);

function AccountRequests({ account }: { readonly account: Account }): JSX.Element {
  const text = requestsWords.words();
  const environment = useEnvironment();
  const [query, change] = useQuery();
  const { id } = account;
  const status = statusIn(query);
  const { key, operation } = query;
  const filter = { environment, status, key, operation };
  const place = `${id} ${environment}`;
  const list = usePages(JSON.stringify([id, filter]), (next) =>
    listPage("GET /accounts/:account/requests", {
      account: id,
      query: { ...filter, limit: PAGE, ...next },
    }),
  );
  const keys = useResource(id, () => listAll("GET /accounts/:account/keys", { account: id }));
  const days = useResource(id, () => call("GET /accounts/:account/requests/days", { account: id }));
  const used = useResource(place, () =>
    listAll("GET /accounts/:account/usage", {
      account: id,
      query: { by: "day", environment, from: isoTime(systemClock.now() - RECENT_MS) },
    }),
  );
  // They change the height and the width of what is shown: all of it appears together.
  const settled = [keys, days, used].every(
    ({ value, problem }) => (value ?? problem) !== undefined,
  );
  usePolling(POLL_MS, async () => {
    // A user who has loaded more keeps their place.
    if ((list.items?.length ?? 0) <= PAGE) await list.reload();
  });
  const isFiltered = (status ?? key ?? operation) !== undefined;
  return (
    <Page
      title={text.title}
      about={text.about}
      actions={
        <>
          <ButtonLink href={`/accounts/${id}/usage${inEnvironment(environment)}`}>
            {text.toUsage}
          </ButtonLink>
          <Environments />
        </>
      }
    >
      <Card>
        <Search onFind={(request) => change({ request })} />
      </Card>
      {settled && <Sampled days={days.value ?? []} />}
      <Card bare>
        {settled && (
          <Filters
            keys={(keys.value ?? []).filter((one) => one.environment === environment)}
            used={new Set((used.value ?? []).map((row) => row.operation))}
          />
        )}
        <Listed
          list={settled ? list : { ...list, items: undefined }}
          lines={8}
          empty={
            isFiltered ? (
              <Empty title={text.noneFound}>{text.noneFoundText}</Empty>
            ) : (
              <Empty title={text.empty}>{text.emptyText}</Empty>
            )
          }
          count={text.shown}
        >
          {(items) => (
            <RequestTable
              items={items}
              keys={keys.value ?? []}
              onOpen={(request) => change({ request })}
            />
          )}
        </Listed>
      </Card>
      {query["request"] !== undefined && (
        <RequestDialog
          key={query["request"]}
          accountId={id}
          id={query["request"]}
          onClose={() => change({ request: undefined })}
        />
      )}
    </Page>
  );
}

const STATUSES = ["2xx", "3xx", "4xx", "429", "5xx"] as const;

/** Reads the filter from the address and ignores invalid values. */
function statusIn({ status }: Query): (typeof STATUSES)[number] | undefined {
  return STATUSES.find((one) => one === status);
}

/** Finds a request by the ID that its client saw. */
function Search({ onFind }: { readonly onFind: (id: string) => void }): JSX.Element {
  const text = requestsWords.words();
  const typed = useSignal("");
  return (
    <form
      class="stack"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const id = typed.value.trim();
        if (id !== "") onFind(id);
      }}
    >
      <TextField
        label={text.search}
        hint={text.searchHint}
        type="search"
        maxLength={100}
        literal
        {...bound(typed)}
      />
      <div class="row">
        <Button type="submit">{text.find}</Button>
      </div>
    </form>
  );
}

/** Says that the log is a sample, if it is one. */
function Sampled({
  days,
}: {
  readonly days: Output<"GET /accounts/:account/requests/days">;
}): JSX.Element | null {
  const since = systemClock.now() - RECENT_MS;
  const recent = days.filter(({ at }) => at >= since);
  const answered = recent.reduce((sum, day) => sum + day.answered, 0);
  const logged = recent.reduce((sum, day) => sum + day.logged, 0);
  // Those of the last seconds wait to be stored.
  if (recent.every((day) => day.logged >= day.answered * NEARLY_ALL)) return null;
  return (
    <Notice>
      <p>{requestsWords.words().sampled(logged, answered)}</p>
    </Notice>
  );
}

const NEARLY_ALL = 0.99;

function Filters({
  keys,
  used,
}: {
  readonly keys: readonly KeyView[];
  /** The operations with requests. */
  readonly used: ReadonlySet<string>;
}): JSX.Element {
  const text = requestsWords.words();
  const [query, change] = useQuery();
  const { key, operation } = query;
  const status = statusIn(query);
  const operations = operation === undefined ? used : new Set([...used, operation]);
  return (
    <search class="filters">
      <FilterSelect
        label={text.status}
        all={text.anyStatus}
        value={status}
        options={STATUSES.map((value) => ({ value, label: text.statuses[value] }))}
        onChoose={(value) => change({ status: value })}
      />
      <FilterSelect
        label={text.key}
        all={text.anyKey}
        value={key}
        options={keys.map((one) => ({ value: one.id, label: nameOf(one) }))}
        onChoose={(value) => change({ key: value })}
      />
      <FilterSelect
        label={text.operation}
        all={text.anyOperation}
        value={operation}
        options={[...operations].toSorted().map((value) => ({
          value,
          label: value === "unknown" ? text.unknownOperation : value,
        }))}
        onChoose={(value) => change({ operation: value })}
      />
      {(status ?? key ?? operation) !== undefined && (
        <Button
          look="quiet"
          onClick={() => change({ status: undefined, key: undefined, operation: undefined })}
        >
          {text.clear}
        </Button>
      )}
    </search>
  );
}

function nameOf(key: KeyView): string {
  const { unnamed } = keysWords.words();
  return `${key.name === "" ? unnamed : key.name} (${prefixOf(key)})`;
}

function RequestTable({
  items,
  keys,
  onOpen,
}: {
  readonly items: readonly LoggedRequest[];
  readonly keys: readonly KeyView[];
  readonly onOpen: (id: string) => void;
}): JSX.Element {
  const text = requestsWords.words();
  const unnamed = keysWords.words().unnamed;
  const isSampled = items.some(({ represents }) => represents > 1);
  return (
    <Table
      label={text.title}
      columns={[
        { name: text.request, cell: "lead" },
        text.answer,
        text.key,
        text.when,
        { name: text.lasted, cell: "number" },
        ...(isSampled ? [{ name: text.sample, cell: "number" }] : []),
      ]}
      rows={items.map((request, index) => {
        const { id, at, method, path, query, status, code, durationMs, represents } = request;
        const { keyId, userId } = request;
        const key = keys.find((one) => one.id === keyId);
        const name = key?.name === "" ? unnamed : (key?.name ?? text.deletedKey);
        return {
          key: `${id} ${at} ${index}`,
          cells: [
            <button type="button" class="link" onClick={() => onOpen(id)}>
              <code>
                {method} {path}
                {query === "" ? "" : `?${query}`}
              </code>
            </button>,
            <span>
              <Badge tone={toneOf(status)}>{status}</Badge>{" "}
              {code !== null && <code class="soft">{code}</code>}
            </span>,
            <span translate={key === undefined && userId === null ? undefined : false}>
              {userId ?? name}
            </span>,
            <time dateTime={isoTime(at)}>{text.at(at)}</time>,
            text.milliseconds(durationMs),
            ...(isSampled ? [represents === 1 ? "" : text.times(represents)] : []),
          ],
        };
      })}
    />
  );
}
