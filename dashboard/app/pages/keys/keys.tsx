import { useSignal } from "@preact/signals";
import type { ComponentChildren, FunctionComponent, JSX } from "preact";

import type { KeyLimits, LimitsView } from "../../../../lib/accounts/limits.ts";
import type { KeyView } from "../../../../lib/accounts/keys.ts";
import { HOUR_MS, SECOND_MS, systemClock } from "../../../../lib/base/clock.ts";
import { done, type Result } from "../../../../lib/base/result.ts";
import { environments, type Account, type Environment } from "../../../../lib/model/account.ts";
import { defaultScopes, scopes as allScopes } from "../../../../lib/model/scope.ts";
import { call, listAll, type Problem } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Empty, Loaded } from "../../components/feedback.tsx";
import { act, actIfSure, useAttempt } from "../../components/form.tsx";
import { Icon } from "../../components/icon.tsx";
import { Badge, LastTime } from "../../components/indicators.tsx";
import { Menu, type MenuItem } from "../../components/menu.tsx";
import { Card, Page } from "../../components/page.tsx";
import { InSteps, Table } from "../../components/table.tsx";
import { Instant } from "../../components/time.tsx";
import { toast } from "../../components/toasts.tsx";
import { inAccount } from "../../state/in-account.tsx";
import { mayOwn } from "../../state/me.ts";
import { inEnvironment } from "../../state/query.ts";
import { usePolling, useResource } from "../../state/resource.ts";
import { date, number } from "../../words/format.ts";
import { keysWords } from "./words.ts";
import { problemText, words } from "../../words/words.ts";
import { KeyDialogs, type KeyDialog } from "./dialogs.tsx";
import { hasEnded, prefixOf, statusOf, type KeyStatus } from "./rules.ts";
import { WindowMeters } from "./window-meters.tsx";

const POLL_MS = 10 * SECOND_MS;

type Limits = Readonly<Record<Environment, LimitsView>>;

async function limitsOf(accountId: string): Promise<Result<Limits, Problem>> {
  const load = (environment: Environment): Promise<Result<LimitsView, Problem>> =>
    call("GET /accounts/:account/:environment/limits", { account: accountId, environment });
  const [production, staging] = await Promise.all([load("production"), load("staging")]);
  if (!production.ok) return production;
  if (!staging.ok) return staging;
  return done({ production: production.value, staging: staging.value });
}

/** The API keys of an account, by environment. */
export const Keys: FunctionComponent<{ readonly account: string }> = inAccount(
  keysWords.within(AccountKeys),
);

function AccountKeys({ account }: { readonly account: Account }): JSX.Element {
  const text = keysWords.words();
  const dialog = useSignal<KeyDialog | undefined>(undefined);
  const keys = useResource(account.id, () =>
    listAll("GET /accounts/:account/keys", { account: account.id }),
  );
  const limits = useResource(account.id, () => limitsOf(account.id));
  usePolling(POLL_MS, () => Promise.all([keys.reload(), limits.reload()]));
  // The limits change the height of what stands above the keys: both are shown together.
  const settled = limits.value !== undefined || limits.problem !== undefined;
  const open = (next: KeyDialog | undefined): void => {
    dialog.value = next;
  };
  return (
    <Page
      title={text.title}
      about={text.about(account.name)}
      actions={
        mayOwn.value && (
          <Button
            look="primary"
            onClick={() => open({ kind: "create", environment: "production" })}
          >
            <Icon name="plus" />
            {text.create}
          </Button>
        )
      }
    >
      <Loaded resource={{ ...keys, value: settled ? keys.value : undefined }} lines={8}>
        {(all) => (
          <>
            {environments.map((environment) => (
              <EnvironmentKeys
                key={environment}
                account={account}
                environment={environment}
                keys={all.filter((one) => one.environment === environment)}
                limits={limits.value?.[environment]}
                onOpen={open}
                onChange={keys.reload}
              />
            ))}
          </>
        )}
      </Loaded>
      <KeyDialogs
        open={dialog.value}
        accountId={account.id}
        onOpen={open}
        onChange={() => void keys.reload()}
      />
    </Page>
  );
}

interface Shown {
  readonly keys: readonly KeyView[];
  readonly limits: LimitsView | undefined;
  readonly onOpen: (dialog: KeyDialog) => void;
  readonly onChange: () => Promise<void>;
}

function EnvironmentKeys({
  account,
  environment,
  keys,
  ...shown
}: Shown & { readonly account: Account; readonly environment: Environment }): JSX.Element {
  const text = keysWords.words();
  const { common } = words();
  const now = systemClock.now();
  const ended = keys.filter((key) => hasEnded(statusOf(key, now)));
  const usable = keys.filter((key) => !ended.includes(key));
  return (
    <Card
      bare
      title={common[environment]}
      actions={
        environment === "staging" &&
        mayOwn.value && (
          <TryReference accountId={account.id} onCreated={() => void shown.onChange()} />
        )
      }
    >
      <div class="inside stack">
        <p class="soft">{text.environments[environment]}</p>
        <WindowMeters limits={shown.limits} />
      </div>
      {usable.length > 0 && <KeyTable keys={usable} label={common[environment]} {...shown} />}
      {usable.length === 0 && (
        <Empty
          title={text.empty[environment]}
          actions={
            mayOwn.value && (
              <Button onClick={() => shown.onOpen({ kind: "create", environment })}>
                {text.create}
              </Button>
            )
          }
        >
          {text.emptyText[environment]}
        </Empty>
      )}
      {ended.length > 0 && (
        <details>
          <summary>{text.ended(ended.length)}</summary>
          <InSteps items={ended}>
            {(some) => <KeyTable keys={some} label={text.ended(ended.length)} {...shown} />}
          </InSteps>
        </details>
      )}
    </Card>
  );
}

/** Creates a short-lived staging key and opens the API reference with it. */
function TryReference({
  accountId,
  onCreated,
}: {
  readonly accountId: string;
  readonly onCreated: () => void;
}): JSX.Element {
  const keys = keysWords.words();
  const { busy, run } = useAttempt();
  const body = { name: keys.tryItName, environment: "staging", expiresInMs: HOUR_MS } as const;
  const create = (): Promise<void> =>
    run(
      async () => {
        const created = await call("POST /accounts/:account/keys", { account: accountId, body });
        if (!created.ok) toast(problemText(created.failure));
        return created;
      },
      ({ key }) => {
        // Browsers do not send the fragment, and the reference removes it from its address.
        window.open(`/docs#key=${key}`, "_blank", "noopener");
        toast(keys.tryItMade);
        onCreated();
      },
    );
  return (
    <Button small busy={busy} onClick={() => void create()}>
      {keys.tryIt}
    </Button>
  );
}

function KeyTable({ keys, label, limits, ...on }: Shown & { readonly label: string }): JSX.Element {
  const text = keysWords.words();
  const { common } = words();
  const { columns } = text;
  const now = systemClock.now();
  return (
    <Table
      label={label}
      columns={[
        { name: columns.key, cell: "lead" },
        columns.permissions,
        columns.lastUsed,
        { name: columns.requests, cell: "number" },
        columns.status,
        { name: columns.actions, cell: "end corner" },
      ]}
      rows={keys.map((key) => {
        const { id, allowedAddresses, lastUsedAt, createdAt, environment } = key;
        const name = key.name === "" ? text.unnamed : key.name;
        const status = statusOf(key, now);
        const used = limits?.keys.find((one) => one.id === id)?.used;
        const actions = actionsOf(key, name, status, on);
        return {
          key: id,
          cells: [
            <div>
              <strong>{name}</strong>
              <div class="mono soft">{prefixOf(key)}</div>
            </div>,
            <div>
              <Permissions scopes={key.scopes} />
              {allowedAddresses !== undefined && (
                <div class="soft small">{text.onlyFrom(allowedAddresses.join(", "))}</div>
              )}
            </div>,
            <div class="brief">
              <LastTime at={lastUsedAt} />
              <div class="soft small">{text.created(date(createdAt))}</div>
            </div>,
            <Requests keyOf={key} name={name} used={used} />,
            <div class="stack tight">
              <div>
                <Badge tone={TONES[status.kind]}>{text.statuses[status.kind]}</Badge>
              </div>
              <StatusDetail status={status} environment={environment} />
              {status.kind === "banned" && mayOwn.value && (
                <div>
                  <Button small label={text.liftBanOf(name)} onClick={() => void actions.liftBan()}>
                    {text.liftBan}
                  </Button>
                </div>
              )}
            </div>,
            actions.menu.length > 0 && <Menu label={common.more(name)} items={actions.menu} />,
          ],
        };
      })}
    />
  );
}

/** "All", the name of the default set, or each permission. */
function Permissions({ scopes }: Pick<KeyView, "scopes">): JSX.Element {
  const keys = keysWords.words();
  if (scopes.length === allScopes.length) return <span>{keys.everything}</span>;
  const usual =
    scopes.length === defaultScopes.length && defaultScopes.every((one) => scopes.includes(one));
  if (usual) return <span>{keys.allBut}</span>;
  return (
    <ul>
      {scopes.map((scope) => (
        <li key={scope}>{keys.scopes[scope].label}</li>
      ))}
    </ul>
  );
}

/** What a key has sent, with a link to its requests. */
function Requests({
  keyOf: { accountId, environment, id },
  name,
  used,
}: {
  readonly keyOf: KeyView;
  readonly name: string;
  readonly used: KeyLimits["used"] | undefined;
}): JSX.Element {
  const keys = keysWords.words();
  return (
    <div class="brief">
      {number(used?.day ?? 0)} <span class="soft small">{keys.today}</span>
      <div class="soft small">{keys.thisMinute(used?.minute ?? 0)}</div>
      <a
        class="small"
        href={`/accounts/${accountId}/requests${inEnvironment(environment, { key: id })}`}
        aria-label={keys.requestsOf(name)}
      >
        {keys.showRequests}
      </a>
    </div>
  );
}

const TONES = {
  active: "good",
  replaced: "warn",
  banned: "bad",
  expired: "plain",
  revoked: "plain",
} as const;

function StatusDetail({
  status,
  environment,
}: {
  readonly status: KeyStatus;
  readonly environment: Environment;
}): JSX.Element | null {
  const keys = keysWords.words();
  switch (status.kind) {
    case "active":
      return <When label={keys.expires} at={status.expiresAt} />;
    case "replaced":
      return (
        <>
          <When label={keys.ends} at={status.until} />
          <p class="soft small">
            {keys.replacedBy(prefixOf({ environment, id: status.successor }))}
          </p>
        </>
      );
    case "banned":
      return (
        <>
          <When label={keys.bannedUntil} at={status.until} />
          <p class="soft small">{keys.bannedReason}</p>
        </>
      );
    case "expired":
    case "revoked":
      return <When at={status.at} />;
  }
}

function When({
  label,
  at: instant,
}: {
  readonly label?: ComponentChildren;
  readonly at: number | undefined;
}): JSX.Element | null {
  if (instant === undefined) return null;
  return (
    <p class="soft small">
      {label} <Instant at={instant} />
    </p>
  );
}

interface Actions {
  readonly liftBan: () => Promise<void>;
  /** Empty for users who may not change keys, and for keys that have ended. */
  readonly menu: readonly MenuItem[];
}

function actionsOf(
  key: KeyView,
  name: string,
  status: KeyStatus,
  { onOpen, onChange }: Pick<Shown, "onOpen" | "onChange">,
): Actions {
  const keys = keysWords.words();
  const path = { account: key.accountId, key: key.id };
  const revoke = async (): Promise<void> => {
    const send = () => call("DELETE /accounts/:account/keys/:key", path);
    await actIfSure(keys.revoke, name, send, { look: "danger" });
    await onChange();
  };
  const menu = [
    // A rotated key has its successor already.
    ...(key.replacedBy === undefined
      ? [{ label: keys.rotate, onClick: () => onOpen({ kind: "rotate", key }) }]
      : []),
    { label: keys.rename, onClick: () => onOpen({ kind: "rename", key }) },
    { label: keys.revoke.action, danger: true, onClick: () => void revoke() },
  ];
  return {
    menu: mayOwn.value && !hasEnded(status) ? menu : [],
    liftBan: async () => {
      await act(keys.lifted(name), () => call("POST /accounts/:account/keys/:key/unban", path));
      await onChange();
    },
  };
}
