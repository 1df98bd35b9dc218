import { done } from "../../lib/base/result.ts";
import { endpoint } from "../../lib/management/endpoint.ts";
import type { DomainsConfigView } from "../../lib/management/domain-view.ts";
import type { Named, Shape } from "../../lib/base/shape.ts";
import { present } from "../../lib/management/present.ts";
import type { Domains } from "../domains.ts";
import { DEFAULT_REDIRECT } from "../model/redirects.ts";
import { ownerOf } from "./endpoints-domain.ts";
import { configExample, suggestionExample } from "./examples.ts";
import { suggestionsShape } from "./schemas.ts";
import { DomainsConfigSchema } from "./schemas-body.ts";

const configShape: Named<Shape<DomainsConfigView>> = {
  name: DomainsConfigSchema.name,
  json: DomainsConfigSchema.json,
};

const configured = {
  status: 200,
  description: "The map.",
  schema: configShape,
  example: configExample,
} as const;

/** The domains of a project as a map that is read and written as a whole. */
export function domainsConfigEndpoints(domains: Domains) {
  return [
    endpoint({
      tag: "domains",
      access: "project",
      operationId: "getDomainsConfig",
      method: "GET",
      path: "/projects/:project/domains-config",
      role: "viewer",
      summary: "Get the map of domains",
      description: "Which domain shows the site, and which ones lead to it.",
      success: configured,
      refusals: [],
      run: async ({ project }) => done(await domains.config(project.id)),
    }),
    endpoint({
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
      body: DomainsConfigSchema,
      success: configured,
      refusals: [],
      run: async (call) => {
        const { redirects, ...rest } = call.body;
        return domains.configure(ownerOf(call), {
          ...present(rest),
          redirects: redirects.map(({ from, to, status = DEFAULT_REDIRECT }) => ({
            from,
            to,
            status,
          })),
        });
      },
    }),
    endpoint({
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
      success: {
        status: 200,
        description: "The names, in the order in which they are named.",
        schema: suggestionsShape,
        example: [suggestionExample],
      },
      refusals: [],
      run: async ({ project }) => done(await domains.suggestions(project.id)),
    }),
  ];
}
