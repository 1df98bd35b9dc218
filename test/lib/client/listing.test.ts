import { expect, test } from "bun:test";

import { scene } from "./scripted.ts";

const listed = (ids: readonly number[], link?: string, total?: string): Response =>
  Response.json(
    ids.map((id) => ({ id })),
    {
      headers: {
        ...(link === undefined ? {} : { link: `<${link}>; rel="next"` }),
        ...(total === undefined ? {} : { "x-total-count": total }),
      },
    },
  );

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

test("iteration follows the links to the end", async () => {
  const { client, sent } = scene([
    listed([3, 2], "https://pets.test/v1/pets?limit=2&cursor=abc"),
    listed([1]),
  ]);
  expect(await collect(client.pets.all({ limit: 2 }))).toMatchObject([
    { id: 3 },
    { id: 2 },
    { id: 1 },
  ]);
  expect(sent.map(({ request }) => new URL(request.url).search)).toEqual([
    "?limit=2",
    "?limit=2&cursor=abc",
  ]);
});

test("a page is requested when it is needed", async () => {
  const { client, sent } = scene([listed([3], "https://pets.test/v1/pets?cursor=abc")]);
  for await (const { items } of client.pets.pages()) {
    expect(items).toHaveLength(1);
    break;
  }
  expect(sent).toHaveLength(1);
});

test("a page has the next cursor and the total count", async () => {
  const { client } = scene([listed([3], "https://pets.test/v1/pets?cursor=abc", "5")]);
  const { next, total } = await client.pets.list({ count: true });
  expect([next, total]).toEqual(["abc", 5]);
});

test("the key is not sent to another origin, and the list fails instead of ending there", async () => {
  const { client, sent } = scene([listed([3], "https://evil.test/v1/pets?cursor=abc")]);
  const walk = collect(client.pets.all());
  expect(walk).rejects.toMatchObject({ code: "unexpected_answer" });
  await walk.catch(() => undefined);
  expect(sent).toHaveLength(1);
});

test("several ids are sent in one parameter", async () => {
  const { client, sent } = scene([listed([])]);
  await client.pets.list({ id: [1, 2] });
  expect(sent[0]?.request.url).toBe("https://pets.test/v1/pets?id=1%2C2");
});
