import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";

import { runSeed, torture } from "../../helpers/chance.ts";
import { describing, type Document } from "../../helpers/description.ts";
import { openOffice } from "../../helpers/management.ts";
import { requests } from "../../properties/generate.ts";
import { openTenants, type Tenants } from "./tenants.ts";

const runs = { seed: runSeed, numRuns: torture ? 2_000 : 30 };

const fetched = await (await openOffice()).as("viewer").get<Document>("/manage/v1/openapi.json");
// Only present if there is another page.
const description = describing(fetched.body, ["link"]);
const { document, operations } = description;

describe("the management API's OpenAPI document", () => {
  test("has the address of the API below the host", () => {
    expect(document.servers.map(({ url }) => url)).toEqual(["/manage/v1"]);
  });

  test("describes the tag and the refusals of every operation", () => {
    const tags = new Set(document.tags.map(({ name }) => name));
    for (const { tags: own, responses } of operations) {
      expect(own.filter((tag) => tags.has(tag))).toHaveLength(1);
      for (const status of ["400", "406", "414", "429", "500", "503"]) {
        expect(responses).toHaveProperty(status);
      }
      expect(Object.keys(responses).some((status) => status.startsWith("2"))).toBe(true);
    }
  });

  test("requires a token or a session for every operation except those that issue one", () => {
    const open = operations.filter((one) => "security" in one).map((one) => one.operationId);
    expect(open).toEqual([
      "claimSetup",
      "checkSetupLink",
      "readSharedDomain",
      "getSignIn",
      "signIn",
      "beginPasskeySignIn",
      "signInWithPasskey",
      "setUpMember",
      "requestPasswordReset",
      "checkResetLink",
      "resetPassword",
    ]);
    const unproven = operations.filter(({ responses }) => !("401" in responses));
    expect(unproven.map((one) => one.operationId)).toEqual([
      "readSharedDomain",
      "getSignIn",
      "beginPasskeySignIn",
      "requestPasswordReset",
    ]);
  });
});

/** Paths of an operation, mostly of existing resources. */
function addresses(path: string, { ours }: Tenants): fc.Arbitrary<string> {
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => String(name));
  const values = names.map((name) =>
    fc.oneof(
      { arbitrary: fc.constant(ours.things[name] ?? name), weight: 8 },
      { arbitrary: fc.constantFrom("acc_none", "staging", "otters-site", "%00", "%ff"), weight: 1 },
      {
        arbitrary: fc.webSegment({ size: "xsmall" }).filter((text) => !/^\.{0,2}$/.test(text)),
        weight: 1,
      },
    ),
  );
  return fc
    .tuple(...values)
    .map((given) =>
      names.reduce(
        (filled, name, index) => filled.replace(`{${name}}`, given[index] ?? ""),
        `/manage/v1${path}`,
      ),
    );
}

describe("every response is documented, whatever is sent:", () => {
  for (const operation of operations) {
    test(operation.operationId, async () => {
      const tenants = await openTenants();
      const { office } = tenants;
      const member = await office.signIn("owner");
      const callers = [office.as("operator"), office.as("owner"), member.api] as const;
      await fc.assert(
        fc.asyncProperty(
          requests(description, operation, addresses(operation.path, tenants)),
          fc.constantFrom(...callers),
          async ({ path, headers, body }, caller) => {
            const init = { headers, ...(body === undefined ? {} : { body }) };
            const reply = await caller.raw(operation.method, path, init);
            if (reply.status >= 500) throw new Error(`${reply.status} ${reply.text}`);
            const fault = description.faultOfReply(operation, reply);
            if (fault !== undefined) throw new Error(`${fault}\n${reply.status} ${reply.text}`);
          },
        ),
        runs,
      );
      await tenants.office.management.close();
    });
  }
});
