import { describe, expect, test } from "bun:test";

import { includes, roles } from "../../../lib/management/model/principal.ts";
import { everyEndpoint } from "../../helpers/every-endpoint.ts";
import { requestTo, samples, senderOf } from "./samples.ts";
import { openTown } from "./town.ts";

interface Failure {
  readonly code: string;
}

test("every operation has a sample, and every sample an operation", () => {
  const names = everyEndpoint.map(({ operationId }) => operationId);
  expect(Object.keys(samples).toSorted()).toEqual(names.toSorted());
});

describe("who may:", () => {
  for (const endpoint of everyEndpoint) {
    const { operationId, method, success } = endpoint;
    const path = endpoint.path.replaceAll(/:(\w+)/g, "{$1}");
    for (const role of roles) {
      const needed = endpoint.access === "anyone" ? "viewer" : endpoint.role;
      const allowed = includes(role, needed);
      test(`${role} ${allowed ? "can" : "cannot"} ${operationId}`, async () => {
        const { office, ours } = await openTown();
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
  const { office, ours } = await openTown();
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
