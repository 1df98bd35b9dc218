import { readableMinute } from "../lib/base/readable.ts";
import type { PetstoreClient, PetstoreOperations } from "../domains/operations.ts";
import type { KeyView } from "../lib/index.ts";
import { must } from "../settings/failure.ts";
import { duration } from "../settings/values.ts";
import { optional, optionalText, type Command, type Context, type Operand } from "./command.ts";
import { accountFlag, allowFlag, environmentFlag, expiresInFlag, scopeFlag } from "./fields.ts";
import { operation } from "./operation.ts";
import { confirm, writeTable, yesFlag } from "./output.ts";

const keyOperand: Operand = {
  placeholder: "KEY",
  help: "ID of the key, as `keys list` shows it; not the key itself.",
};

export const keyCommands: readonly Command[] = [
  operation({
    path: "keys create",
    summary: "Create an API key and show it once",
    flags: {
      account: accountFlag,
      environment: environmentFlag,
      name: optionalText("name", "NAME", "Name for people, to tell keys apart."),
      scopes: scopeFlag,
      expiresInMs: expiresInFlag,
      allowedAddresses: allowFlag,
    },
    examples: [
      "keys create --account acc_7Gk2mQ9xYt4B",
      "keys create --account acc_7Gk2mQ9xYt4B --environment staging --expires-in 24h",
      "keys create --account acc_7Gk2mQ9xYt4B --allow 203.0.113.0/24",
      "keys create --account acc_7Gk2mQ9xYt4B --scope pets:read --scope orders:read --name website",
    ],
    call: async ({ call }, { flags }) => {
      const { account, environment, name, scopes, expiresInMs, allowedAddresses } = flags;
      const body = { environment, name, scopes, expiresInMs, allowedAddresses };
      return must(await call("POST /accounts/:account/keys", { account, body }));
    },
    json: issuedJson,
    show: showIssued,
  }),
  operation({
    path: "keys list",
    summary: "List the keys of an account, newest first",
    flags: { account: accountFlag },
    examples: ["keys list --account acc_7Gk2mQ9xYt4B"],
    call: async ({ all }, { flags: { account } }) =>
      must(await all("GET /accounts/:account/keys", { account })),
    show: async (keys, { context }) => {
      if (keys.length > 0) await showKeys(keys, context);
      else context.terminal.err("The account has no keys.\n");
    },
  }),
  operation({
    path: "keys rotate",
    summary: "Replace a key; the old one keeps working for a while",
    operands: { key: keyOperand },
    flags: {
      overlapMs: optional({
        name: "overlap",
        placeholder: "DURATION",
        help: "How long the old key keeps working, 0s to 7d. Default: 24h.",
        parse: duration,
      }),
    },
    examples: ["keys rotate 4fGq8Zt1Lm", "keys rotate 4fGq8Zt1Lm --overlap 7d"],
    call: async (client, { flags: { overlapMs }, operands }) => {
      const path = await pathOf(client, operands.key);
      const input = { ...path, body: { overlapMs } };
      return must(await client.call("POST /accounts/:account/keys/:key/rotate", input));
    },
    json: issuedJson,
    show: showIssued,
  }),
  operation({
    path: "keys revoke",
    summary: "Revoke a key permanently; takes effect within a second",
    operands: { key: keyOperand },
    flags: { yes: yesFlag },
    examples: ["keys revoke 4fGq8Zt1Lm", "keys revoke 4fGq8Zt1Lm --yes"],
    call: async (client, { flags, operands, context }) => {
      const path = await pathOf(client, operands.key);
      const question = `Revoke the key ${operands.key}? Requests with it will fail.`;
      await confirm(context.terminal, question, flags.yes);
      return must(await client.call("DELETE /accounts/:account/keys/:key", path));
    },
    show: (key, { context }) => showKeys([key], context),
  }),
  operation({
    path: "keys unban",
    summary: "Lift the ban on a key; its ban level stays, so the next ban is longer",
    operands: { key: keyOperand },
    examples: ["keys unban 4fGq8Zt1Lm"],
    call: async (client, { operands }) => {
      const path = await pathOf(client, operands.key);
      return must(await client.call("POST /accounts/:account/keys/:key/unban", path));
    },
    show: (key, { context }) => showKeys([key], context),
  }),
];

/** Looks up the account of a key, which the paths of its operations name. */
async function pathOf(
  { call }: PetstoreClient,
  key: string,
): Promise<{ readonly account: string; readonly key: string }> {
  const { accountId } = must(await call("GET /keys/:key", { key }));
  return { account: accountId, key };
}

type IssuedKey = PetstoreOperations["POST /accounts/:account/keys"]["output"];

function showKeys(keys: readonly KeyView[], { terminal }: Context): Promise<void> {
  const headings = ["ID", "NAME", "ENVIRONMENT", "STATUS", "SCOPES", "EXPIRES", "LAST USED"];
  const rows = keys.map(({ id, name, environment, status, scopes, expiresAt, lastUsedAt }) => [
    id,
    name,
    environment,
    status,
    scopes.join(" "),
    expiresAt === undefined ? "never" : readableMinute(expiresAt),
    lastUsedAt === undefined ? "never" : readableMinute(lastUsedAt),
  ]);
  return writeTable(terminal, headings, rows);
}

function issuedJson({ id, key, ...rest }: IssuedKey): object {
  return { id, key, ...rest };
}

/** Writes only the secret to stdout, so that `KEY=$(petstore keys create …)` works. */
async function showIssued(
  { id, key, environment, expiresAt }: IssuedKey,
  { context: { terminal } }: { readonly context: Context },
): Promise<void> {
  const until = expiresAt === undefined ? "" : `, expires ${readableMinute(expiresAt)}`;
  terminal.err(`Key ${id} for ${environment}${until}. It is shown only once:\n`);
  await terminal.out(`${key}\n`);
}
