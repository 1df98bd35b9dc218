import type { ManagementClient } from "./client.ts";
import { accountsOver } from "./http-client-accounts.ts";
import { at, caller, operationsClient, type Caller, type SendRequest } from "./http-client-call.ts";
import { deploysOver } from "./http-client-deploys.ts";
import { domainsOver } from "./http-client-domains.ts";
import { keysOver, tokensOver } from "./http-client-keys.ts";
import { membersOver } from "./http-client-members.ts";

export { UnexpectedAnswer, type SendRequest } from "./http-client-call.ts";

export interface ManagementClientOptions {
  /**
   * Carries a request to the service, with whatever proves that it may; rejects when it cannot be reached. A body
   * that is a stream is sent once.
   */
  readonly send: SendRequest;
  /** Of the API, `/manage/v1` included. Default: `http://localhost/manage/v1`, for a `send` that knows the way. */
  readonly base?: string;
}

/** The management API as functions. Rejects with `UnexpectedAnswer` when what answers is something else. */
export function managementClient({
  send,
  base = "http://localhost/manage/v1",
}: ManagementClientOptions): ManagementClient {
  const call = caller(send, base);
  return {
    ...accountsOver(call),
    keys: keysOver(operationsClient(send, base)),
    ...animalsOver(call),
    ...tokensOver(call),
    ...membersOver(call),
    projects: projectsOver(call),
    deploys: deploysOver(call),
    ...domainsOver(call),
  };
}

function animalsOver({ ask, all }: Caller): Pick<ManagementClient, "pets" | "categories"> {
  return {
    pets: {
      import: ({ accountId, environment = "production", ...body }) =>
        ask({
          method: "POST",
          path: at`/accounts/${accountId}/${environment}/pets/import`,
          body,
        }),
      page: ({ accountId, environment = "production", after, limit }) =>
        ask({
          method: "GET",
          path: at`/accounts/${accountId}/${environment}/pets`,
          query: { after: after === 0 ? undefined : after, limit },
        }),
    },
    categories: {
      list: ({ accountId, environment = "production" }) =>
        all({ method: "GET", path: at`/accounts/${accountId}/${environment}/categories` }),
    },
  };
}

function projectsOver({ ask, all }: Caller): ManagementClient["projects"] {
  return {
    create: ({ accountId, ...body }) =>
      ask({ method: "POST", path: at`/accounts/${accountId}/projects`, body }),
    byId: (project) => ask({ method: "GET", path: at`/projects/${project}` }),
    list: (accountId) =>
      all({
        method: "GET",
        path: accountId === undefined ? "/projects" : at`/accounts/${accountId}/projects`,
      }),
    update: (project, body) => ask({ method: "PATCH", path: at`/projects/${project}`, body }),
    delete: (project) => ask({ method: "DELETE", path: at`/projects/${project}` }),
    restore: (project) => ask({ method: "POST", path: at`/projects/${project}/restore` }),
  };
}
