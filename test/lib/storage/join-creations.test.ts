import { expect, test } from "bun:test";

import { system } from "../../../lib/model/actor.ts";
import type { ChangeOf } from "../../../lib/storage/change.ts";
import { joinCreations } from "../../../lib/storage/join-creations.ts";

const creation = {
  kind: "pet.create",
  catalogueId: 1,
  pet: { categoryId: 1 },
} as ChangeOf<"pet.create">;

test("creations after a commit that failed before it began are committed on their own", async () => {
  const begun: unknown[] = [];
  let fails = true;
  const create = joinCreations(async (collect) => {
    await Bun.sleep(1);
    if (fails) throw new Error("no connection");
    const changes = collect();
    begun.push(changes);
    return { ok: true, value: changes.map(() => undefined) };
  });
  const lost = await Promise.allSettled([create(creation, system), create(creation, system)]);
  expect(lost.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  fails = false;
  expect(await create(creation, system)).toMatchObject({ ok: true });
  expect(begun).toEqual([[{ ...creation, actor: system }]]);
});
