import { done } from "../../base/result.ts";
import { endpoint, Reply } from "../../http/endpoint.ts";
import { onPlatform } from "../endpoint.ts";
import { textParameter } from "../../http/parameters.ts";
import { DOMAIN_LABELS } from "../../model/text.ts";
import type { System } from "../system.ts";
import {
  baseDomainExample,
  baseDomainShape,
  sampleShelterExample,
  sampleShelterShape,
  systemExample,
  systemShape,
} from "./system-shapes.ts";

/** A name has 253 characters at most; twice that leaves room for what is pasted with it. */
const MAX_NAME = 512;

/** What operators are told of the program itself; for `createManagement`, as `more`. */
export function systemEndpoints(system: System) {
  return [
    endpoint({
      operationId: "getSystem",
      method: "GET",
      path: "/system",
      tag: "system",
      access: onPlatform("operator"),
      summary: "Look at the service itself",
      description:
        "What `petstore doctor` sees, and the options with where each comes from; secrets are not shown. Looked at " +
        "once at a time; what was found in the last five seconds is told again.",
      success: {
        status: 200,
        description: "What was found.",
        schema: systemShape,
        example: systemExample,
      },
      refusals: [],
      run: async () => done(await system.report()),
    }),
    endpoint({
      operationId: "getBaseDomain",
      method: "GET",
      path: "/system/base-domain",
      tag: "system",
      access: onPlatform("operator"),
      summary: "Look at a name for the base domain",
      description:
        "Whether a name leads here, with the records and the options that are missing. It changes nothing: options " +
        "are changed where the program is started. Takes 15 seconds at most.",
      query: {
        name: textParameter("A domain or an address. Default: the present base domain.", {
          maxLength: MAX_NAME,
          rule: "must be a domain such as pets.example.org, or an address",
          pattern: DOMAIN_LABELS,
        }),
      },
      success: {
        status: 200,
        description: "What was found.",
        schema: baseDomainShape,
        example: baseDomainExample,
      },
      refusals: ["invalid_parameter"],
      run: ({ query }) => system.baseDomain(query.name),
    }),
    endpoint({
      operationId: "createSampleShelter",
      method: "POST",
      path: "/accounts/sample",
      tag: "accounts",
      access: onPlatform("operator"),
      summary: "Create a sample shelter",
      description:
        "An account on the plan Pro, with twelve animals in each environment, and a site that shows them with " +
        "pictures and texts. Another call makes another one.",
      success: {
        status: 201,
        description: "The account and its site.",
        schema: sampleShelterShape,
        example: sampleShelterExample,
        headers: ["Location"],
      },
      refusals: ["limit_reached"],
      run: async ({ principal, base }) => {
        const made = await system.sampleShelter(principal.name);
        if (!made.ok) return made;
        const location = `${base}/accounts/${made.value.account.id}`;
        return done(new Reply(made.value, { headers: { location } }));
      },
    }),
  ];
}
