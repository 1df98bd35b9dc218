import { expect, test } from "bun:test";

import { openOffice } from "../../helpers/management.ts";

interface Key {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}

test("a key can be renamed, also after it ended, and to an empty name", async () => {
  const office = await openOffice();
  const owner = office.as("owner");
  const account = `/manage/v1/accounts/${office.accountId}`;
  const made = await owner.post<Key>(`${account}/keys`, { name: "website" });
  const path = `${account}/keys/${made.body.id}`;
  const renamed = await owner.patch<Key>(path, { name: " Front page " });
  expect([renamed.status, renamed.body.name]).toEqual([200, "Front page"]);
  await owner.delete(path);
  expect((await owner.patch<Key>(path, { name: "" })).body).toMatchObject({
    name: "",
    status: "revoked",
  });
  const events = await owner.get<readonly { type: string; data: Key }[]>(
    `${account}/events?types=key.updated`,
  );
  expect(events.body.map(({ data }) => data.name)).toEqual(["Front page", ""]);
});

test("a name that is too long or has control characters is refused", async () => {
  const office = await openOffice();
  const owner = office.as("owner");
  const account = `/manage/v1/accounts/${office.accountId}`;
  const made = await owner.post<Key>(`${account}/keys`, { name: "website" });
  const path = `${account}/keys/${made.body.id}`;
  for (const name of ["x".repeat(121), "a\nb"]) {
    const reply = await owner.patch<{ code: string }>(path, { name });
    expect([reply.status, reply.body.code]).toEqual([400, "invalid_value"]);
  }
  expect((await owner.get<Key>(`/manage/v1/keys/${made.body.id}`)).body.name).toBe("website");
});

test("a key and its successor list their networks once each, in normal form", async () => {
  const office = await openOffice();
  const owner = office.as("owner");
  const keys = `/manage/v1/accounts/${office.accountId}/keys`;
  const allowedAddresses = ["203.0.113.9/24", "203.0.113.0/24", "2001:DB8:0::/48", "192.0.2.1"];
  const made = await owner.post<Key>(keys, { allowedAddresses });
  expect(made.status).toBe(201);
  const normal = ["203.0.113.0/24", "2001:db8::/48", "192.0.2.1/32"];
  await owner.post(`${keys}/${made.body.id}/rotate`, {});
  const listed = await owner.get<readonly Key[]>(keys);
  expect(listed.body).toHaveLength(2);
  for (const key of listed.body) expect(key).toMatchObject({ allowedAddresses: normal });
});

test.each([
  ["none", []],
  ["more than fifty", Array.from({ length: 51 }, (_, index) => `10.0.0.${index}`)],
  ["a name", ["office.example.org"]],
  ["a number", [10]],
  ["a mask too long", ["10.0.0.0/33"]],
])("a key cannot be bound to %s", async (_, allowedAddresses) => {
  const office = await openOffice();
  const keys = `/manage/v1/accounts/${office.accountId}/keys`;
  const reply = await office.as("owner").post<{ code: string }>(keys, { allowedAddresses });
  expect([reply.status, reply.body.code]).toEqual([400, "invalid_value"]);
});
