import { endpoint } from "../../lib/management/endpoint.ts";
import { present } from "../../lib/management/present.ts";
import { wantsEvents } from "../../lib/management/sse.ts";
import type { Domains, Owner } from "../domains.ts";
import { domainExample } from "./examples.ts";
import { domainEvents, followDomain } from "./follow-domain.ts";
import type { Looks } from "./looks.ts";
import { domainShape } from "./schemas.ts";
import { DomainPatchSchema } from "./schemas-body.ts";

const one = {
  status: 200,
  description: "The domain.",
  schema: domainShape,
  example: domainExample,
} as const;

const PATH = "/projects/:project/domains/:domain";

/** What is done with one domain of a project. */
export function domainEndpointsOfOne(domains: Domains, looks: Looks) {
  return [
    endpoint({
      tag: "domains",
      access: "project",
      operationId: "getDomain",
      method: "GET",
      path: PATH,
      role: "viewer",
      summary: "Get or follow a domain",
      description:
        "With what was found in the DNS, the records to enter, and what happened. One that was removed is shown for " +
        "30 days. With `Accept: text/event-stream` the answer goes on.",
      success: { ...one, events: domainEvents },
      refusals: ["not_found", "limit_reached"],
      run: async (call, services) => {
        const shown = await domains.show(ownerOf(call), nameIn(call));
        if (!shown.ok || !wantsEvents(call.request)) return shown;
        const { id } = shown.value;
        return followDomain(call, services, domains, { owner: ownerOf(call), id });
      },
    }),
    endpoint({
      tag: "domains",
      access: "project",
      operationId: "verifyDomain",
      method: "POST",
      path: `${PATH}/verify`,
      role: "staff",
      summary: "Verify a domain",
      description:
        "Asks the DNS now and answers in ten seconds at most: with findings, whatever they are. Checks that had paused " +
        "begin anew, and so does an order that waited for nothing but time. A caller has five looks at the DNS under way at " +
        "a time.",
      success: one,
      refusals: ["not_found"],
      run: (call) => looks.take(call, () => domains.verify(ownerOf(call), nameIn(call))),
    }),
    endpoint({
      tag: "domains",
      access: "project",
      operationId: "updateDomain",
      method: "PATCH",
      path: PATH,
      role: "staff",
      summary: "Change what a domain does",
      description:
        "Makes it primary, or lets it lead to another domain of the project, or sets how long browsers insist on HTTPS. " +
        "What is absent stays.",
      body: DomainPatchSchema,
      success: one,
      refusals: ["not_found"],
      run: (call) => domains.update(ownerOf(call), nameIn(call), present(call.body)),
    }),
    endpoint({
      tag: "domains",
      access: "project",
      operationId: "removeDomain",
      method: "DELETE",
      path: PATH,
      role: "owner",
      summary: "Remove a domain",
      description:
        "It is not served any more at once. For 30 days its certificate is kept, so that adding it again to the same " +
        "project serves it at once.",
      success: { ...one, description: "The domain, removed." },
      refusals: ["not_found"],
      run: (call) => domains.remove(ownerOf(call), nameIn(call)),
    }),
  ];
}

/** The owner of the domains of a call. */
export function ownerOf({
  project: { id, accountId },
}: {
  readonly project: { readonly id: string; readonly accountId: string };
}): Owner {
  return { projectId: id, accountId };
}

export function nameIn({ params }: { readonly params: { readonly domain: string } }): string {
  return params.domain;
}
