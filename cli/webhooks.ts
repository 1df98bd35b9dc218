import type { PetstoreClient, PetstoreOperations } from "../domains/operations.ts";
import { isoTime } from "../lib/base/clock.ts";
import { MAX_ID } from "../lib/base/id.ts";
import { readableMinute } from "../lib/base/readable.ts";
import { environments } from "../lib/index.ts";
import { deliveryStates, eventChoices, type EventChoice } from "../lib/webhooks/index.ts";
import { Failure, must } from "../settings/failure.ts";
import { duration, instant, integer, oneOf } from "../settings/values.ts";
import {
  optional,
  optionalText,
  repeated,
  toggle,
  withDefault,
  type Command,
  type Context,
  type Operand,
} from "./command.ts";
import { given } from "./fields.ts";
import { operation } from "./operation.ts";
import { confirm, writeTable, yesFlag } from "./output.ts";

const ALL = "/accounts/:account/webhooks";
const ONE = `${ALL}/:webhook` as const;

type Webhook = PetstoreOperations[`GET ${typeof ONE}`]["output"];
type Issued = PetstoreOperations[`POST ${typeof ALL}`]["output"];
type Delivery = PetstoreOperations[`GET ${typeof ONE}/deliveries/:event`]["output"];
type NewWebhook = PetstoreOperations[`POST ${typeof ALL}`]["body"];
type Patch = PetstoreOperations[`PATCH ${typeof ONE}`]["body"];
type Range = PetstoreOperations[`POST ${typeof ONE}/replay`]["body"];
type DeliveryQuery = {
  readonly state?: (typeof deliveryStates)[number];
  readonly before?: number;
  readonly limit?: number;
};

/** Calls the operations on the webhooks of an account, or of the installation. */
function webhooksOf({ call, all }: PetstoreClient, account: string | undefined) {
  const system = account === undefined;
  const of = { account: account ?? "" };
  return {
    list: async () =>
      must(system ? await all("GET /system/webhooks") : await all(`GET ${ALL}`, of)),
    create: async (body: NewWebhook) =>
      must(
        system
          ? await call("POST /system/webhooks", { body })
          : await call(`POST ${ALL}`, { ...of, body }),
      ),
    get: async (webhook: string) =>
      must(
        system
          ? await call("GET /system/webhooks/:webhook", { webhook })
          : await call(`GET ${ONE}`, { ...of, webhook }),
      ),
    update: async (webhook: string, body: Patch) =>
      must(
        system
          ? await call("PATCH /system/webhooks/:webhook", { webhook, body })
          : await call(`PATCH ${ONE}`, { ...of, webhook, body }),
      ),
    remove: async (webhook: string) =>
      must(
        system
          ? await call("DELETE /system/webhooks/:webhook", { webhook })
          : await call(`DELETE ${ONE}`, { ...of, webhook }),
      ),
    rotate: async (webhook: string, overlapMs: number | undefined) => {
      const body = { overlapMs };
      return must(
        system
          ? await call("POST /system/webhooks/:webhook/rotate", { webhook, body })
          : await call(`POST ${ONE}/rotate`, { ...of, webhook, body }),
      );
    },
    test: async (webhook: string) =>
      must(
        system
          ? await call("POST /system/webhooks/:webhook/test", { webhook })
          : await call(`POST ${ONE}/test`, { ...of, webhook }),
      ),
    deliveries: async (webhook: string, query: DeliveryQuery) =>
      must(
        system
          ? await call("GET /system/webhooks/:webhook/deliveries", { webhook, query })
          : await call(`GET ${ONE}/deliveries`, { ...of, webhook, query }),
      ),
    delivery: async (webhook: string, event: string) =>
      must(
        system
          ? await call("GET /system/webhooks/:webhook/deliveries/:event", { webhook, event })
          : await call(`GET ${ONE}/deliveries/:event`, { ...of, webhook, event }),
      ),
    replay: async (webhook: string, body: Range) =>
      must(
        system
          ? await call("POST /system/webhooks/:webhook/replay", { webhook, body })
          : await call(`POST ${ONE}/replay`, { ...of, webhook, body }),
      ),
  };
}

const accountFlag = optionalText(
  "account",
  "ACCOUNT",
  "ID of the account. Default: the webhooks of the installation, which get the events of all accounts.",
);
const webhookOperand: Operand = {
  placeholder: "WEBHOOK",
  help: "ID of the webhook, as `webhooks list` shows it.",
};
const descriptionFlag = optionalText(
  "description",
  "TEXT",
  "A note, such as what the receiver does.",
);
const ALL_WORD = "all";
const eventNumber = integer({ min: 1, max: MAX_ID });

export const webhookCommands: readonly Command[] = [
  operation({
    path: "webhooks create",
    summary: "Create a webhook: a URL to which events are sent. Shows its secret once",
    operands: {
      url: { placeholder: "URL", help: "Where messages are sent: https://example.org/hooks." },
    },
    flags: {
      account: accountFlag,
      types: repeated({
        name: "type",
        placeholder: "TYPE",
        help: "Only events of this type, such as pet.created, or pet.* for all about animals. Default: all types.",
        parse: oneOf(eventChoices),
      }),
      environment: optional({
        name: "environment",
        placeholder: "ENVIRONMENT",
        help: "Only events of this catalogue and of the whole account: production or staging. Default: both.",
        parse: oneOf(environments),
      }),
      description: descriptionFlag,
    },
    examples: [
      "webhooks create https://example.org/hooks --account acc_7Gk2mQ9xYt4B",
      "webhooks create https://example.org/hooks --account acc_7Gk2mQ9xYt4B --type pet.created,pet.status_changed > secret.txt",
    ],
    call: (client, { flags: { account, types, environment, description }, operands: { url } }) =>
      webhooksOf(client, account).create({ url, ...given({ types, environment, description }) }),
    show: showIssued,
  }),
  operation({
    path: "webhooks list",
    summary: "List webhooks and their states",
    flags: { account: accountFlag },
    examples: ["webhooks list --account acc_7Gk2mQ9xYt4B", "webhooks list"],
    call: (client, { flags }) => webhooksOf(client, flags.account).list(),
    show: async (webhooks, { context }) => {
      if (webhooks.length > 0) await showWebhooks(webhooks, context);
      else context.terminal.err("No webhooks.\n");
    },
  }),
  operation({
    path: "webhooks show",
    summary: "Show a webhook",
    operands: { webhook: webhookOperand },
    flags: { account: accountFlag },
    examples: ["webhooks show wh_5Rk8bQ2mZ7Lt --account acc_7Gk2mQ9xYt4B"],
    call: (client, { flags, operands }) => webhooksOf(client, flags.account).get(operands.webhook),
    show: showWhole,
  }),
  operation({
    path: "webhooks set",
    summary: "Change, disable or enable a webhook",
    details:
      "Disabling ends the deliveries that wait. A webhook that is enabled again gets the events from then on; `webhooks replay` sends the others.",
    operands: { webhook: webhookOperand },
    flags: {
      account: accountFlag,
      url: optionalText("url", "URL", "Where messages are sent."),
      types: repeated({
        name: "type",
        placeholder: "TYPE",
        help: "Only events of this type; all of them with the word all.",
        parse: oneOf<EventChoice | typeof ALL_WORD>([ALL_WORD, ...eventChoices]),
      }),
      environment: optional({
        name: "environment",
        placeholder: "ENVIRONMENT",
        help: "production, staging or both.",
        parse: oneOf([...environments, "both"]),
      }),
      description: descriptionFlag,
      disable: toggle("disable", "Send nothing."),
      enable: toggle("enable", "Send events from now on."),
    },
    examples: [
      "webhooks set wh_5Rk8bQ2mZ7Lt --account acc_7Gk2mQ9xYt4B --type pet.created",
      "webhooks set wh_5Rk8bQ2mZ7Lt --account acc_7Gk2mQ9xYt4B --enable",
    ],
    before: ({ flags }) => {
      const { url, types, environment, description, disable, enable } = flags;
      if (disable && enable)
        throw new Failure("usage", "--disable and --enable exclude each other.");
      const chosen = types?.flatMap((type) => (type === ALL_WORD ? [] : [type]));
      const body: Patch = {
        ...given({ url, description }),
        ...(types === undefined || chosen === undefined
          ? {}
          : { types: chosen.length < types.length ? null : chosen }),
        ...(environment === undefined
          ? {}
          : { environment: environment === "both" ? null : environment }),
        ...(disable || enable ? { disabled: disable } : {}),
      };
      if (Object.keys(body).length === 0) {
        throw new Failure(
          "usage",
          "Nothing to change: pass --url, --type, --disable or another option.",
        );
      }
      return body;
    },
    call: (client, { flags, operands }, body) =>
      webhooksOf(client, flags.account).update(operands.webhook, body),
    show: showWhole,
  }),
  operation({
    path: "webhooks remove",
    summary: "Delete a webhook; waiting deliveries are not sent",
    operands: { webhook: webhookOperand },
    flags: { account: accountFlag, yes: yesFlag },
    examples: ["webhooks remove wh_5Rk8bQ2mZ7Lt --account acc_7Gk2mQ9xYt4B --yes"],
    call: async (client, { flags, operands: { webhook }, context }) => {
      await confirm(context.terminal, `Delete the webhook ${webhook}?`, flags.yes);
      return webhooksOf(client, flags.account).remove(webhook);
    },
    json: () => ({ removed: true }),
    show: (_, { operands, context }) => {
      context.terminal.err(`Deleted the webhook ${operands.webhook}.\n`);
    },
  }),
  operation({
    path: "webhooks test",
    summary: "Send a test message now, and show the answer",
    operands: { webhook: webhookOperand },
    flags: { account: accountFlag },
    examples: ["webhooks test wh_5Rk8bQ2mZ7Lt --account acc_7Gk2mQ9xYt4B"],
    call: (client, { flags, operands }) => webhooksOf(client, flags.account).test(operands.webhook),
    exit: ({ delivered }) => (delivered ? "done" : "notOk"),
    show: async ({ delivered, last }, { context: { terminal } }) => {
      const { status, fault, durationMs, answer } = last;
      const outcome = delivered ? "Delivered" : `Not delivered (${fault ?? "status"})`;
      const answered = status === undefined ? "" : `, status ${status}`;
      terminal.err(`${outcome}${answered}, after ${durationMs} ms.\n`);
      if (answer !== undefined) await terminal.out(`${answer}\n`);
    },
  }),
  operation({
    path: "webhooks rotate",
    summary: "Replace the secret of a webhook, and show the new one once",
    details: "Until the overlap ends, each message has two signatures, one by each secret.",
    operands: { webhook: webhookOperand },
    flags: {
      account: accountFlag,
      overlapMs: optional({
        name: "overlap",
        placeholder: "DURATION",
        help: "How long the old secret also signs, 0s to 7d. Default: 24h.",
        parse: duration,
      }),
    },
    examples: ["webhooks rotate wh_5Rk8bQ2mZ7Lt --account acc_7Gk2mQ9xYt4B --overlap 7d"],
    call: (client, { flags, operands }) =>
      webhooksOf(client, flags.account).rotate(operands.webhook, flags.overlapMs),
    show: showRotated,
  }),
  operation({
    path: "webhooks replay",
    summary: "Send events of the last 30 days again: one, or those of a period",
    details:
      "The messages keep their IDs, so that a receiver recognizes those that it has processed. Of a period, only events of the webhook's types are sent.",
    operands: { webhook: webhookOperand },
    flags: {
      account: accountFlag,
      event: optional({
        name: "event",
        placeholder: "SEQ",
        help: "The number of an event, as `webhooks deliveries` shows it.",
        parse: eventNumber,
      }),
      from: optional({
        name: "from",
        placeholder: "TIME",
        help: "Events from this time on, such as 2026-11-20 or 2026-11-20T09:30:00Z.",
        parse: instant,
      }),
      to: optional({
        name: "to",
        placeholder: "TIME",
        help: "Events up to this time. Default: now.",
        parse: instant,
      }),
    },
    examples: [
      "webhooks replay wh_5Rk8bQ2mZ7Lt --account acc_7Gk2mQ9xYt4B --event 42",
      "webhooks replay wh_5Rk8bQ2mZ7Lt --account acc_7Gk2mQ9xYt4B --from 2026-11-20",
    ],
    before: ({ flags: { event, from, to }, context }): Range => {
      if (
        (event === undefined) === (from === undefined) ||
        (event !== undefined && to !== undefined)
      ) {
        throw new Failure("usage", "Pass either --event, or --from with an optional --to.");
      }
      return event === undefined
        ? {
            ...given({ from: from === undefined ? undefined : isoTime(from) }),
            // One end for all calls: events go on happening.
            to: isoTime(to ?? context.clock.now()),
          }
        : { event };
    },
    call: async (client, { flags, operands }, range) => {
      const { replay } = webhooksOf(client, flags.account);
      let queued = 0;
      for (let after: number | undefined; ;) {
        const done = await replay(operands.webhook, { ...range, ...given({ after }) });
        queued += done.queued;
        if (done.next === undefined) return { queued };
        after = done.next;
      }
    },
    show: ({ queued }, { context }) => {
      context.terminal.err(
        queued === 0
          ? "Nothing to send: no event of that time has one of the webhook's types.\n"
          : `${queued === 1 ? "1 event is" : `${queued} events are`} on the way.\n`,
      );
    },
  }),
  operation({
    path: "webhooks deliveries",
    summary: "List the newest deliveries of a webhook, or show one with its answer",
    operands: { webhook: webhookOperand },
    flags: {
      account: accountFlag,
      state: optional({
        name: "state",
        placeholder: "STATE",
        help: `${deliveryStates.join(", ")}. Default: all.`,
        parse: oneOf(deliveryStates),
      }),
      limit: withDefault(
        {
          name: "limit",
          placeholder: "N",
          help: "How many, 1 to 500. Default: 50.",
          parse: integer({ min: 1, max: 500 }),
        },
        50,
      ),
      event: optional({
        name: "event",
        placeholder: "SEQ",
        help: "Show the delivery of this event.",
        parse: eventNumber,
      }),
    },
    examples: [
      "webhooks deliveries wh_5Rk8bQ2mZ7Lt --account acc_7Gk2mQ9xYt4B --state failed",
      "webhooks deliveries wh_5Rk8bQ2mZ7Lt --account acc_7Gk2mQ9xYt4B --event 42",
    ],
    call: async (client, { flags: { account, state, limit, event }, operands: { webhook } }) => {
      const { delivery, deliveries } = webhooksOf(client, account);
      return event === undefined
        ? deliveries(webhook, { limit, ...given({ state }) })
        : [await delivery(webhook, String(event))];
    },
    show: async (deliveries, { flags, context }) => {
      const { terminal } = context;
      if (deliveries.length === 0) terminal.err("No deliveries.\n");
      else await showDeliveries(deliveries, context);
      const [one] = deliveries;
      if (flags.event === undefined || one === undefined) return;
      const { body, last } = one;
      const parts = [
        ...(body === undefined ? [] : [`Message ${one.messageId}:\n${body}`]),
        ...(last?.answer === undefined ? [] : [`Answer:\n${last.answer}`]),
      ];
      if (parts.length > 0) await terminal.out(`\n${parts.join("\n\n")}\n`);
    },
  }),
];

function showIssued(issued: Issued, shown: Shown): Promise<void> {
  const { id, url } = issued;
  return showSecret(`Webhook ${id} to ${url}. Its secret is shown only once:`, issued, shown);
}

function showRotated(issued: Issued, shown: Shown): Promise<void> {
  const { id, previousSecretUntil: until } = issued;
  const old = until === undefined ? "no longer works" : `also works until ${readableMinute(until)}`;
  return showSecret(
    `Webhook ${id} has a new secret, and the old one ${old}. The new one is shown only once:`,
    issued,
    shown,
  );
}

interface Shown {
  readonly context: Context;
}

/** Prints only the secret to stdout, so that it can be redirected to a file. */
async function showSecret(
  message: string,
  { secret }: Issued,
  { context: { terminal } }: Shown,
): Promise<void> {
  terminal.err(`${message}\n`);
  await terminal.out(`${secret}\n`);
}

function showWebhooks(webhooks: readonly Webhook[], { terminal }: Context): Promise<void> {
  return writeTable(
    terminal,
    ["WEBHOOK", "STATUS", "WAITING", "EVENTS", "URL"],
    webhooks.map(({ id, status, waiting, types, url }) => [
      id,
      status,
      String(waiting),
      types === undefined ? "all" : types.length === 1 ? types.join() : `${types.length} types`,
      url,
    ]),
  );
}

async function showWhole(
  webhook: Webhook,
  { context }: { readonly context: Context },
): Promise<void> {
  await showWebhooks([webhook], context);
  const { description, types, environment, disabledReason, disabledAt } = webhook;
  const { firstFailureAt, previousSecretUntil } = webhook;
  const facts = [
    ["Description", description],
    ["Types", types?.join(", ")],
    ["Environment", environment],
    ["Disabled", disabledAt && `${readableMinute(disabledAt)} (${disabledReason})`],
    ["Failing since", firstFailureAt && readableMinute(firstFailureAt)],
    ["Old secret until", previousSecretUntil && readableMinute(previousSecretUntil)],
  ].flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}\n`]));
  if (facts.length > 0) await context.terminal.out(`\n${facts.join("")}`);
}

function showDeliveries(deliveries: readonly Delivery[], { terminal }: Context): Promise<void> {
  return writeTable(
    terminal,
    ["EVENT", "TYPE", "STATE", "ATTEMPTS", "LAST", "NEXT"],
    deliveries.map(({ event, type, state, attempts, last, nextAttemptAt }) => [
      String(event),
      type,
      state,
      String(attempts),
      last === undefined ? "" : String(last.status ?? last.fault ?? ""),
      nextAttemptAt === undefined ? "" : readableMinute(nextAttemptAt),
    ]),
  );
}
