import type { ManagementClient } from "./client.ts";
import { at, type Caller } from "./http-client-call.ts";

/** Custom domains and their certificates over HTTP. */
export function domainsOver({
  ask,
  all,
}: Caller): Pick<ManagementClient, "domains" | "certificates"> {
  return {
    domains: {
      add: (project, domain) =>
        ask({ method: "POST", path: at`/projects/${project}/domains`, body: { domain } }),
      list: ({ project, accountId } = {}) =>
        project === undefined
          ? all({ method: "GET", path: "/domains", query: { account: accountId } })
          : all({ method: "GET", path: at`/projects/${project}/domains` }),
      named: (domain) => all({ method: "GET", path: "/domains", query: { domain } }),
      show: (project, domain) => ask({ method: "GET", path: pathOf(project, domain) }),
      verify: (project, domain) =>
        ask({ method: "POST", path: `${pathOf(project, domain)}/verify` }),
      update: (project, domain, body) =>
        ask({ method: "PATCH", path: pathOf(project, domain), body }),
      remove: (project, domain) => ask({ method: "DELETE", path: pathOf(project, domain) }),
      config: (project) => ask({ method: "GET", path: at`/projects/${project}/domains-config` }),
      configure: (project, body) =>
        ask({ method: "PUT", path: at`/projects/${project}/domains-config`, body }),
      suggestions: (project) =>
        ask({ method: "GET", path: at`/projects/${project}/domain-suggestions` }),
      explain: (domain) => ask({ method: "POST", path: "/domains/explain", body: { domain } }),
    },
    certificates: {
      list: () => all({ method: "GET", path: "/certificates" }),
      renew: (project, domain) => ask({ method: "POST", path: `${pathOf(project, domain)}/renew` }),
      renewHost: (host) => ask({ method: "POST", path: at`/certificates/${host}/renew` }),
      export: (project, domain) =>
        ask({ method: "POST", path: `${pathOf(project, domain)}/certificate/export` }),
      revoke: (project, domain, reason) =>
        ask({
          method: "POST",
          path: `${pathOf(project, domain)}/certificate/revoke`,
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

function pathOf(project: string, domain: string): string {
  return at`/projects/${project}/domains/${domain}`;
}
