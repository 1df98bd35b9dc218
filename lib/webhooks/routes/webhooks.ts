import { endpoint } from "../../http/endpoint.ts";
import { inAccount, onPlatform } from "../../management/endpoint.ts";
import type { WebhookContext } from "../manage.ts";
import { webhookHandlers } from "./handlers.ts";
import { texts } from "./texts.ts";

/** The operations on the webhooks of accounts and of the installation. */
export function webhookEndpoints(context: WebhookContext) {
  const { list, create, get, update, remove, rotate, test, deliveries, delivery, replay } =
    webhookHandlers(context);

  const of = (call: { readonly account: { readonly id: string }; readonly params: Of }) => ({
    accountId: call.account.id,
    id: call.params.webhook,
  });
  const ours = (call: { readonly params: Of }) => ({
    accountId: undefined,
    id: call.params.webhook,
  });

  return [
    endpoint({
      ...texts.list,
      operationId: "listWebhooks",
      method: "GET",
      path: "/accounts/:account/webhooks",
      access: inAccount("owner"),
      run: (call, services) => list(call, services, call.account.id),
    }),
    endpoint({
      ...texts.create,
      operationId: "createWebhook",
      method: "POST",
      path: "/accounts/:account/webhooks",
      access: inAccount("owner", SENSITIVE),
      run: (call, services) => create(call, services, call.account.id),
    }),
    endpoint({
      ...texts.get,
      operationId: "getWebhook",
      method: "GET",
      path: "/accounts/:account/webhooks/:webhook",
      access: inAccount("owner"),
      run: (call, services) => get(call, services, of(call)),
    }),
    endpoint({
      ...texts.update,
      operationId: "updateWebhook",
      method: "PATCH",
      path: "/accounts/:account/webhooks/:webhook",
      access: inAccount("owner", SENSITIVE),
      run: (call, services) => update(call, services, of(call)),
    }),
    endpoint({
      ...texts.remove,
      operationId: "deleteWebhook",
      method: "DELETE",
      path: "/accounts/:account/webhooks/:webhook",
      access: inAccount("owner"),
      run: (call) => remove(call, of(call)),
    }),
    endpoint({
      ...texts.rotate,
      operationId: "rotateWebhook",
      method: "POST",
      path: "/accounts/:account/webhooks/:webhook/rotate",
      access: inAccount("owner", SENSITIVE),
      run: (call, services) => rotate(call, services, of(call)),
    }),
    endpoint({
      ...texts.test,
      operationId: "testWebhook",
      method: "POST",
      path: "/accounts/:account/webhooks/:webhook/test",
      access: inAccount("owner"),
      run: (call) => test(call, of(call)),
    }),
    endpoint({
      ...texts.deliveries,
      operationId: "listWebhookDeliveries",
      method: "GET",
      path: "/accounts/:account/webhooks/:webhook/deliveries",
      access: inAccount("owner"),
      run: (call) => deliveries(call, of(call)),
    }),
    endpoint({
      ...texts.delivery,
      operationId: "getWebhookDelivery",
      method: "GET",
      path: "/accounts/:account/webhooks/:webhook/deliveries/:event",
      access: inAccount("owner"),
      run: (call) => delivery(of(call), call.params.event),
    }),
    endpoint({
      ...texts.replay,
      operationId: "replayWebhook",
      method: "POST",
      path: "/accounts/:account/webhooks/:webhook/replay",
      access: inAccount("owner"),
      run: (call) => replay(call, of(call)),
    }),
    endpoint({
      ...texts.list,
      operationId: "listSystemWebhooks",
      method: "GET",
      path: "/system/webhooks",
      access: onPlatform("operator"),
      summary: "List webhooks of the installation",
      run: (call, services) => list(call, services),
    }),
    endpoint({
      ...texts.create,
      operationId: "createSystemWebhook",
      method: "POST",
      path: "/system/webhooks",
      access: onPlatform("operator", SENSITIVE),
      summary: "Create a webhook of the installation",
      description: `${texts.create.description} It gets the events of all accounts, and those of the operators.`,
      run: (call, services) => create(call, services),
    }),
    endpoint({
      ...texts.get,
      operationId: "getSystemWebhook",
      method: "GET",
      path: "/system/webhooks/:webhook",
      access: onPlatform("operator"),
      summary: "Get a webhook of the installation",
      run: (call, services) => get(call, services, ours(call)),
    }),
    endpoint({
      ...texts.update,
      operationId: "updateSystemWebhook",
      method: "PATCH",
      path: "/system/webhooks/:webhook",
      access: onPlatform("operator", SENSITIVE),
      summary: "Update a webhook of the installation",
      run: (call, services) => update(call, services, ours(call)),
    }),
    endpoint({
      ...texts.remove,
      operationId: "deleteSystemWebhook",
      method: "DELETE",
      path: "/system/webhooks/:webhook",
      access: onPlatform("operator"),
      summary: "Delete a webhook of the installation",
      run: (call) => remove(call, ours(call)),
    }),
    endpoint({
      ...texts.rotate,
      operationId: "rotateSystemWebhook",
      method: "POST",
      path: "/system/webhooks/:webhook/rotate",
      access: onPlatform("operator", SENSITIVE),
      summary: "Rotate the secret of a webhook of the installation",
      run: (call, services) => rotate(call, services, ours(call)),
    }),
    endpoint({
      ...texts.test,
      operationId: "testSystemWebhook",
      method: "POST",
      path: "/system/webhooks/:webhook/test",
      access: onPlatform("operator"),
      summary: "Test a webhook of the installation",
      run: (call) => test(call, ours(call)),
    }),
    endpoint({
      ...texts.deliveries,
      operationId: "listSystemWebhookDeliveries",
      method: "GET",
      path: "/system/webhooks/:webhook/deliveries",
      access: onPlatform("operator"),
      summary: "List deliveries of a webhook of the installation",
      run: (call) => deliveries(call, ours(call)),
    }),
    endpoint({
      ...texts.delivery,
      operationId: "getSystemWebhookDelivery",
      method: "GET",
      path: "/system/webhooks/:webhook/deliveries/:event",
      access: onPlatform("operator"),
      summary: "Get a delivery of a webhook of the installation",
      run: (call) => delivery(ours(call), call.params.event),
    }),
    endpoint({
      ...texts.replay,
      operationId: "replaySystemWebhook",
      method: "POST",
      path: "/system/webhooks/:webhook/replay",
      access: onPlatform("operator"),
      summary: "Replay events to a webhook of the installation",
      run: (call) => replay(call, ours(call)),
    }),
  ] as const;
}

/** They decide where events go, or show a secret: a stolen session must not suffice. */
const SENSITIVE = { sensitive: true } as const;

interface Of {
  readonly webhook: string;
}
