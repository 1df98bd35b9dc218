import { expect, test } from "bun:test";

import { scene, turn } from "./scripted.ts";

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

test("a page that links to itself fails instead of repeating for ever", async () => {
  const { client, sent } = scene([listed([3], "https://pets.test/v1/pets?cursor=abc")]);
  expect(collect(client.pets.all())).rejects.toMatchObject({ code: "unexpected_answer" });
  await turn();
  expect(sent).toHaveLength(2);
});

test("a slow consumer delays the next request", async () => {
  const { client, sent } = scene([
    listed([3], "https://pets.test/v1/pets?cursor=abc"),
    listed([2], "https://pets.test/v1/pets?cursor=def"),
    listed([1]),
  ]);
  const walk = client.pets.all()[Symbol.asyncIterator]();
  for (const [number, id] of [3, 2, 1].entries()) {
    expect((await walk.next()).value).toEqual({ id });
    await turn();
    expect(sent).toHaveLength(number + 1);
  }
  expect((await walk.next()).done).toBe(true);
});

test("items that are requested at once arrive in order, from one walk", async () => {
  const { client, sent } = scene([
    listed([3, 2], "https://pets.test/v1/pets?cursor=abc"),
    listed([1]),
  ]);
  const walk = client.pets.all()[Symbol.asyncIterator]();
  const found = await Promise.all([walk.next(), walk.next(), walk.next(), walk.next()]);
  expect(found.map(({ value }) => value?.id)).toEqual([3, 2, 1, undefined]);
  expect(sent).toHaveLength(2);
});

test("leaving a loop ends the walk, and nothing more is requested", async () => {
  const { client, sent } = scene([listed([3, 2], "https://pets.test/v1/pets?cursor=abc")]);
  const walk = client.pets.all();
  for await (const { id } of walk) {
    expect(id).toBe(3);
    break;
  }
  expect(await collect(walk)).toEqual([]);
  await turn();
  expect(sent).toHaveLength(1);
});

test("a signal ends a walk in the middle of a page, before its next item", async () => {
  const { client, sent } = scene([listed([3, 2, 1])]);
  const [leave, reason, seen] = [new AbortController(), new Error("enough"), [] as number[]];
  const walk = async (): Promise<void> => {
    for await (const { id } of client.pets.all({}, { signal: leave.signal })) {
      seen.push(id);
      if (id === 2) leave.abort(reason);
    }
  };
  expect(await walk().catch((error: unknown) => error)).toBe(reason);
  expect([seen, sent.length]).toEqual([[3, 2], 1]);
});

test("a call whose signal was aborted before sends nothing", async () => {
  const { client, sent } = scene([listed([])]);
  const signal = AbortSignal.abort(new Error("enough"));
  for (const call of [client.pets.list({}, { signal }), client.pets.delete(1, { signal })]) {
    expect(await call.catch((error: unknown) => error)).toBe(signal.reason);
  }
  expect(sent).toHaveLength(0);
});
