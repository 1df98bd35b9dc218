import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import { SECOND_MS } from "../../../../lib/base/clock.ts";
import type { Account } from "../../../../lib/model/account.ts";
import { call, listAll } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Empty, Loaded, Notice } from "../../components/feedback.tsx";
import { act, actIfSure } from "../../components/form.tsx";
import { Icon } from "../../components/icon.tsx";
import { Badge } from "../../components/indicators.tsx";
import { Menu, type MenuItem } from "../../components/menu.tsx";
import { Card, Page } from "../../components/page.tsx";
import { Table } from "../../components/table.tsx";
import { Instant } from "../../components/time.tsx";
import { inAccount } from "../../state/in-account.tsx";
import { mayOwn } from "../../state/me.ts";
import { usePolling, useResource } from "../../state/resource.ts";
import { number } from "../../words/format.ts";
import { words } from "../../words/words.ts";
import { hostOf, WebhookDialogs, type Webhook, type WebhookDialog } from "./dialogs.tsx";
import { webhooksWords } from "./words.ts";

const POLL_MS = 10 * SECOND_MS;

/** The webhooks of an account. */
export const Webhooks = inAccount(
  webhooksWords.within(({ account }) =>
    mayOwn.value ? <OwnWebhooks account={account} /> : <NotYours />,
  ),
);

function NotYours(): JSX.Element {
  const { title, about, viewer } = webhooksWords.words();
  return (
    <Page title={title} about={about}>
      <Notice>{viewer}</Notice>
    </Page>
  );
}

function OwnWebhooks({ account }: { readonly account: Account }): JSX.Element {
  const text = webhooksWords.words();
  const dialog = useSignal<WebhookDialog | undefined>(undefined);
  const webhooks = useResource(account.id, () =>
    listAll("GET /accounts/:account/webhooks", { account: account.id }),
  );
  usePolling(POLL_MS, webhooks.reload);
  const open = (next: WebhookDialog | undefined): void => {
    dialog.value = next;
  };
  const add = (): void => open({ kind: "add" });
  return (
    <Page
      title={text.title}
      about={text.about}
      actions={
        <Button look="primary" onClick={add}>
          <Icon name="plus" />
          {text.add}
        </Button>
      }
    >
      <Card bare>
        <Loaded resource={webhooks} lines={4}>
          {(all) =>
            all.length === 0 ? (
              <Empty title={text.emptyTitle}>{text.emptyText}</Empty>
            ) : (
              <WebhookTable
                account={account.id}
                webhooks={all}
                onOpen={open}
                onChange={() => void webhooks.reload()}
              />
            )
          }
        </Loaded>
      </Card>
      <WebhookDialogs
        open={dialog.value}
        account={account.id}
        onOpen={open}
        onChange={() => void webhooks.reload()}
      />
    </Page>
  );
}

interface Shown {
  readonly account: string;
  readonly onOpen: (dialog: WebhookDialog) => void;
  readonly onChange: () => void;
}

function WebhookTable({
  webhooks,
  ...shown
}: Shown & { readonly webhooks: readonly Webhook[] }): JSX.Element {
  const text = webhooksWords.words();
  const { columns } = text;
  return (
    <Table
      label={text.title}
      columns={[
        { name: columns.address, cell: "lead" },
        columns.events,
        columns.status,
        { name: columns.waiting, cell: "number" },
        { name: columns.actions, cell: "end corner" },
      ]}
      rows={webhooks.map((webhook) => ({
        key: webhook.id,
        cells: [
          <Address webhook={webhook} />,
          <Chosen webhook={webhook} />,
          <Status webhook={webhook} />,
          number(webhook.waiting),
          <Actions webhook={webhook} {...shown} />,
        ],
      }))}
    />
  );
}

function Address({ webhook: { url, description } }: { readonly webhook: Webhook }): JSX.Element {
  return (
    <div class="stack tight">
      <span>{description ?? hostOf({ url })}</span>
      <span class="soft small">{url}</span>
    </div>
  );
}

/** Shows up to two choices by their names. */
function Chosen({ webhook: { types } }: { readonly webhook: Webhook }): JSX.Element {
  const text = webhooksWords.words();
  if (types === undefined) return <>{text.allEvents}</>;
  return <>{types.length > 2 ? text.someEvents(types.length) : types.join(", ")}</>;
}

function Status({ webhook }: { readonly webhook: Webhook }): JSX.Element {
  const text = webhooksWords.words();
  const { status, disabledReason, firstFailureAt, previousSecretUntil } = webhook;
  const isFailing = firstFailureAt !== undefined;
  return (
    <div class="stack tight">
      <span>
        {status === "disabled" && <Badge tone="bad">{text.statuses.disabled}</Badge>}
        {status === "enabled" && isFailing && <Badge tone="warn">{text.statuses.failing}</Badge>}
        {status === "enabled" && !isFailing && (
          <Badge tone="good" icon="check">
            {text.statuses.enabled}
          </Badge>
        )}
      </span>
      {disabledReason !== undefined && (
        <span class="soft small">{text.reasons[disabledReason]}</span>
      )}
      {status === "enabled" && isFailing && (
        <span class="soft small">
          {text.failingSince} <Instant at={firstFailureAt} />
        </span>
      )}
      {previousSecretUntil !== undefined && (
        <span class="soft small">
          {text.twoSecrets} <Instant at={previousSecretUntil} />
        </span>
      )}
    </div>
  );
}

function Actions({
  webhook,
  account,
  onOpen,
  onChange,
}: Shown & { readonly webhook: Webhook }): JSX.Element {
  const text = webhooksWords.words();
  const { common } = words();
  const host = hostOf(webhook);
  const path = { account, webhook: webhook.id };
  const disable = async (): Promise<void> => {
    const body = { disabled: true };
    const send = () => call("PATCH /accounts/:account/webhooks/:webhook", { ...path, body });
    if ((await actIfSure(text.disable, host, send)) !== undefined) onChange();
  };
  const enable = async (): Promise<void> => {
    const body = { disabled: false };
    const send = () => call("PATCH /accounts/:account/webhooks/:webhook", { ...path, body });
    if ((await act(text.enabled(host), send)) !== undefined) onChange();
  };
  const remove = async (): Promise<void> => {
    const send = () => call("DELETE /accounts/:account/webhooks/:webhook", path);
    if ((await actIfSure(text.remove, host, send, { look: "danger" })) !== undefined) onChange();
  };
  const open = (
    kind: "test" | "deliveries" | "edit" | "rotate" | "replay",
  ): MenuItem["onClick"] => {
    return () => onOpen({ kind, webhook });
  };
  const isEnabled = webhook.status === "enabled";
  const items: readonly MenuItem[] = [
    { label: text.deliveries.open, onClick: open("deliveries") },
    { label: text.test, onClick: open("test") },
    { label: text.edit, onClick: open("edit") },
    { label: text.rotate.action, onClick: open("rotate") },
    ...(isEnabled ? [{ label: text.replay.action, onClick: open("replay") }] : []),
    isEnabled
      ? { label: text.disable.action, onClick: () => void disable() }
      : { label: text.enable, onClick: () => void enable() },
    { label: text.remove.action, danger: true, onClick: () => void remove() },
  ];
  return <Menu label={common.more(host)} items={items} />;
}
