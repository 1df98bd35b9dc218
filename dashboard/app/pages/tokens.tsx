import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import { DAY_MS } from "../../../lib/base/clock.ts";
import { accountRoles, type AccountRole } from "../../../lib/accounts/principal.ts";
import type { TokenView } from "../../../lib/accounts/token-store.ts";
import { API, call, listAll, type Output, type Problem, type Result } from "../api.ts";
import { Button } from "../components/button.tsx";
import { LifetimeField } from "../components/choice.tsx";
import { Code, ShownOnce } from "../components/copy.tsx";
import { Empty, Loaded } from "../components/feedback.tsx";
import { bound, SelectField, TextField } from "../components/field.tsx";
import { actIfSure, FormDialog } from "../components/form.tsx";
import { Badge, LastTime } from "../components/indicators.tsx";
import { Menu } from "../components/menu.tsx";
import { Card } from "../components/page.tsx";
import { InSteps, Table } from "../components/table.tsx";
import { Instant } from "../components/time.tsx";
import { useResource } from "../state/resource.ts";
import { date } from "../words/format.ts";
import { administrationWords } from "../words/late.tsx";
import { words } from "../words/words.ts";

type Open = { readonly kind: "create" } | { readonly kind: "issued"; readonly token: string };

/** The management tokens of an account, or of the operators. For users who may create them. */
export function TokensCard({ accountId }: { readonly accountId?: string }): JSX.Element {
  const { tokens: text } = administrationWords.words();
  const tokens = useResource(accountId ?? "", () =>
    accountId === undefined
      ? listAll("GET /tokens")
      : listAll("GET /accounts/:account/tokens", { account: accountId }),
  );
  const open = useSignal<Open | undefined>(undefined);
  const close = (): void => {
    open.value = undefined;
  };
  const revoke = async (token: TokenView): Promise<void> => {
    const send = (): Promise<Result<TokenView, Problem>> =>
      accountId === undefined
        ? call("DELETE /tokens/:token", { token: token.id })
        : call("DELETE /accounts/:account/tokens/:token", { account: accountId, token: token.id });
    const revoked = await actIfSure(text.revoke, nameOf(token), send, { look: "danger" });
    if (revoked !== undefined) await tokens.reload();
  };
  return (
    <Card
      bare
      title={text.title}
      actions={
        <Button
          small
          onClick={() => {
            open.value = { kind: "create" };
          }}
        >
          {text.create}
        </Button>
      }
    >
      <p class="inside soft">{text.about[accountId === undefined ? "operators" : "account"]}</p>
      <Loaded resource={tokens}>
        {(all) => {
          const active = all.filter(({ status }) => status === "active");
          const ended = all.filter(({ status }) => status !== "active");
          return (
            <>
              {active.length === 0 && <Empty title={text.empty}>{text.emptyText}</Empty>}
              {active.length > 0 && (
                <TokenTable
                  label={text.title}
                  tokens={active}
                  onRevoke={(token) => void revoke(token)}
                />
              )}
              {ended.length > 0 && (
                <details>
                  <summary>{text.ended(ended.length)}</summary>
                  <InSteps items={ended}>
                    {(some) => <TokenTable label={text.ended(ended.length)} tokens={some} />}
                  </InSteps>
                </details>
              )}
            </>
          );
        }}
      </Loaded>
      {open.value?.kind === "create" && (
        <CreateToken
          accountId={accountId}
          onIssued={(token) => {
            open.value = { kind: "issued", token };
            void tokens.reload();
          }}
          onClose={close}
        />
      )}
      {open.value?.kind === "issued" && <IssuedToken token={open.value.token} onDone={close} />}
    </Card>
  );
}

function nameOf({ name }: TokenView): string {
  return name === "" ? administrationWords.words().tokens.unnamed : name;
}

function TokenTable({
  label,
  tokens,
  onRevoke,
}: {
  readonly label: string;
  readonly tokens: readonly TokenView[];
  /** Absent for tokens that are revoked or expired. */
  readonly onRevoke?: (token: TokenView) => void;
}): JSX.Element {
  const { tokens: text } = administrationWords.words();
  const { common } = words();
  const { columns } = text;
  return (
    <Table
      label={label}
      columns={[
        { name: columns.token, cell: "lead" },
        columns.role,
        columns.lastUsed,
        columns.status,
        { name: columns.actions, cell: "end corner" },
      ]}
      rows={tokens.map((token) => ({
        key: token.id,
        cells: [
          <div>
            <strong>{nameOf(token)}</strong>
            <div class="mono soft">pet_manage_{token.id}…</div>
          </div>,
          common.roles[token.role],
          <div>
            <LastTime at={token.lastUsedAt} />
            <div class="soft small">{text.created(date(token.createdAt))}</div>
          </div>,
          <div>
            <Badge tone={token.status === "active" ? "good" : "plain"}>
              {text.statuses[token.status]}
            </Badge>
            {token.status === "active" && token.expiresAt !== undefined && (
              <div class="soft small">
                {text.expires} <Instant at={token.expiresAt} />
              </div>
            )}
          </div>,
          onRevoke !== undefined && (
            <Menu
              label={common.more(nameOf(token))}
              items={[{ label: text.revoke.action, danger: true, onClick: () => onRevoke(token) }]}
            />
          ),
        ],
      }))}
    />
  );
}

const LIFETIMES = [undefined, DAY_MS, 30 * DAY_MS, 90 * DAY_MS, 365 * DAY_MS] as const;

function CreateToken({
  accountId,
  onIssued,
  onClose,
}: {
  /** Without an account, the token is an operator's, whose role is fixed. */
  readonly accountId: string | undefined;
  readonly onIssued: (token: string) => void;
  readonly onClose: () => void;
}): JSX.Element {
  const { tokens } = administrationWords.words();
  const { form } = tokens;
  const { common } = words();
  const name = useSignal("");
  const role = useSignal<AccountRole>("staff");
  const lifetime = useSignal<number | undefined>(90 * DAY_MS);
  const create = (): Promise<Result<Output<"POST /tokens">, Problem>> => {
    const body = { name: name.value.trim(), expiresInMs: lifetime.value };
    return accountId === undefined
      ? call("POST /tokens", { body })
      : call("POST /accounts/:account/tokens", {
          account: accountId,
          body: { ...body, role: role.value },
        });
  };
  return (
    <FormDialog
      title={form.title}
      action={tokens.create}
      send={create}
      onDone={({ token }) => onIssued(token)}
      onClose={onClose}
    >
      <TextField
        label={form.name}
        hint={form.nameHint}
        maxLength={120}
        required
        autofocus
        {...bound(name)}
      />
      {accountId !== undefined && (
        <SelectField
          label={form.role}
          hint={tokens.roleHints[role.value]}
          options={accountRoles.map((value) => ({ value, label: common.roles[value] }))}
          {...bound(role)}
        />
      )}
      <LifetimeField choices={LIFETIMES} {...bound(lifetime)} />
    </FormDialog>
  );
}

function IssuedToken({
  token,
  onDone,
}: {
  readonly token: string;
  readonly onDone: () => void;
}): JSX.Element {
  const { issued } = administrationWords.words().tokens;
  return (
    <ShownOnce
      title={issued.title}
      about={issued.once}
      secret={token}
      what={issued.token}
      onDone={onDone}
    >
      {() => (
        <div class="stack tight">
          <h3>{issued.try}</h3>
          <Code text={`curl -H 'Authorization: Bearer ${token}' ${API}/me`} what={issued.curl} />
        </div>
      )}
    </ShownOnce>
  );
}
