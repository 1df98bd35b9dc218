import { done } from "../../lib/base/result.ts";
import { withBody, type ManagementEndpoint } from "../../lib/management/endpoint.ts";
import { present } from "../../lib/management/present.ts";
import type { Domains } from "../domains.ts";
import { DEFAULT_REDIRECT } from "../model/redirects.ts";
import { ownerOf } from "./endpoints-domain.ts";
import { configExample, suggestionExample } from "./examples.ts";
import { suggestionsShape } from "./schemas.ts";
import { DomainsConfigSchema } from "./schemas-body.ts";

const configured = {
  status: 200,
  description: "The map.",
  schema: { name: DomainsConfigSchema.name, json: DomainsConfigSchema.json },
  example: configExample,
} as const;

/** The domains of a project as a map that is read and written as a whole. */
export function domainsConfigEndpoints(domains: Domains): readonly ManagementEndpoint[] {
  return [
    {
      tag: "domains",
      access: "project",
      operationId: "getDomainsConfig",
      method: "GET",
      path: "/projects/:project/domains-config",
      role: "viewer",
      summary: "Get the map of domains",
      description: "Which domain shows the site, and which ones lead to it.",
      parameters: [],
      success: configured,
      refusals: [],
      handle: async ({ project }) => done({ status: 200, value: await domains.config(project.id) }),
    },
    withBody({
      tag: "domains",
      access: "project",
      operationId: "putDomainsConfig",
      method: "PUT",
      path: "/projects/:project/domains-config",
      role: "staff",
      summary: "Replace the map of domains",
      description:
        "Taken as a whole or not at all. Every name in it must be a domain of the project; one that it does not name " +
        "leads to the primary one. Circles, chains and redirects of the primary domain are refused.",
      parameters: [],
      body: DomainsConfigSchema,
      success: configured,
      refusals: [],
      handle: async (call) => {
        const { redirects, ...rest } = call.body;
        const configuredNow = await domains.configure(ownerOf(call), {
          ...present(rest),
          redirects: redirects.map(({ from, to, status = DEFAULT_REDIRECT }) => ({
            from,
            to,
            status,
          })),
        });
        return configuredNow.ok ? done({ status: 200, value: configuredNow.value }) : configuredNow;
      },
    }),
    {
      tag: "domains",
      access: "project",
      operationId: "listDomainSuggestions",
      method: "GET",
      path: "/projects/:project/domain-suggestions",
      role: "viewer",
      summary: "List domains that the site asks for",
      description:
        "The `domains` of the live deploy's `petstore.site.json` take effect when it becomes live, for domains that are " +
        "verified. These are the others.",
      parameters: [],
      success: {
        status: 200,
        description: "The names, in the order in which they are named.",
        schema: suggestionsShape,
        example: [suggestionExample],
      },
      refusals: [],
      handle: async ({ project }) =>
        done({ status: 200, value: await domains.suggestions(project.id) }),
    },
  ];
}
