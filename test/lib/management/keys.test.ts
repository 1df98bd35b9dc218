import { expect, test } from "bun:test";

import { openOffice } from "../../helpers/management.ts";

interface Key {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}

test("a key is renamed, also one that ended, and an empty name is one", async () => {
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

test("a name that is too long or has control characters is refused, and changes nothing", async () => {
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
