import { connect } from "node:net";

import type { PetstoreClient } from "../../domains/operations.ts";
import type { KeyView } from "../../lib/accounts/keys.ts";
import type { Problem } from "../../lib/base/problem.ts";
import { done, type Result } from "../../lib/base/result.ts";
import { api, type Api } from "../helpers/api.ts";
import type { Program } from "../helpers/process.ts";
import type { Env } from "./case.ts";
import { sheltering, type Operator } from "./shelter.ts";

/** Options of `serve` that the cases rely on: the client's address comes from a header. */
export const SERVE_ARGS: readonly string[] = [
  "--staging-listen",
  "127.0.0.1:0",
  "--trusted-proxies",
  "127.0.0.0/8",
];

/**
 * The program as a case sees it that comes from `address`. `client` acts as the operator, through the API that the
 * program's own commands use.
 */
export function compiled(
  { origin, output }: Program,
  client: PetstoreClient,
  address: string,
): Env {
  const pattern = /listening on (http:\/\/[^\s"]+)","environment":"staging"/;
  const staging = pattern.exec(output())?.[1];
  if (staging === undefined) throw new Error(`there is no Staging:\n${output()}`);

  const speak = (base: string, from: string): Api =>
    api({
      base,
      fetch: (request) => {
        request.headers.set("x-forwarded-for", from);
        return fetch(request);
      },
    });
  const anyone = speak(origin, address);
  const anyoneInStaging = speak(staging, address);

  return {
    anyone,
    staging: anyoneInStaging,
    from: (other) => speak(origin, other),
    account: sheltering(() => operatorOf(client), { production: anyone, staging: anyoneInStaging }),
    get inside(): never {
      throw new Error("a separate process cannot be controlled from inside");
    },
    socket: (text, { patienceMs = 5_000 } = {}) => exchange(origin, text, patienceMs),
  };
}

/** The management API with the in-process client's names. */
function operatorOf({ call }: PetstoreClient): Operator {
  type Secret = KeyView & { readonly key: string };
  const issued = (result: Result<Secret, Problem>) => {
    if (!result.ok) return result;
    const { key: token, ...view } = result.value;
    return done({ view, token });
  };
  const pathOf = async (key: string) => {
    const found = await call("GET /keys/:key", { key });
    if (!found.ok) throw new Error(found.failure.message);
    return { account: found.value.accountId, key };
  };
  return {
    accounts: {
      create: (body) => call("POST /accounts", { body }),
      changePlan: ({ accountId: account, ...body }) =>
        call("PATCH /accounts/:account", { account, body }),
      suspend: (account) => call("POST /accounts/:account/suspend", { account }),
      resume: (account) => call("POST /accounts/:account/resume", { account }),
    },
    keys: {
      create: async ({ accountId: account = "", ...body }) =>
        issued(await call("POST /accounts/:account/keys", { account, body })),
      rotate: async ({ keyId, ...body }) => {
        const path = await pathOf(keyId);
        return issued(await call("POST /accounts/:account/keys/:key/rotate", { ...path, body }));
      },
      revoke: async (keyId) => call("DELETE /accounts/:account/keys/:key", await pathOf(keyId)),
      unban: async (keyId) => call("POST /accounts/:account/keys/:key/unban", await pathOf(keyId)),
    },
  };
}

/** Writes `text` on a connection. Resolves with the received bytes when it closes, fails or is idle for too long. */
function exchange(origin: string, text: string, patienceMs: number): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect({ host: hostname, port: Number(port) }, () => {
      socket.write(text, "latin1");
    });
    socket.setTimeout(patienceMs, () => socket.destroy());
    socket.on("data", (data) => {
      answer += data.toString("latin1");
    });
    // The server may reset a refused request while it is being written; the response counts.
    socket.on("error", () => socket.destroy());
    socket.on("close", () => resolve(answer));
  });
}
