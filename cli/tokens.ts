import { readableMinute } from "../lib/base/readable.ts";
import {
  managementClient,
  toWire,
  UnexpectedAnswer,
  type TokenView,
} from "../lib/management/index.ts";
import { Failure, must } from "../settings/failure.ts";
import { text } from "../settings/values.ts";
import {
  command,
  optional,
  optionalText,
  required,
  type Command,
  type Context,
} from "./command.ts";
import { expiresInFlag, roleDetails, roleFlag, roleGiven } from "./fields.ts";
import { missingText } from "./missing.ts";
import { operation } from "./operation.ts";
import { confirm, writeJson, writeTable, yesFlag } from "./output.ts";
import { remoteSend, serverAddress, unexpected } from "./remote.ts";
import { newTokenFile } from "./token-file.ts";

const accountFlag = optionalText(
  "account",
  "ACCOUNT",
  "ID of the account. Default: the operators' tokens, which belong to no account.",
);

export const tokenCommands: readonly Command[] = [
  operation({
    path: "tokens create",
    summary: "Create a management token for --server and show it once",
    details: roleDetails,
    flags: {
      account: accountFlag,
      role: roleFlag,
      name: optionalText("name", "NAME", "Its user or purpose, shown next to its activity."),
      expiresInMs: expiresInFlag,
    },
    examples: [
      "tokens create --account acc_7Gk2mQ9xYt4B --role staff --name ci > petstore.token",
      "tokens create --name admin --expires-in 30d",
    ],
    before: ({ flags: { account, role } }) => roleGiven(account, role),
    call: async ({ call }, { flags: { name, expiresInMs } }, place) => {
      if (place === undefined) {
        return must(await call("POST /tokens", { body: { name, expiresInMs } }));
      }
      const { accountId: account, role } = place;
      const body = { role, name, expiresInMs };
      return must(await call("POST /accounts/:account/tokens", { account, body }));
    },
    json: ({ id, token, ...rest }) => ({ id, token, ...rest }),
    show: async ({ token, ...view }, { context: { terminal } }) => {
      // Only the secret goes to stdout, so that it can be redirected to a file.
      terminal.err(`${titleOf(view)}. It is shown only once:\n`);
      await terminal.out(`${token}\n`);
    },
  }),
  operation({
    path: "tokens list",
    summary: "List the management tokens, newest first",
    flags: { account: accountFlag },
    examples: ["tokens list", "tokens list --account acc_7Gk2mQ9xYt4B"],
    call: async ({ all }, { flags: { account } }) =>
      must(
        account === undefined
          ? await all("GET /tokens")
          : await all("GET /accounts/:account/tokens", { account }),
      ),
    show: async (tokens, { context }) => {
      if (tokens.length > 0) await showTokens(tokens, context);
      else context.terminal.err("No tokens.\n");
    },
  }),
  operation({
    path: "tokens revoke",
    summary: "Revoke a management token permanently; takes effect within a second",
    operands: {
      token: {
        placeholder: "TOKEN",
        help: "ID of the token, as `tokens list` shows it; not the token itself.",
      },
    },
    flags: { account: accountFlag, yes: yesFlag },
    examples: [
      "tokens revoke 4fGq8Zt1Lm",
      "tokens revoke 4fGq8Zt1Lm --account acc_7Gk2mQ9xYt4B --yes",
    ],
    call: async ({ call, all }, { flags: { account, yes }, operands: { token }, context }) => {
      const tokens = must(
        account === undefined
          ? await all("GET /tokens")
          : await all("GET /accounts/:account/tokens", { account }),
      );
      const found = tokens.find(({ id }) => id === token);
      if (found === undefined) {
        const candidates = tokens.map(({ id, name }) => ({ typed: id, known: name }));
        throw new Failure("notFound", missingText("token", token, candidates));
      }
      const question = `Revoke the token ${token} (${found.name})? Requests with it will fail.`;
      await confirm(context.terminal, question, yes);
      return must(
        account === undefined
          ? await call("DELETE /tokens/:token", { token })
          : await call("DELETE /accounts/:account/tokens/:token", { account, token }),
      );
    },
    show: (token, { context }) => showTokens([token], context),
  }),
  command({
    path: "tokens claim",
    summary: "Exchange a setup link for an operator's token, and write it to a file",
    flags: {
      setupLink: required({
        name: "setup-link",
        placeholder: "LINK",
        help: "Output of `setup-link` on the server's machine; - reads it from stdin.",
        parse: text,
      }),
      server: optional({
        name: "server",
        placeholder: "URL",
        help: "Address of the service from here. Default: the address in the link.",
        parse: serverAddress,
      }),
      tokenFile: required({
        name: "token-file",
        placeholder: "FILE",
        help: "File to create for the token, readable by its owner only.",
        parse: text,
      }),
      name: optionalText("name", "NAME", "User of the token."),
    },
    examples: [
      "tokens claim --setup-link 'https://pets.example.org/setup#pet_setup_…' --token-file ~/.petstore-token",
    ],
    run: async ({ flags, context: { terminal, clock } }) => {
      const { tokenFile, name, json } = flags;
      const written =
        flags.setupLink === "-" ? await new Response(terminal.input()).text() : flags.setupLink;
      const { origin, setupToken } = partsOf(written.trim());
      const server = flags.server ?? origin;
      // Before the link is used: a token that cannot be stored would be lost.
      const file = await newTokenFile(tokenFile);
      try {
        const send = remoteSend({ server, token: undefined, clock });
        const { call } = managementClient({ send, base: `${server}/manage/v1` });
        const body = { token: setupToken, name };
        const { token, ...view } = must(await call("POST /setup", { body }));
        await file.write(token);
        if (json) await writeJson(terminal, toWire({ ...view, server, tokenFile }));
        else {
          terminal.err(`${titleOf(view)} is in ${tokenFile}. Use it with:\n`);
          await terminal.out(`--server ${server} --token-file ${tokenFile}\n`);
        }
        return "done";
      } catch (error) {
        await file.discard();
        throw error instanceof UnexpectedAnswer ? unexpected(server, error) : error;
      }
    },
  }),
];

export const setupLink: Command = operation({
  path: "setup-link",
  summary: "Create a link for the first operator: for one use, valid for 30 minutes",
  details:
    "The person who opens it in a browser, or passes it to `tokens claim`, becomes an operator. A new link replaces the previous one.",
  examples: ["setup-link"],
  call: async ({ call }) => must(await call("POST /setup-links")),
  show: async ({ url, expiresAt }, { context: { terminal } }) => {
    terminal.err(`This link works once, until ${readableMinute(expiresAt)}:\n`);
    await terminal.out(`${url}\n`);
  },
});

function showTokens(tokens: readonly TokenView[], { terminal }: Context): Promise<void> {
  const headings = ["ID", "NAME", "ROLE", "ACCOUNT", "STATUS", "EXPIRES", "LAST USED"];
  const rows = tokens.map(({ id, name, role, accountId, status, expiresAt, lastUsedAt }) => [
    id,
    name,
    role,
    accountId ?? "all",
    status,
    expiresAt === undefined ? "never" : readableMinute(expiresAt),
    lastUsedAt === undefined ? "never" : readableMinute(lastUsedAt),
  ]);
  return writeTable(terminal, headings, rows);
}

/** `Token 4fGq8Zt1Lm (owner of acc_…, expires …)` */
function titleOf({ id, role, accountId, expiresAt }: TokenView): string {
  const holder = accountId === undefined ? role : `${role} of ${accountId}`;
  const expires = expiresAt === undefined ? "" : `, expires ${readableMinute(expiresAt)}`;
  return `Token ${id} (${holder}${expires})`;
}

/** Splits a setup link into its origin and the secret behind `#`. */
function partsOf(link: string): { readonly origin: string; readonly setupToken: string } {
  const url = URL.canParse(link) ? new URL(link) : undefined;
  const setupToken = url?.hash.slice(1) ?? "";
  if (url === undefined || setupToken === "") {
    throw new Failure(
      "usage",
      "--setup-link must be the whole link. Quote it: a shell may treat # as a comment.",
    );
  }
  return { origin: url.origin, setupToken };
}
