import { expect, test } from "bun:test";

import { codesOf } from "../../../lib/management/describe.ts";
import { managementEndpoints } from "../../../lib/management/endpoints.ts";
import { BASE, openOffice } from "../../helpers/management.ts";

interface Made {
  readonly id: string;
  readonly code?: string;
}

test("creating accounts, keys, successors and tokens returns their Location", async () => {
  const office = await openOffice();
  const operator = office.as("operator");
  const account = `/accounts/${office.accountId}`;
  const made = async (path: string, body: unknown = {}) => {
    const { body: one, headers } = await operator.post<Made>(`/manage/v1${path}`, body);
    return { id: one.id, location: headers.get("location") };
  };
  const other = await made("/accounts", { name: "Foxes" });
  expect(other.location).toBe(`${BASE}/manage/v1/accounts/${other.id}`);
  const key = await made(`${account}/keys`);
  expect(key.location).toBe(`${BASE}/manage/v1/keys/${key.id}`);
  const successor = await made(`${account}/keys/${key.id}/rotate`);
  expect(successor.location).toBe(`${BASE}/manage/v1/keys/${successor.id}`);
  const token = await made(`${account}/tokens`, { role: "viewer" });
  expect(token.location).toBe(`${BASE}/manage/v1${account}/tokens/${token.id}`);
  const first = await made("/tokens");
  expect(first.location).toBe(`${BASE}/manage/v1/tokens/${first.id}`);
  const link = await operator.post<{ readonly url: string }>("/manage/v1/setup-links");
  const claimed = await made("/setup", { token: new URL(link.body.url).hash.slice(1) });
  expect(claimed.location).toBe(`${BASE}/manage/v1/tokens/${claimed.id}`);
});

test("an account can have a hundred working keys in each environment", async () => {
  const office = await openOffice();
  const owner = office.as("owner");
  const keys = `/manage/v1/accounts/${office.accountId}/keys`;
  for (let count = 0; count < 100; count++) await owner.post(keys, {});
  const over = await owner.post<Made>(keys, {});
  expect([over.status, over.body.code]).toEqual([409, "limit_reached"]);
  expect((await owner.post(keys, { environment: "staging" })).status).toBe(201);
  const [newest] = (await owner.get<readonly Made[]>(keys)).body.slice(1);
  expect((await owner.post(`${keys}/${newest?.id}/rotate`)).status).toBe(201);
});

test("only operations for an account's members can be refused because it is suspended", () => {
  const refusable = managementEndpoints.filter((one) =>
    codesOf(one, new Set()).includes("account_suspended"),
  );
  const meant = managementEndpoints.filter(
    ({ access, method }) =>
      access.kind !== "anyone" && access.role !== "operator" && method !== "GET",
  );
  expect(refusable.map(({ operationId }) => operationId)).toEqual(
    meant.map(({ operationId }) => operationId),
  );
});
