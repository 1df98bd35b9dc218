import { describe, expect, test } from "bun:test";

import type { Role } from "../../../lib/accounts/principal.ts";
import { everyEndpoint } from "../../helpers/every-endpoint.ts";
import { requestTo, senderOf } from "./samples.ts";
import { openTenants } from "./tenants.ts";

interface Failure {
  readonly code: string;
}

const everyRole: readonly Role[] = ["viewer", "staff", "owner", "operator"];

test("only operations that check a secret in the body, or answer everybody alike, need no credential", () => {
  const open = everyEndpoint.filter(({ access }) => access.kind === "anyone");
  expect(open.map(({ operationId }) => operationId).toSorted()).toEqual([
    "beginPasskeySignIn",
    "checkResetLink",
    "checkSetupLink",
    "claimSetup",
    "getSignIn",
    "readSharedDomain",
    "requestPasswordReset",
    "resetPassword",
    "setUpMember",
    "signIn",
    "signInWithPasskey",
  ]);
});

// The table in docs/management.md shows which role each operation declares.
describe("permissions:", () => {
  for (const endpoint of everyEndpoint) {
    const { operationId, method, success, access } = endpoint;
    const path = endpoint.path.replaceAll(/:(\w+)/g, "{$1}");
    const lowest = access.kind === "anyone" ? 0 : everyRole.indexOf(access.role);
    for (const [rank, role] of everyRole.entries()) {
      const allowed = rank >= lowest;
      test(`${role} ${allowed ? "can" : "cannot"} ${operationId}`, async () => {
        const { office, ours } = await openTenants();
        const sender = await senderOf(office, operationId, role);
        const things = { ...ours.things, ...sender.things };
        const request = requestTo({ operationId, method, path }, things);
        const reply = await sender.api.raw<Failure>(request.method, request.path, request.init);
        if (allowed) expect([reply.status, reply.text]).toEqual([success.status, reply.text]);
        else expect([reply.status, reply.body.code]).toEqual([403, "insufficient_role"]);
      });
    }
  }
});

test("owners may rename their account, and only operators change its plan and limits", async () => {
  const { office, ours } = await openTenants();
  const account = `/manage/v1/accounts/${ours.accountId}`;
  const before = await office.as("owner").get(account);
  for (const body of [{ plan: "pro" }, { limits: { perMinute: 9, perDay: 9 } }]) {
    const reply = await office.as("owner").patch<Failure>(account, { name: "Kept", ...body });
    expect([reply.status, reply.body.code]).toEqual([403, "insufficient_role"]);
  }
  expect((await office.as("owner").get(account)).body).toEqual(before.body);
  const change = { plan: "enterprise", limits: { perMinute: 9, perDay: 99 }, name: "New" };
  const changed = await office.as("operator").patch(account, change);
  expect(changed.body).toMatchObject(change);
});
