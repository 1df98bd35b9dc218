import type { IssuedKey, KeyView } from "../accounts/keys.ts";
import type { IssuedToken, TokenView } from "../accounts/token-store.ts";
import { isoTime } from "../base/clock.ts";
import type { Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import type { Deploy, DeployProgress } from "../publishing/model/deploy.ts";
import type { ManagementClient } from "./client.ts";
import type { ManagementOperations } from "./endpoints.ts";
import {
  at,
  caller,
  operationsClient,
  problemOf,
  readAnswer,
  UnexpectedAnswer,
  type Caller,
  type OperationsClient,
  type SendRequest,
} from "./http-client-call.ts";
import { serverSentEvents } from "./http-client-events.ts";
import type { MemberView } from "./member-view.ts";
import { fromWire } from "./wire.ts";

export { UnexpectedAnswer, type SendRequest } from "./http-client-call.ts";

export interface ManagementClientOptions {
  /**
   * Carries a request to the service, with the caller's credential; rejects when the service cannot be reached. A body
   * that is a stream is sent once.
   */
  readonly send: SendRequest;
  /** Address of the API, `/manage/v1` included. Default: `http://localhost/manage/v1`, for a `send` that knows the way. */
  readonly base?: string;
}

type Operations = OperationsClient<ManagementOperations>;

/** The management API as functions. Rejects with `UnexpectedAnswer` when another server answers. */
export function managementClient({
  send,
  base = "http://localhost/manage/v1",
}: ManagementClientOptions): ManagementClient {
  const operations = operationsClient<ManagementOperations>(send, base);
  const { call, all } = operations;
  const untyped = caller(send, base);
  return {
    accounts: {
      create: (body) => call("POST /accounts", { body }),
      byId: (account) => call("GET /accounts/:account", { account }),
      list: () => all("GET /accounts", { query: { limit: 1_000 } }),
      changePlan: ({ accountId: account, ...body }) =>
        call("PATCH /accounts/:account", { account, body }),
      rename: ({ accountId: account, name }) =>
        call("PATCH /accounts/:account", { account, body: { name } }),
      suspend: (account) => call("POST /accounts/:account/suspend", { account }),
      resume: (account) => call("POST /accounts/:account/resume", { account }),
      delete: (account) => call("DELETE /accounts/:account", { account }),
    },
    plans: { list: () => all("GET /plans") },
    usage: {
      read: ({ accountId: account, keyId: key, from, to, ...query }) =>
        all("GET /accounts/:account/usage", {
          account,
          query: { ...query, key, from: timeOf(from), to: timeOf(to) },
        }),
    },
    keys: keysOf(operations),
    pets: {
      import: ({ accountId: account, environment = "production", ...body }) =>
        call("POST /accounts/:account/:environment/pets/import", { account, environment, body }),
      page: ({ accountId: account, environment = "production", after, limit }) =>
        call("GET /accounts/:account/:environment/pets", {
          account,
          environment,
          query: { after: after === 0 ? undefined : after, limit },
        }),
    },
    categories: {
      list: ({ accountId: account, environment = "production" }) =>
        all("GET /accounts/:account/:environment/categories", { account, environment }),
    },
    tokens: {
      // Not typed by the operation: the service refuses a role that does not fit the account.
      create: async ({ accountId, ...body }) =>
        issuedToken(
          await untyped.ask({
            method: "POST",
            path: accountId === undefined ? "/tokens" : at`/accounts/${accountId}/tokens`,
            body,
          }),
        ),
      list: (account) =>
        account === undefined
          ? all("GET /tokens")
          : all("GET /accounts/:account/tokens", { account }),
      revoke: (token, account) =>
        account === undefined
          ? call("DELETE /tokens/:token", { token })
          : call("DELETE /accounts/:account/tokens/:token", { account, token }),
    },
    setup: {
      link: () => call("POST /setup-links"),
      claim: async (token, name) =>
        issuedToken(await call("POST /setup", { body: { token, name } })),
    },
    projects: {
      create: ({ accountId: account, ...body }) =>
        call("POST /accounts/:account/projects", { account, body }),
      byId: (project) => call("GET /projects/:project", { project }),
      list: (account) =>
        account === undefined
          ? all("GET /projects")
          : all("GET /accounts/:account/projects", { account }),
      update: (project, body) => call("PATCH /projects/:project", { project, body }),
      delete: async (project) => {
        const deleted = await call("DELETE /projects/:project", { project });
        return deleted.ok ? done(undefined) : deleted;
      },
      restore: (project) => call("POST /projects/:project/restore", { project }),
    },
    deploys: {
      create: (project, input) => createDeploy(operations, project, input),
      list: (project) => all("GET /projects/:project/deploys", { project }),
      byId: (project, deploy) =>
        call("GET /projects/:project/deploys/:deploy", { project, deploy }),
      siteFile: (project, deploy) =>
        call("GET /projects/:project/deploys/:deploy/site-file", { project, deploy }),
      activate: (project, deploy) =>
        call("POST /projects/:project/deploys/:deploy/activate", { project, deploy }),
      rollback: (project, to) =>
        call("POST /projects/:project/rollback", { project, body: { to } }),
      pin: (project, deploy, pinned) =>
        call("PATCH /projects/:project/deploys/:deploy", { project, deploy, body: { pinned } }),
      delete: (project, deploy) =>
        call("DELETE /projects/:project/deploys/:deploy", { project, deploy }),
    },
    ...outerParts(untyped),
  };
}

function timeOf(instant: number | undefined): string | undefined {
  return instant === undefined ? undefined : isoTime(instant);
}

/** API keys. The account of a key that is named by its id alone is looked up first. */
function keysOf({ call, all }: Operations): ManagementClient["keys"] {
  const pathOf = async (
    key: string,
  ): Promise<Result<{ readonly account: string; readonly key: string }, Problem>> => {
    const found = await call("GET /keys/:key", { key });
    return found.ok ? done({ account: found.value.accountId, key }) : found;
  };
  return {
    create: async ({ accountId: account, ...body }) =>
      issuedKey(await call("POST /accounts/:account/keys", { account, body })),
    list: (account) => all("GET /accounts/:account/keys", { account }),
    rotate: async ({ keyId, ...body }) => {
      const path = await pathOf(keyId);
      if (!path.ok) return path;
      return issuedKey(
        await call("POST /accounts/:account/keys/:key/rotate", { ...path.value, body }),
      );
    },
    revoke: async (keyId) => {
      const path = await pathOf(keyId);
      return path.ok ? call("DELETE /accounts/:account/keys/:key", path.value) : path;
    },
    unban: async (keyId) => {
      const path = await pathOf(keyId);
      return path.ok ? call("POST /accounts/:account/keys/:key/unban", path.value) : path;
    },
  };
}

function issuedKey(
  answer: Result<KeyView & { readonly key: string }, Problem>,
): Result<IssuedKey, Problem> {
  if (!answer.ok) return answer;
  const { key, ...view } = answer.value;
  return done({ view, token: key });
}

function issuedToken(
  answer: Result<TokenView & { readonly token: string }, Problem>,
): Result<IssuedToken, Problem> {
  if (!answer.ok) return answer;
  const { token, ...view } = answer.value;
  return done({ view, token });
}

const EVENTS = "text/event-stream";

/** Sends a site as a stream; reports progress from the events that come back. */
async function createDeploy(
  { open }: Operations,
  project: string,
  { archive, message, activate, onProgress }: Parameters<ManagementClient["deploys"]["create"]>[1],
): ReturnType<ManagementClient["deploys"]["create"]> {
  const starter = archive === "starter";
  const query = starter ? {} : { message, activate: activate === false ? false : undefined };
  const response = await open(
    "POST /projects/:project/deploys",
    { project, query },
    starter
      ? {
          headers: { accept: EVENTS, "content-type": "application/json" },
          body: JSON.stringify({ source: "starter", message, activate }),
        }
      : {
          headers: { accept: EVENTS, "content-type": "application/gzip" },
          body: archive,
          // A stream is sent before it is known how long it is (Fetch §5.4); older types lack the member.
          ...{ duplex: "half" },
        },
  );
  if (response.body === null || !isEvents(response)) return readAnswer<Deploy>(response);
  for await (const { event, data } of serverSentEvents(response.body)) {
    const value = fromWire(JSON.parse(data));
    // The three kinds of events that the operation has, of the service's own types.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    if (event === "progress") onProgress?.(value as DeployProgress);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    if (event === "done") return done(value as Deploy);
    const refusal = event === "problem" ? problemOf(value) : undefined;
    if (refusal !== undefined) return refused(refusal);
  }
  throw new UnexpectedAnswer(response.status);
}

function isEvents({ headers, ok }: Response): boolean {
  return ok && (headers.get("content-type") ?? "").startsWith(EVENTS);
}

/** The operations that modules above this one add: members and domains. */
function outerParts({
  ask,
  all,
}: Caller): Pick<ManagementClient, "members" | "domains" | "certificates"> {
  return {
    members: {
      list: (accountId) => all({ method: "GET", path: membersPath(accountId) }),
      find: async (email) => {
        const found = await all<MemberView>({ method: "GET", path: "/members", query: { email } });
        return found.ok ? done(found.value[0]) : found;
      },
      create: ({ email, name, in: of }) =>
        ask({
          method: "POST",
          path: membersPath(of?.accountId),
          body: { email, name, role: of?.role },
        }),
      resetLink: (memberId, accountId) =>
        ask({ method: "POST", path: membersPath(accountId) + at`/${memberId}/reset-link` }),
      remove: (memberId, accountId) =>
        ask({ method: "DELETE", path: membersPath(accountId) + at`/${memberId}` }),
    },
    domains: {
      add: (project, domain) =>
        ask({ method: "POST", path: at`/projects/${project}/domains`, body: { domain } }),
      list: ({ project, accountId } = {}) =>
        project === undefined
          ? all({ method: "GET", path: "/domains", query: { account: accountId } })
          : all({ method: "GET", path: at`/projects/${project}/domains` }),
      named: (domain) => all({ method: "GET", path: "/domains", query: { domain } }),
      show: (project, domain) => ask({ method: "GET", path: domainPath(project, domain) }),
      verify: (project, domain) =>
        ask({ method: "POST", path: `${domainPath(project, domain)}/verify` }),
      update: (project, domain, body) =>
        ask({ method: "PATCH", path: domainPath(project, domain), body }),
      remove: (project, domain) => ask({ method: "DELETE", path: domainPath(project, domain) }),
      config: (project) => ask({ method: "GET", path: at`/projects/${project}/domains-config` }),
      configure: (project, body) =>
        ask({ method: "PUT", path: at`/projects/${project}/domains-config`, body }),
      suggestions: (project) =>
        ask({ method: "GET", path: at`/projects/${project}/domain-suggestions` }),
      explain: (domain) => ask({ method: "POST", path: "/domains/explain", body: { domain } }),
    },
    certificates: {
      list: () => all({ method: "GET", path: "/certificates" }),
      renew: (project, domain) =>
        ask({ method: "POST", path: `${domainPath(project, domain)}/renew` }),
      renewHost: (host) => ask({ method: "POST", path: at`/certificates/${host}/renew` }),
      export: (project, domain) =>
        ask({ method: "POST", path: `${domainPath(project, domain)}/certificate/export` }),
      revoke: (project, domain, reason) =>
        ask({
          method: "POST",
          path: `${domainPath(project, domain)}/certificate/revoke`,
          body: reason === undefined ? {} : { reason },
        }),
      revokeHost: (host, reason) =>
        ask({
          method: "POST",
          path: at`/certificates/${host}/revoke`,
          body: reason === undefined ? {} : { reason },
        }),
      accounts: () => ask({ method: "GET", path: "/certificate-accounts" }),
      rolloverAccount: (authority) =>
        ask({ method: "POST", path: "/certificate-accounts/rollover", query: { authority } }),
      replaceAccount: (authority) =>
        ask({ method: "POST", path: "/certificate-accounts/replace", query: { authority } }),
    },
  };
}

function membersPath(accountId: string | undefined): string {
  return accountId === undefined ? "/members" : at`/accounts/${accountId}/members`;
}

function domainPath(project: string, domain: string): string {
  return at`/projects/${project}/domains/${domain}`;
}
