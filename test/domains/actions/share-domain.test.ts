import { describe, expect, test } from "bun:test";

import type { SharedDomainView, ShareLinkView } from "../../../domains/view/shapes.ts";
import { createShareLinks } from "../../../domains/storage/share-links.ts";
import { DAY_MS, SECOND_MS } from "../../../lib/base/clock.ts";
import { openOffice, realProjects, START } from "../../helpers/management.ts";

const PETS = "pets.shelter.org";
const ROOT = "/manage/v1";
const SITE = `${ROOT}/projects/cats-site`;

async function open() {
  const office = await openOffice({ projects: realProjects });
  const owner = office.as("owner");
  await owner.post(`${ROOT}/accounts/${office.accountId}/projects`, {
    name: "Canary & Cats",
    slug: "cats-site",
  });
  await owner.post(`${SITE}/domains`, { domain: PETS });
  const share = async (body: object = {}) =>
    office.as("staff").post<ShareLinkView>(`${SITE}/domains/${PETS}/share`, body);
  const read = async (token: string) => {
    const response = await office.ask(
      new Request(`https://petstore.test${ROOT}/shared-domain`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ token }),
      }),
    );
    const { status, headers } = response;
    return { status, headers, body: (await response.json()) as SharedDomainView };
  };
  return { office, share, read };
}

describe("a share link", () => {
  test("shows the records and nothing of the account, without a credential", async () => {
    const { share, read, office } = await open();
    const { status, body } = await share();
    expect(status).toBe(201);
    expect(body.url).toBe(`https://petstore.test/share#${body.token}`);
    const shown = await read(body.token);
    expect(shown.status).toBe(200);
    expect(shown.body.records[0]).toMatchObject({ type: "CNAME", fqdn: PETS });
    expect(shown.headers.get("cache-control")).toBe("no-store");
    const text = JSON.stringify(shown.body);
    for (const secret of [office.accountId, "cats-site", "Canary", "dom_", "prj_"]) {
      expect(text).not.toContain(secret);
    }
    expect(Object.keys(shown.body)).toEqual([
      ...["domain", "unicode", "dns", "records", "nextCheckAt", "expiresAt"],
    ]);
  });

  test("says nothing about a suspended account", async () => {
    const { office, share, read } = await open();
    const { body } = await share();
    await office.as("operator").post(`${ROOT}/accounts/${office.accountId}/suspend`, {});
    expect(JSON.stringify((await read(body.token)).body)).not.toContain("suspended");
  });

  test("ends after its days, and with the domain", async () => {
    const { office, share, read } = await open();
    const [short, long] = [(await share({ days: 1 })).body, (await share({ days: 30 })).body];
    office.clock.advance(DAY_MS - SECOND_MS);
    expect((await read(short.token)).status).toBe(200);
    office.clock.advance(SECOND_MS);
    expect((await read(short.token)).status).toBe(404);
    expect((await read(long.token)).status).toBe(200);
    await office.as("owner").delete(`${SITE}/domains/${PETS}`);
    expect((await read(long.token)).status).toBe(404);
    expect((await share()).status).toBe(404);
  });

  test("is made by staff only, for 1 to 30 days", async () => {
    const { office, share } = await open();
    const viewer = await office.as("viewer").post(`${SITE}/domains/${PETS}/share`, {});
    expect(viewer.status).toBe(403);
    for (const days of [0, 31, 1.5, "7"]) expect((await share({ days })).status).toBe(400);
  });
});

test("a token with any changed character shows nothing", () => {
  const links = createShareLinks(new Uint8Array(32).fill(1));
  const shared = { domainId: "dom_4fQ8rT1zXk2B", expiresAt: START + DAY_MS };
  const token = links.token(shared);
  expect(links.read(token, START)).toEqual(shared);
  for (let at = 0; at < token.length; at++) {
    for (const other of ["A", "z", "0", "_", "-", "é"]) {
      if (token[at] === other) continue;
      const changed = token.slice(0, at) + other + token.slice(at + 1);
      expect(links.read(changed, START), changed).toBeUndefined();
    }
  }
  expect(createShareLinks(new Uint8Array(32).fill(2)).read(token, START)).toBeUndefined();
  expect(links.read("", START)).toBeUndefined();
  expect(links.read(`${token}${"A".repeat(10_000)}`, START)).toBeUndefined();
});
