import type { PetstoreOperations } from "../domains/operations.ts";
import { isRequestId } from "../lib/base/id.ts";
import { readableSecond } from "../lib/base/readable.ts";
import type { Problem } from "../lib/base/problem.ts";
import type { Result } from "../lib/base/result.ts";
import { Failure, must } from "../settings/failure.ts";
import { optionalText, type Command } from "./command.ts";
import { operation } from "./operation.ts";
import { hanging } from "./output.ts";

type Explained = PetstoreOperations["GET /accounts/:account/requests/:request"]["output"][number];
type Found = PetstoreOperations["GET /system/requests/:request"]["output"][number];

export const explain: Command = operation({
  path: "explain",
  summary: "Explain the answer to an API request, by its request ID",
  details:
    "The request ID is in the header X-Request-Id of every response. The command prints the key, the environment and the limits of the request, why it got its answer, when a retry would have worked, and what to do.",
  operands: {
    request: { placeholder: "ID", help: "Request ID, such as req_mwos3u0tfQ7dXvZ241." },
  },
  flags: {
    account: optionalText(
      "account",
      "ACCOUNT",
      "Only requests of the account with this ID. Default: all that you may see.",
    ),
  },
  examples: [
    "explain req_mwos3u0tfQ7dXvZ241",
    "explain req_mwos3u0tfQ7dXvZ241 --account acc_7Gk2mQ9xYt4B --json",
  ],
  call: async (client, { flags: { account }, operands: { request } }) => {
    if (!isRequestId(request)) {
      throw new Failure(
        "usage",
        `${JSON.stringify(request)} is no request ID. It is in the header X-Request-Id of the response.`,
      );
    }
    const ofAccount = (id: string): Promise<Result<readonly Explained[], Problem>> =>
      client.call("GET /accounts/:account/requests/:request", { account: id, request });
    if (account !== undefined) return must(await ofAccount(account));
    const found = await client.call("GET /system/requests/:request", { request });
    if (found.ok || found.failure.code !== "insufficient_role") return must(found);
    // A token of an account sees the requests of that account.
    const me = must(await client.call("GET /me"));
    return must(await (me.accountId === undefined ? found : ofAccount(me.accountId)));
  },
  show: async (requests: readonly (Explained | Found)[], { context: { terminal } }) => {
    const texts = requests.map((request) => `${describe(request).join("\n")}\n`);
    await terminal.out(texts.join("\n"));
    if (requests.length > 1) {
      terminal.err(`${requests.length} requests have this ID: clients can use one again.\n`);
    }
  },
});

/** Describes a request in lines. */
function describe(request: Explained | Found): readonly string[] {
  const { id, at, durationMs, environment, key, keyId, userId, method, path, query } = request;
  const { status, code, operation: name, represents, counter, explanation } = request;
  const { why, retryText, todo, windows } = explanation;
  const address = query === "" ? path : `${path}?${query}`;
  const named = key === null || key.name === "" ? "" : `${key.name} `;
  const row = (label: string, text: string): readonly string[] => hanging(label.padEnd(13), text);
  return [
    `${id}: ${method} /v1${address}, ${status}${code === null ? "" : ` ${code}`}`,
    "",
    ...row("When", `${readableSecond(at)}, answered after ${durationMs} ms`),
    ...row("Environment", environment === "production" ? "Production" : "Staging"),
    ...("account" in request ? row("Account", accountOf(request.account)) : []),
    ...(userId === null
      ? row("Key", keyId === null ? "none that is valid" : `${named}(${keyId})`)
      : row("User", userId)),
    ...row("Operation", name),
    ...windows.flatMap(({ name: window, limit, before, after, resetsAt }) =>
      row(
        window === "day" ? "Day" : "Minute",
        `${counted(before)} of ${counted(limit)} ${COUNTED[counter ?? "catalogue"]} left before, ${counted(after)} after; resets at ${readableSecond(resetsAt)}`,
      ),
    ),
    ...(represents === 1
      ? []
      : row("Sample", `this request stands for ${counted(represents)} similar ones`)),
    "",
    ...row("Why", why),
    ...row("Retry", retryText),
    ...row("What to do", todo),
  ];
}

/** What the windows of each counter count. */
const COUNTED = {
  catalogue: "requests",
  key: "requests of the key",
  user: "requests of the user",
  inquiries: "reads of the limits",
  address: "requests without a valid key",
} as const;

function counted(count: number): string {
  return count.toLocaleString("en");
}

function accountOf(account: Found["account"]): string {
  if (account === null) return "none: the request had no valid key";
  return account.name === "" ? account.id : `${account.name} (${account.id})`;
}
