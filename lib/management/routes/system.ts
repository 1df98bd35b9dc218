import { done } from "../../base/result.ts";
import { memberNamed } from "../../model/audit-types.ts";
import { endpoint, Reply } from "../../http/endpoint.ts";
import { onPlatform } from "../endpoint.ts";
import { textParameter } from "../../http/parameters.ts";
import { DOMAIN_LABELS } from "../../model/text.ts";
import type { System } from "../system.ts";
import {
  baseDomainExample,
  baseDomainShape,
  mailTestExample,
  MailTestSchema,
  mailTestShape,
  nodesExample,
  nodesShape,
  sampleShelterExample,
  sampleShelterShape,
  systemExample,
  systemShape,
} from "./system-shapes.ts";

/** Twice the length of the longest name (253), which leaves room for pasted text around it. */
const MAX_NAME = 512;

/** The operations on the program itself, for operators. Pass them to `createManagement` as `more`. */
export function systemEndpoints(system: System) {
  return [
    endpoint({
      operationId: "getSystem",
      method: "GET",
      path: "/system",
      tag: "system",
      access: onPlatform("operator"),
      summary: "Get the state of the service",
      description:
        "The checks of `petstore doctor`, and the options with their sources, without secrets. Checks run one at a " +
        "time; results are reused for five seconds.",
      success: {
        status: 200,
        description: "The checks and the options.",
        schema: systemShape,
        example: systemExample,
      },
      refusals: [],
      run: async () => done(await system.report()),
    }),
    endpoint({
      operationId: "listNodes",
      method: "GET",
      path: "/system/nodes",
      tag: "system",
      access: onPlatform("operator"),
      summary: "List the nodes",
      description:
        "The processes that serve this installation: several with PostgreSQL, otherwise one. A node that ended without " +
        "saying so is listed for an hour.",
      success: {
        status: 200,
        description: "The nodes, by name.",
        schema: nodesShape,
        example: nodesExample,
      },
      refusals: [],
      run: async () => done(await system.nodes()),
    }),
    endpoint({
      operationId: "getBaseDomain",
      method: "GET",
      path: "/system/base-domain",
      tag: "system",
      access: onPlatform("operator"),
      summary: "Check a name for the base domain",
      description:
        "Checks whether a name leads here, and returns the missing records and options. It changes nothing: options " +
        "are set where the program is started. Takes at most 15 seconds.",
      query: {
        name: textParameter("A domain or an address. Default: the current base domain.", {
          maxLength: MAX_NAME,
          rule: "must be a domain such as pets.example.org, or an address",
          pattern: DOMAIN_LABELS,
        }),
      },
      success: {
        status: 200,
        description: "The checks, and the missing records and options.",
        schema: baseDomainShape,
        example: baseDomainExample,
      },
      refusals: ["invalid_parameter"],
      run: ({ query }) => system.baseDomain(query.name),
    }),
    endpoint({
      operationId: "testMail",
      // Without the address.
      records: (_call, value) => ({
        type: "mail.tested",
        data: { outcome: memberNamed(value, "outcome") },
      }),
      method: "POST",
      path: "/system/mail-test",
      tag: "system",
      access: onPlatform("operator"),
      summary: "Send a test mail",
      description:
        "Sends a mail to an address now, and returns what the mail server said. Takes at most five minutes.",
      body: MailTestSchema,
      success: {
        status: 200,
        description: "The outcome.",
        schema: mailTestShape,
        example: mailTestExample,
      },
      refusals: ["not_found"],
      run: ({ body: { to, language = "en" } }) => system.testMail(to, language),
    }),
    endpoint({
      operationId: "createSampleShelter",
      method: "POST",
      path: "/accounts/sample",
      tag: "accounts",
      access: onPlatform("operator"),
      summary: "Create a sample shelter",
      description:
        "Creates an account on the Pro plan with twelve animals in each environment, and a site that shows them with " +
        "photos and descriptions. Each call creates another account.",
      success: {
        status: 201,
        description: "The account and its site.",
        schema: sampleShelterShape,
        example: sampleShelterExample,
        headers: ["Location"],
      },
      refusals: ["limit_reached"],
      run: async ({ principal, actor, base }) => {
        const made = await system.sampleShelter(principal.name, actor);
        if (!made.ok) return made;
        const location = `${base}/accounts/${made.value.account.id}`;
        return done(new Reply(made.value, { headers: { location } }));
      },
    }),
  ];
}
