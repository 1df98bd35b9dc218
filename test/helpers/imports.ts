import { afterEach, describe, expect, test } from "bun:test";

import { DAY_MS, HOUR_MS } from "../../lib/base/clock.ts";
import { Traffic } from "../../lib/base/traffic.ts";
import { systemRandom } from "../../lib/base/id.ts";
import { createImports, sqlImportStore, type Imports } from "../../lib/import/index.ts";
import {
  addArchive,
  beginUndo,
  cancelImport,
  createImport,
  listImports,
  mapImport,
  readImportRow,
  readPlan,
  startImport,
  type ImportContext,
} from "../../lib/import/job/imports.ts";
import { MAX_OPEN, type StoredImport } from "../../lib/import/job/model.ts";
import { importShown } from "../../lib/import/job/shapes.ts";
import { HELD_MS } from "../../lib/import/job/work.ts";
import { MAX_ARRIVING, MAX_SPOOL_BYTES } from "../../lib/import/limits.ts";
import { createSpool } from "../../lib/import/job/spool.ts";
import type { ImportRequest } from "../../lib/import/choices-schema.ts";
import type { Actor } from "../../lib/model/actor.ts";
import type { Blobs } from "../../lib/publishing/blobs.ts";
import { memoryBlobs } from "../../lib/publishing/memory-blobs.ts";
import { StoreUnavailable, type Sql } from "../../lib/sql/sql.ts";
import { sqlStore } from "../../lib/storage/sql-store.ts";
import type { Store } from "../../lib/storage/store.ts";
import type { Change } from "../../lib/storage/change.ts";
import type { StoredOrder, StoredPet } from "../../lib/catalogue/model.ts";
import { manualClock, type ManualClock } from "../../testing/clock.ts";
import { bunImages } from "../../adapters/images/bun.ts";
import { done as found, refused } from "../../lib/base/result.ts";
import { createPetstore } from "../../lib/index.ts";
import { pngOf } from "./pictures.ts";
import { zipOfEntries } from "./zips.ts";
import { must } from "./outcome.ts";

const START = 1_794_960_000_000;
const ada: Actor = { kind: "member", id: "mem_ada" };
const place = { accountId: "acc_otters", catalogueId: 1 };

/** What happens around a commit of the store, and around the addition of a photo. */
interface Around {
  readonly photo?: (when: "before" | "after") => void | Promise<void>;
  readonly before?: (changes: readonly Change[]) => void | Promise<void>;
  readonly after?: (changes: readonly Change[]) => void | Promise<void>;
  /** Requests arrive at the store, whose commits block them. */
  readonly crowded?: boolean;
  /** How long every 4,096 bytes of a file take to be read, in milliseconds. */
  readonly partMs?: number;
  readonly held?: (at: number) => void;
}

interface Desk {
  readonly clock: ManualClock;
  readonly store: Store;
  readonly actions: ImportContext;
  /** Starts a process that works on imports, and ends the one before it. */
  readonly process: (around?: Around) => Promise<Imports>;
  /** Works until nothing is left to do. */
  readonly work: () => Promise<void>;
  readonly upload: (
    content: string | Uint8Array,
    request?: ImportRequest,
    archive?: Uint8Array,
  ) => Promise<string>;
  readonly row: (id: string) => Promise<StoredImport>;
  /** Uploads, runs and finishes an import. */
  readonly whole: (
    content: string | Uint8Array,
    request?: ImportRequest,
    archive?: Uint8Array,
  ) => Promise<StoredImport>;
  readonly blobs: Blobs;
  /** How often a picture of this host was fetched. */
  readonly fetchedFrom: (host: string) => number;
  readonly pets: () => Promise<readonly StoredPet[]>;
  readonly orders: () => Promise<readonly StoredOrder[]>;
}

interface DeskOptions {
  /** The most bytes of photos of the account. */
  readonly photoBytes?: number | undefined;
}

async function openDesk(sql: Sql, { photoBytes }: DeskOptions): Promise<Desk> {
  const clock = manualClock(START);
  const store = await sqlStore({ sql, clock });
  const importStore = await sqlImportStore({ sql, clock });
  const blobs = memoryBlobs({ clock });
  const account = {
    id: place.accountId,
    name: "Otters",
    plan: "free",
    limits: { perMinute: 60, perDay: 1_000 },
    createdAt: START,
  } as const;
  await applied(store.commit([{ kind: "account.create", account }], ada));
  const encryptionKey = new Uint8Array(32).fill(7);
  const petstore = createPetstore({
    store,
    clock,
    encryptionKey,
    images: bunImages,
    blobs,
    ...(photoBytes !== undefined && {
      photoBytes: { free: photoBytes, pro: photoBytes, business: photoBytes },
    }),
  });
  const { photos: service } = petstore;
  if (service === undefined) throw new Error("The petstore takes no photos.");
  const fetchedHosts: string[] = [];
  let imports: Imports | undefined;
  const open = async (around: Around = {}): Promise<Imports> => {
    await imports?.close();
    const commit: Store["commit"] = async (changes, actor) => {
      await around.before?.(changes);
      const done = await store.commit(changes, actor);
      await around.after?.(changes);
      return done;
    };
    imports = createImports({
      photos: {
        ...service,
        as: (actor) => {
          const photos = service.as(actor);
          const add: typeof photos.add = async (...one) => {
            await around.photo?.("before");
            const added = await photos.add(...one);
            await around.photo?.("after");
            return added;
          };
          return { ...photos, add };
        },
      },
      fetchPicture: async ({ host }) => {
        fetchedHosts.push(host);
        if (host === "junk.example") return found(new Uint8Array([1, 2, 3]));
        return host === "example.com"
          ? found(await pngOf({ width: 2, height: 2 }))
          : refused("no answer");
      },
      store: { ...store, commit, ...(around.crowded === true && { traffic: crowd(clock.now()) }) },
      importStore: {
        ...importStore,
        hold: (...asked) => {
          around.held?.(asked[2].now === Number.MAX_SAFE_INTEGER ? clock.now() : asked[2].now);
          return importStore.hold(...asked);
        },
      },
      blobs: around.partMs === undefined ? blobs : slowBlobs(blobs, clock, around.partMs),
      alone: true,
      clock,
    });
    return imports;
  };
  const actions: ImportContext = {
    importStore,
    spool: createSpool(blobs, systemRandom),
    clock,
    random: systemRandom,
    wake: () => undefined,
  };
  const work: Desk["work"] = async () => {
    imports ??= await open();
    clock.advance(1_000);
    await imports.jobs.tick();
  };
  const row: Desk["row"] = async (id) => must(await readImportRow(actions, place, id));
  const upload: Desk["upload"] = async (content, request, archive) => {
    const made = must(
      await createImport(actions, place, {
        content: new Blob([content as string]).stream(),
        fileName: "animals.csv",
        actor: ada,
      }),
    );
    if (archive !== undefined) {
      const uploaded = { content: new Blob([archive as never]).stream(), fileName: "photos.zip" };
      must(await addArchive(actions, place, made.id, uploaded));
    }
    if (request !== undefined) must(await mapImport(actions, place, made.id, request));
    await work();
    return made.id;
  };
  return {
    clock,
    store,
    actions,
    process: open,
    work,
    upload,
    row,
    blobs,
    whole: async (content, request, archive) => {
      const id = await upload(content, request, archive);
      must(await startImport(actions, place, id, ada));
      await work();
      return row(id);
    },
    fetchedFrom: (host) => fetchedHosts.filter((one) => one === host).length,
    pets: async () => {
      const all: StoredPet[] = [];
      for (let after = 0; ; after = all.at(-1)?.id ?? 0) {
        const page = { limit: 500, order: "asc", after } as const;
        const some = await store.pets.list(place.catalogueId, {}, page);
        all.push(...some);
        if (some.length < 500) return all;
      }
    },
    orders: async () => store.orders.list(place.catalogueId, {}, { limit: 100, order: "asc" }),
  };
}

async function applied(commit: ReturnType<Store["commit"]>): Promise<void> {
  expect(await commit).toMatchObject({ ok: true });
}

const named = (count: number): string =>
  `name,category,externalId\n${Array.from({ length: count }, (_, index) => `Rex ${index},Dogs,X${index}\n`).join("")}`;

/** Returns blobs whose parts of 4,096 bytes take their time. */
function slowBlobs(blobs: Blobs, clock: ManualClock, partMs: number): Blobs {
  const slow = (content: Uint8Array): ReadableStream<Uint8Array> => {
    let from = 0;
    return new ReadableStream({
      pull: (controller) => {
        if (from >= content.length) return controller.close();
        clock.advance(partMs);
        controller.enqueue(content.slice(from, (from += 4_096)));
      },
    });
  };
  return {
    ...blobs,
    open: async (...asked) => {
      const body = await blobs.open(...asked);
      return body && slow(await new Response(body).bytes());
    },
  };
}

/** Returns the traffic at a clock that stands still. */
function crowd(now: number): Traffic {
  const traffic = new Traffic();
  traffic.arrived(now);
  traffic.arrived(now);
  return traffic;
}

/** Returns how many animals a commit adds, changes and removes. */
const animalsOf = (changes: readonly Change[]): number =>
  changes.filter(({ kind }) => kind.startsWith("pet.")).length;

const isBatch = (changes: readonly Change[]): boolean =>
  changes.some((change) => change.kind === "answer.record" && change.id.key.startsWith("batch "));

/** Declares the tests of imports over a kind of database. */
export function describeImports(name: string, openSql: () => Promise<Sql>): void {
  describe(`imports on ${name}:`, () => {
    const opened: Sql[] = [];
    afterEach(async () => {
      for (const sql of opened.splice(0)) await sql.close();
    });
    const desk = async (options: DeskOptions = {}): Promise<Desk> => {
      const sql = await openSql();
      opened.push(sql);
      return openDesk(sql, options);
    };

    test("a file is read, and then brought into the catalogue with profiles and dated orders, as its person", async () => {
      const { whole, pets, orders, store } = await desk();
      const done = await whole(
        "name,category,status,breed,adopted on\nMinka,Cats,adopted,,2026-10-01\nRex,Dog,,Beagle,\nOld,Dogs,sold,,\n",
        {
          map: [{ field: "soldAt", column: "adopted on" }],
          values: [{ field: "status", found: "", value: "available" }],
        },
      );
      expect([done.state, done.details.counts.added, done.details.problem]).toEqual([
        "finished",
        3,
        undefined,
      ]);
      expect((await pets()).map((pet) => [pet.name, pet.categoryId, pet.status])).toEqual([
        ["Minka", 2, "sold"],
        ["Rex", 1, "available"],
        ["Old", 1, "sold"],
      ]);
      const profiles = await store.profiles.of(place.catalogueId, [1, 2, 3]);
      expect(profiles.map(({ petId, fields }) => [petId, fields.breed?.text])).toEqual([
        [2, "Beagle"],
      ]);
      expect(
        (await orders()).map(({ petId, createdAt }) => [
          petId,
          new Date(createdAt).toISOString().slice(0, 10),
        ]),
      ).toEqual([[1, "2026-10-01"]]);
      const events = await store.events.after(1, 100);
      const created = events.filter(
        ({ type }) => type === "pet.created" || type === "import.finished",
      );
      expect(created.map(({ actor }) => actor)).toEqual(created.map(() => ada));
      expect(events.at(-1)?.type).toBe("import.finished");
      // Readers find by it which events the import wrote.
      const startedAt = new Date(done.details.startedAt ?? 0).toISOString();
      expect(events.at(-1)?.data["import"]).toMatchObject({ added: 3, startedAt });
    });

    test("the same file again changes nothing, and a changed one updates by its key", async () => {
      const { whole, pets, store } = await desk();
      await whole(named(3));
      const same = await whole(named(3));
      expect(same.details.counts).toMatchObject({ added: 0, updated: 0, same: 3 });
      expect(importShown(same, START).undoUntil).toBeUndefined();
      const changed = await whole(named(4).replace("Rex 1,Dogs", "Rexa,Cats"));
      expect(changed.details.counts).toMatchObject({ added: 1, updated: 1, same: 2 });
      expect((await pets()).map((pet) => pet.name)).toEqual(["Rex 0", "Rexa", "Rex 2", "Rex 3"]);
      expect((await store.profiles.of(place.catalogueId, [4])).length).toBe(1);
    });

    for (const when of ["before", "after"] as const) {
      test(`a process that dies ${when} a commit leaves an import that another one continues, once`, async () => {
        const { process, upload, work, row, pets, actions, store } = await desk();
        const id = await upload(named(1_300));
        let batches = 0;
        const imports = await process({
          [when]: (changes: readonly Change[]) => {
            if (isBatch(changes) && ++batches >= 3) throw new StoreUnavailable("It died.");
          },
        });
        must(await startImport(actions, place, id, ada));
        await imports.jobs.tick();
        await imports.idle();
        expect((await row(id)).state).toBe("running");
        const some = (await pets()).length;
        expect(some > 0 && some < 1_300).toBe(true);
        await process();
        await work();
        const done = await row(id);
        expect([done.state, done.details.counts.added]).toEqual(["finished", 1_300]);
        expect(new Set((await pets()).map((pet) => pet.name)).size).toBe(1_300);
        expect((await pets()).length).toBe(1_300);
        const finished = (await store.events.before(1e9, 5)).filter(
          ({ type }) => type === "import.finished",
        );
        expect(finished.length).toBe(1);
      });
    }

    test("an import whose file is read for minutes is kept from other processes", async () => {
      const { process, upload, work, row, actions } = await desk();
      const held: number[] = [];
      const imports = await process({ partMs: 3_000, held: (at) => void held.push(at) });
      const id = await upload(named(5_000));
      await imports.idle();
      must(await startImport(actions, place, id, ada));
      await work();
      await imports.idle();
      expect((await row(id)).state).toBe("finished");
      const gaps = held.slice(1).map((at, index) => at - (held[index] ?? 0));
      expect(held.length).toBeGreaterThan(20);
      expect(Math.max(...gaps)).toBeLessThan(HELD_MS);
    });

    test("a batch that another process has done with fewer animals is taken for those only", async () => {
      const { process, whole, pets, store } = await desk();
      let isFirst = true;
      await process({
        before: async (changes) => {
          const record = changes.find((change) => change.kind === "answer.record");
          if (!isFirst || record === undefined || !isBatch(changes)) return;
          isFirst = false;
          const added = changes.filter(({ kind }) => kind === "pet.create").slice(0, 12);
          const body = JSON.stringify({
            through: 12,
            counts: { added: 12, updated: 0, same: 0, skipped: 0, faulty: 0, sold: 0 },
            added: added.map((_, index) => index + 1),
            updated: [],
            pictured: [],
          });
          const answer = () => ({ status: 200, headers: {}, body });
          await applied(store.commit([...added, { ...record, answer }], ada));
        },
      });
      const { state, details } = await whole(named(260));
      expect([state, details.counts.added]).toEqual(["finished", 260]);
      expect((await pets()).map((pet) => pet.name)).toEqual(
        Array.from({ length: 260 }, (_, at) => `Rex ${at}`),
      );
    });

    test("an import that stops between the rows of one animal is continued as its file was understood", async () => {
      const { process, upload, work, row, pets, actions } = await desk();
      const rows = Array.from(
        { length: 30 },
        (_, at) => `Rex ${at},Dogs,X${at}\nRex ${at},,X${at}\n`,
      );
      const id = await upload(`name,category,externalId\n${rows.join("")}`);
      const dying = await process({
        crowded: true,
        after: (changes) => {
          if (isBatch(changes)) throw new StoreUnavailable("It died.");
        },
      });
      must(await startImport(actions, place, id, ada));
      await dying.jobs.tick();
      await dying.idle();
      expect((await pets()).length).toBeLessThan(30);
      await process();
      await work();
      const { state, details } = await row(id);
      expect([state, details.counts.added, (await pets()).length]).toEqual(["finished", 30, 30]);
    });

    test("a cancelled import stops, says what it did, and is undone as a whole", async () => {
      const { process, upload, work, row, pets, actions } = await desk();
      const id = await upload(named(1_300));
      let batches = 0;
      const imports = await process({
        after: async (changes) => {
          if (isBatch(changes) && ++batches === 2) must(await cancelImport(actions, place, id));
        },
      });
      must(await startImport(actions, place, id, ada));
      await imports.jobs.tick();
      await imports.idle();
      const cancelled = await row(id);
      expect(cancelled.state).toBe("cancelled");
      expect(cancelled.details.counts.added).toBe((await pets()).length);
      expect((await pets()).length < 1_300).toBe(true);
      must(await beginUndo(actions, place, id, ada));
      await work();
      expect((await row(id)).details.undo).toEqual({
        undone: cancelled.details.counts.added,
        kept: 0,
        named: [],
      });
      expect(await pets()).toEqual([]);
    });

    test("an undo restores what was changed, and keeps and names what was changed since", async () => {
      const { whole, work, row, pets, orders, store, actions } = await desk();
      await whole(
        "name,category,status,externalId,breed\nMinka,Cats,available,A,Siam\nRex,Dogs,available,B,\n",
      );
      const before = await pets();
      const file =
        "name,category,status,externalId,breed,adopted on\nMinka,Dogs,sold,A,Birman,2026-10-01\nRexo,Dogs,available,B,\nNew,Dogs,available,C,\nAlso,Dogs,sold,D,,2026-10-02\n";
      const done = await whole(file, { map: [{ field: "soldAt", column: "adopted on" }] });
      expect(done.details.counts).toMatchObject({ added: 2, updated: 2 });
      expect((await orders()).length).toBe(2);
      const fresh = (await pets()).find((pet) => pet.name === "New")!;
      const to = { ...fresh, name: "Newer" };
      await applied(
        store.commit([{ kind: "pet.update", catalogueId: 1, from: fresh, to, at: START }], ada),
      );
      must(await beginUndo(actions, place, done.id, ada));
      await work();
      const undone = await row(done.id);
      expect([undone.state, undone.details.undo]).toEqual([
        "undone",
        { undone: 3, kept: 1, named: [{ id: fresh.id, name: "Newer" }] },
      ]);
      const shown = ({ name, categoryId, status }: StoredPet) => ({ name, categoryId, status });
      expect((await pets()).map(shown)).toEqual([
        ...before.map(shown),
        { name: "Newer", categoryId: 1, status: "available" },
      ]);
      expect(await orders()).toEqual([]);
      const [minka] = await store.profiles.of(place.catalogueId, [1]);
      expect(minka?.fields.breed?.text).toBe("Siam");
      expect((await store.events.before(1e9, 1))[0]?.type).toBe("import.undone");
    });

    test("pictures become photos, those that fail are named, and an undo takes the animals all the same", async () => {
      const { whole, work, row, pets, store, actions } = await desk();
      const data = `data:image/png;base64,${(await pngOf({ width: 3, height: 3 })).toBase64()}`;
      const file = `name,category,breed,photo\nMinka,Cats,,"${data}"\nRex,Dogs,Beagle,https://example.com/a.png https://gone.example/b.png https://example.com/c.png\nBo,Dogs,,"data:image/png;base64,AAAA"\nNo,Dogs,,\n`;
      const done = await whole(file);
      expect([done.state, done.details.counts.added]).toEqual(["finished", 4]);
      expect(done.details.photos).toMatchObject({ added: 3, failed: 2 });
      expect(done.details.photos?.named.map(({ line, name }) => [line, name])).toEqual([
        [3, "Rex"],
        [4, "Bo"],
      ]);
      const photos = await store.photos.of(place.catalogueId, [1, 2, 3, 4]);
      expect(photos.map(({ petId }) => petId)).toEqual([1, 2, 2]);
      must(await beginUndo(actions, place, done.id, ada));
      await work();
      expect((await row(done.id)).details.undo).toMatchObject({ undone: 4, kept: 0 });
      expect(await pets()).toEqual([]);
    });

    const pictures = async (...names: readonly string[]) => {
      const entries = [];
      for (const [index, name] of names.entries()) {
        entries.push({ name, content: await pngOf({ width: index + 2, height: 2 }), stored: true });
      }
      return entries;
    };
    const leftIn = async (blobs: Blobs): Promise<readonly number[]> => {
      const sizes: number[] = [];
      for await (const { size } of blobs.list()) sizes.push(size);
      return sizes;
    };

    for (const how of ["beside the table", "with the table"] as const) {
      test(`photos of an archive ${how} go to their animals, those left over are named, and an undo takes all away`, async () => {
        const { whole, work, row, pets, store, actions, blobs } = await desk();
        const table =
          "name,category,externalId,photo\nMinka,Cats,A1,\nRex,Dogs,B2,rex at home.png; gone.png\nBo,Dogs,,\n";
        const entries = [
          ...(await pictures("A1-2.png", "A1-1.png", "Bo/x.png", "rex at home.png", "Who.png")),
          { name: "broken.png", content: "no picture" },
          { name: "photos.csv", content: "file,alt,focusX,focusY\nA1-1.png,In the sun,20,80\n" },
        ];
        const done =
          how === "beside the table"
            ? await whole(table, {}, zipOfEntries(entries))
            : await whole(zipOfEntries([{ name: "animals.csv", content: table }, ...entries]));
        expect([done.state, done.details.problem]).toEqual(["finished", undefined]);
        expect(done.details.plan?.photos).toBe(5);
        expect(done.details.plan?.warnings.at(-1)).toMatchObject({
          code: "unused_photos",
          count: 2,
          names: ["Who.png", "broken.png"],
        });
        expect(done.details.photos).toMatchObject({ added: 4, failed: 1 });
        expect(done.details.photos?.named).toEqual([
          { line: 3, name: "Rex", photo: "gone.png", reason: "the archive has no such file" },
        ]);
        const photos = await store.photos.of(place.catalogueId, [1, 2, 3]);
        expect(photos.map(({ petId, width, alt, focus }) => [petId, width, alt, focus])).toEqual([
          [1, 3, "In the sun", { x: 20, y: 80 }],
          [1, 2, undefined, undefined],
          [2, 5, undefined, undefined],
          [3, 4, undefined, undefined],
        ]);
        // What remains are the files of the photos.
        expect((await leftIn(blobs)).length).toBe(4);
        must(await beginUndo(actions, place, done.id, ada));
        await work();
        expect((await row(done.id)).details.undo).toMatchObject({ undone: 3, kept: 0 });
        expect(await pets()).toEqual([]);
      });
    }

    for (const when of ["before", "after"] as const) {
      test(`a process that dies ${when} it adds a photo of an archive is continued without doubling any`, async () => {
        const { process, upload, work, row, actions, store } = await desk();
        const names = Array.from({ length: 12 }, (_, index) => `Rex ${index + 1}.png`);
        const archive = zipOfEntries([...(await pictures(...names, "Bo.png"))]);
        const id = await upload("name,category\nRex,Dogs\nBo,Dogs\n", {}, archive);
        let added = 0;
        const imports = await process({
          photo: (now) => {
            if (now === when && ++added === 7) throw new StoreUnavailable("It died.");
          },
        });
        must(await startImport(actions, place, id, ada));
        await imports.jobs.tick();
        await imports.idle();
        expect((await row(id)).state).toBe("running");
        expect((await store.photos.of(1, [1])).length).toBe(when === "before" ? 6 : 7);
        await process();
        await work();
        const done = await row(id);
        expect([done.state, done.details.photos?.added]).toEqual(["finished", 13]);
        const photos = await store.photos.of(place.catalogueId, [1, 2]);
        expect(photos.map(({ width }) => width)).toEqual(
          names.map((_, index) => index + 2).concat(14),
        );
        must(await beginUndo(actions, place, id, ada));
        await work();
        expect((await row(id)).details.undo).toMatchObject({ undone: 2, kept: 0 });
      });
    }

    test("an import that is cancelled between two photos stops, and is undone whole", async () => {
      const { process, upload, work, row, actions, store, pets } = await desk();
      const archive = zipOfEntries(await pictures("Rex 1.png", "Rex 2.png", "Rex 3.png"));
      const id = await upload("name,category\nRex,Dogs\n", {}, archive);
      const imports = await process({
        photo: async (now) => {
          if (now === "after") await cancelImport(actions, place, id);
        },
      });
      must(await startImport(actions, place, id, ada));
      await imports.jobs.tick();
      await imports.idle();
      expect((await row(id)).state).toBe("cancelled");
      expect((await store.photos.of(place.catalogueId, [1])).length).toBe(1);
      must(await beginUndo(actions, place, id, ada));
      await work();
      expect(await pets()).toEqual([]);
    });

    test("an archive that cannot be used is refused, and the earlier one stays", async () => {
      const { upload, row, actions, blobs } = await desk();
      const table = "name,category\nRex,Dogs\n";
      const id = await upload(table, {}, zipOfEntries(await pictures("Rex.png")));
      const before = await row(id);
      const kept = await leftIn(blobs);
      const bad = [
        zipOfEntries([{ name: "a.jpg", content: "a", encrypted: true }]),
        zipOfEntries(await pictures("Rex.png")).subarray(0, -9),
        new TextEncoder().encode(table),
      ];
      for (const bytes of bad) {
        const uploaded = { content: new Blob([bytes as never]).stream(), fileName: "" };
        expect(await addArchive(actions, place, id, uploaded)).toMatchObject({
          failure: { code: "unreadable_file" },
        });
      }
      expect([await row(id), await leftIn(blobs)]).toEqual([before, kept]);
    });

    test("the files of an import are deleted as soon as it has ended, and those that are replaced", async () => {
      const { upload, whole, row, actions, blobs, clock, work, store } = await desk();
      const table = "name,category\nRex,Dogs\n";
      const archive = zipOfEntries(await pictures("Rex.png"));
      const sizes = async () => (await leftIn(blobs)).length;
      const id = await upload(table, {}, archive);
      expect(await sizes()).toBe(2);
      const again = { content: new Blob([archive as never]).stream(), fileName: "" };
      must(await addArchive(actions, place, id, again));
      expect(await sizes()).toBe(2);
      expect(await actions.importStore.spooled(place.accountId)).toBe(
        table.length + archive.length,
      );
      must(await cancelImport(actions, place, id));
      expect([await sizes(), await actions.importStore.spooled(place.accountId)]).toEqual([0, 0]);
      await whole(table);
      expect(await sizes()).toBe(0);
      const waiting = await upload(table, {}, archive);
      clock.advance(8 * DAY_MS);
      await work();
      expect([await sizes(), await actions.importStore.byId(1, waiting)]).toEqual([0, undefined]);
      const fails = await upload("name,category\nMax,Cats\n", {}, archive);
      const cats = await store.categories.byId(place.catalogueId, 2);
      if (cats === undefined) throw new Error("There are no cats.");
      const at = clock.now();
      await applied(
        store.commit([{ kind: "category.delete", catalogueId: 1, from: cats, at }], ada),
      );
      must(await startImport(actions, place, fails, ada));
      await work();
      expect([(await row(fails)).state, await sizes()]).toEqual(["failed", 0]);
    });

    test("uploads of an account that arrive together, and their bytes, are bounded", async () => {
      const { actions, upload } = await desk();
      const { spool, importStore } = actions;
      const stalled = Array.from(
        { length: MAX_ARRIVING },
        () => new TransformStream<Uint8Array, Uint8Array>(),
      );
      const waiting = stalled.map(({ readable }) =>
        spool.put(readable, { accountId: place.accountId, stored: () => 0 }),
      );
      expect(
        await createImport(actions, place, {
          content: new Blob(["name,category\nRex,Dogs\n"]).stream(),
          fileName: "",
          actor: ada,
        }),
      ).toMatchObject({ failure: { code: "limit_reached" } });
      for (const { writable } of stalled) await writable.close();
      for (const put of await Promise.all(waiting)) if (put.ok) await spool.free(put.value.file);
      await upload("name,category\nRex,Dogs\n");
      const full = { ...importStore, spooled: () => MAX_SPOOL_BYTES - 10 };
      let pulled = 0;
      const content = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          pulled++;
          controller.enqueue(new Uint8Array(1_000));
        },
      });
      expect(
        await createImport({ ...actions, importStore: full }, place, {
          content,
          fileName: "",
          actor: ada,
        }),
      ).toMatchObject({ failure: { code: "limit_reached" } });
      expect(pulled < 5).toBe(true);
    });

    test("animals that have no photos get those of a later file, once, and an undo takes them away", async () => {
      const { whole, work, row, actions, store } = await desk();
      const file = (photo: string, breed = "") =>
        `name,category,externalId,breed,photo\nMinka,Cats,A,${breed},${photo}\nRex,Dogs,B,,${photo}\n`;
      await whole(file(""));
      const photos = async () =>
        (await store.photos.of(place.catalogueId, [1, 2])).map(({ petId }) => petId);
      const first = await whole(file("https://example.com/a.png", "Siam"));
      expect(first.details.counts).toMatchObject({ updated: 1, same: 1 });
      expect(first.details.photos).toMatchObject({ added: 2, failed: 0 });
      const again = await whole(file("https://example.com/b.png", "Siam"));
      expect([again.details.photos, await photos()]).toEqual([undefined, [1, 2]]);
      must(await beginUndo(actions, place, first.id, ada));
      await work();
      expect((await row(first.id)).details.undo).toMatchObject({ undone: 2, kept: 0 });
      const [minka] = await store.profiles.of(place.catalogueId, [1]);
      expect([await photos(), minka?.fields.breed]).toEqual([[], undefined]);
    });

    test("an import that only adds photos can be undone", async () => {
      const { whole } = await desk();
      const file = "name,category,externalId,photo\nMinka,Cats,A,";
      await whole(file);
      const done = await whole(`${file}https://example.com/a.png`);
      expect(done.details.counts).toMatchObject({ added: 0, updated: 0, same: 1 });
      expect(importShown(done, START).undoUntil).toBeGreaterThan(START);
    });

    test("animals that a later file no longer has are set to sold by choice, without an order, and an undo restores them", async () => {
      const { whole, work, row, pets, orders, actions, store } = await desk();
      const head = "name,category,externalId,source\n";
      await whole(`${head}Minka,Cats,A,\nRex,Dogs,B,\nBo,Dogs,C,\nTom,Cats,A,other\n`);
      await whole("name,category\nNoKey,Dogs\n");
      const later = `${head}Minka,Cats,A,\nRex,Dogs,B,\n`;
      const statuses = async () => (await pets()).map(({ name, status }) => `${name} ${status}`);
      const left = await whole(later);
      expect(left.details.counts).toMatchObject({ same: 2, sold: 0 });
      expect(left.details.plan?.missing).toEqual({
        count: 1,
        of: 3,
        first: [{ id: 3, name: "Bo" }],
      });
      const sold = await whole(later, { missing: "sold" });
      expect([sold.state, sold.details.counts.sold]).toEqual(["finished", 1]);
      const only = ["Minka available", "Rex available", "Bo sold", "Tom available"];
      expect(await statuses()).toEqual([...only, "NoKey available"]);
      expect(await orders()).toEqual([]);
      expect((await whole(later, { missing: "sold" })).details.counts.sold).toBe(0);
      must(await beginUndo(actions, place, sold.id, ada));
      await work();
      expect((await row(sold.id)).details.undo).toMatchObject({ undone: 1, kept: 0 });
      expect((await store.pets.byId(place.catalogueId, 3))?.status).toBe("available");
    });

    test("more than half of the animals, an empty file and rows without a readable key are asked about before any is sold", async () => {
      const { whole, upload, row, actions, pets } = await desk();
      await whole(named(4));
      const questions = async (content: string, request: ImportRequest) => {
        const id = await upload(content, { missing: "sold", ...request });
        const { details } = await row(id);
        must(await cancelImport(actions, place, id));
        return [details.ready, ...(details.plan?.questions ?? []).map(({ code }) => code)];
      };
      expect(await questions(named(1), {})).toEqual([false, "many_missing"]);
      expect(await questions(named(1), { manyMissing: true })).toEqual([true]);
      expect(await questions(named(2), {})).toEqual([true]);
      expect(await questions(named(0), {})).toEqual([false, "many_missing"]);
      expect(await questions("name,category\nRex,Dogs\n", { alike: "add" })).toEqual([
        false,
        "missing_key",
      ]);
      const fault = `${named(3)}Odd,Dogs,${"9".repeat(2_000)}\n`;
      expect(await questions(fault, { goodRows: true })).toEqual([false, "missing_key"]);
      // A row that is left out still has its animal.
      const out = await whole(named(4).replace("Rex 3,Dogs", ",Dogs"), {
        goodRows: true,
        missing: "sold",
      });
      expect(out.details.counts).toMatchObject({ same: 3, faulty: 1, sold: 0 });
      const none = await whole(named(0), { missing: "sold", manyMissing: true });
      expect([none.state, none.details.counts.sold]).toEqual(["finished", 4]);
      expect((await pets()).every(({ status }) => status === "sold")).toBe(true);
    });

    for (const end of ["dies", "is cancelled"] as const) {
      test(`an import that ${end} while it sets animals to sold keeps count, and is undone as a whole`, async () => {
        const { process, whole, upload, work, row, pets, actions } = await desk();
        await whole(named(700));
        const request = { missing: "sold", manyMissing: true } as const;
        const id = await upload(named(250), request);
        let batches = 0;
        const imports = await process({
          after: async (changes) => {
            if (!isBatch(changes) || ++batches !== 4) return;
            if (end === "dies") throw new StoreUnavailable("It died.");
            must(await cancelImport(actions, place, id));
          },
        });
        must(await startImport(actions, place, id, ada));
        await imports.jobs.tick();
        await imports.idle();
        const soldNow = async () => (await pets()).filter(({ status }) => status === "sold").length;
        expect(await soldNow()).toBe(200);
        await process();
        await work();
        const { details } = await row(id);
        const sold = end === "dies" ? 450 : 200;
        expect([details.counts.sold, await soldNow()]).toEqual([sold, sold]);
        must(await beginUndo(actions, place, id, ada));
        await work();
        expect((await row(id)).details.undo).toMatchObject({ undone: sold, kept: 0 });
        expect(await soldNow()).toBe(0);
      });
    }

    test("never are more animals set to sold than were shown", async () => {
      const { whole, upload, work, row, pets, actions } = await desk();
      await whole(named(4));
      const id = await upload(named(3), { missing: "sold" });
      await whole(named(6));
      must(await startImport(actions, place, id, ada));
      await work();
      const { state, details } = await row(id);
      expect([state, details.problem?.code]).toEqual(["failed", "import_not_ready"]);
      expect((await pets()).every(({ status }) => status === "available")).toBe(true);
    });

    test("addresses that lead to no photos are soon fetched no more", async () => {
      const { whole, fetchedFrom } = await desk();
      const address = (host: string) => (_: unknown, index: number) => `https://${host}/${index}`;
      const row = (name: string, host: string): string =>
        `${name},Cats,${Array.from({ length: 12 }, address(host)).join(" ")}\n`;
      const done = await whole(
        `name,category,photo\n${row("Mia", "gone.example")}${["A", "B", "C", "D", "E"]
          .map((name) => row(name, "junk.example"))
          .join("")}`,
      );
      expect(done.details.photos).toMatchObject({ added: 0, failed: 72 });
      expect([fetchedFrom("junk.example"), fetchedFrom("gone.example")]).toEqual([50, 5]);
    });

    test("no picture is fetched once the account has no room", async () => {
      const { whole, fetchedFrom } = await desk({ photoBytes: 1 });
      const photos = Array.from({ length: 12 }, (_, index) => `https://example.com/${index}`);
      const done = await whole(`name,category,photo\nMinka,Cats,${photos.join(" ")}\n`);
      expect(done.details.photos).toMatchObject({ added: 0, failed: 12 });
      expect(fetchedFrom("example.com")).toBe(5);
    });

    test("the file is kept until the import ends, and not for its undo", async () => {
      const { upload, whole, row, actions, work, pets } = await desk();
      const id = await upload(named(1));
      expect((await row(id)).file).toBeDefined();
      must(await cancelImport(actions, place, id));
      expect((await row(id)).file).toBeUndefined();
      const done = await whole(named(2));
      expect(done.file).toBeUndefined();
      must(await beginUndo(actions, place, done.id, ada));
      await work();
      expect(await pets()).toEqual([]);
    });

    test("the imports of one account leave room for those of others", async () => {
      const { store, actions, upload } = await desk();
      const { importStore } = actions;
      const account = {
        id: "acc_foxes",
        name: "Foxes",
        plan: "free",
        limits: { perMinute: 60, perDay: 1_000 },
        createdAt: START,
      } as const;
      await applied(store.commit([{ kind: "account.create", account }], ada));
      const row = await importStore.byId(place.catalogueId, await upload(named(1)));
      if (row === undefined) throw new Error("There is no import.");
      const reading = { ...row, state: "reading" } as const;
      for (const id of ["imp_1", "imp_2", "imp_3", "imp_4"]) {
        await importStore.create({ ...reading, id }, MAX_OPEN);
      }
      const others = { ...reading, id: "imp_5", accountId: account.id, catalogueId: 99 };
      await importStore.create(others, MAX_OPEN);
      expect((await importStore.working(4, 2)).map(({ id }) => id)).toEqual([
        "imp_1",
        "imp_2",
        "imp_5",
      ]);
    });

    test("an upload beyond the bound is not received", async () => {
      const { upload, actions } = await desk();
      for (let count = 0; count < MAX_OPEN; count++) await upload(named(1));
      let received = false;
      const content = new ReadableStream<Uint8Array>(
        {
          pull: (controller) => {
            received = true;
            controller.close();
          },
        },
        { highWaterMark: 0 },
      );
      expect(
        await createImport(actions, place, { content, fileName: "", actor: ada }),
      ).toMatchObject({ failure: { code: "limit_reached" } });
      expect(received).toBe(false);
    });

    test("an undo that stops is continued", async () => {
      const { process, whole, work, row, pets, actions } = await desk();
      const done = await whole(named(600));
      let parts = 0;
      const imports = await process({
        after: (changes) => {
          const undoes = changes.some(
            (change) => change.kind === "answer.record" && /^undo \d/.test(change.id.key),
          );
          if (undoes && ++parts === 2) throw new StoreUnavailable("It died.");
        },
      });
      must(await beginUndo(actions, place, done.id, ada));
      await imports.jobs.tick();
      await imports.idle();
      expect((await row(done.id)).state).toBe("undoing");
      await process();
      await work();
      expect((await row(done.id)).details.undo).toMatchObject({ undone: 600, kept: 0 });
      expect(await pets()).toEqual([]);
    });

    test("while requests arrive, few animals are added, sold and undone in one commit", async () => {
      const { process, whole, upload, work, row, pets, actions } = await desk();
      await whole(named(250));
      const sizes: number[] = [];
      const request = { missing: "sold", manyMissing: true } as const;
      const id = await upload(`${named(40).replaceAll("Rex", "Max")}Newer,Dogs,Y1\n`, request);
      await process({
        crowded: true,
        after: (changes) => void sizes.push(animalsOf(changes)),
      });
      must(await startImport(actions, place, id, ada));
      await work();
      expect((await row(id)).details.counts).toMatchObject({ added: 1, updated: 40, sold: 210 });
      must(await beginUndo(actions, place, id, ada));
      await work();
      expect((await row(id)).details.undo).toMatchObject({ undone: 251, kept: 0 });
      expect((await pets()).filter(({ status }) => status === "sold")).toEqual([]);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(15);
    });

    test("an animal whose profile is changed between the decision and the commit of an undo stays", async () => {
      const { process, whole, work, row, pets, actions, store } = await desk();
      const done = await whole(named(30));
      let [first] = await pets();
      const saved = first?.id ?? 0;
      const { catalogueId } = place;
      await process({
        before: async (changes) => {
          const isUndone = changes.some(
            (change) => change.kind === "pet.delete" && change.from.id === first?.id,
          );
          if (!isUndone) return;
          first = undefined;
          const to = { externalId: "X0", staffNotes: "Bites" };
          const change = { kind: "profile.set", catalogueId, petId: saved, from: 1, to } as const;
          await applied(store.commit([{ ...change, at: START }], ada));
        },
      });
      must(await beginUndo(actions, place, done.id, ada));
      await work();
      expect((await row(done.id)).details.undo).toMatchObject({
        undone: 29,
        kept: 1,
        named: [{ id: saved }],
      });
      expect((await pets()).map(({ id }) => id)).toEqual([saved]);
    });

    test("an undo that stops while requests arrive is continued after them", async () => {
      const { process, whole, work, row, pets, actions } = await desk();
      const done = await whole(named(600));
      let undoes = 0;
      const dying = await process({
        crowded: true,
        after: (changes) => {
          if (animalsOf(changes) > 0 && ++undoes === 12) throw new StoreUnavailable("It died.");
        },
      });
      must(await beginUndo(actions, place, done.id, ada));
      await dying.jobs.tick();
      await dying.idle();
      expect((await row(done.id)).state).toBe("undoing");
      const left = (await pets()).length;
      expect([left > 400, left < 600]).toEqual([true, true]);
      await process();
      await work();
      expect((await row(done.id)).details.undo).toMatchObject({ undone: 600, kept: 0 });
      expect(await pets()).toEqual([]);
    });

    test("an import is undone for 48 hours, and once", async () => {
      const { clock, whole, work, actions } = await desk();
      const done = await whole(named(2));
      clock.advance(48 * HOUR_MS);
      expect(await beginUndo(actions, place, done.id, ada)).toMatchObject({
        failure: { code: "import_not_ready" },
      });
      const next = await whole(named(3).replaceAll("X", "Y").replaceAll("Rex", "Bo"));
      must(await beginUndo(actions, place, next.id, ada));
      await work();
      expect(await beginUndo(actions, place, next.id, ada)).toMatchObject({
        failure: { code: "import_not_ready" },
      });
    });

    test("a file with faulty rows runs only for its good rows, if that was asked for", async () => {
      const { upload, work, row, actions, pets } = await desk();
      const file = "name,category\nMinka,Cats\n,Cats\nRex,Dragons\n";
      const id = await upload(file);
      expect((await row(id)).details.ready).toBe(false);
      expect(must(await readPlan(actions, place, id)).faults.map(({ lines }) => lines)).toEqual([
        [3],
        [4],
      ]);
      expect(await startImport(actions, place, id, ada)).toMatchObject({
        failure: { code: "import_not_ready" },
      });
      must(await mapImport(actions, place, id, { goodRows: true }));
      await work();
      must(await startImport(actions, place, id, ada));
      await work();
      expect((await row(id)).details.counts).toMatchObject({ added: 1, faulty: 2 });
      expect((await pets()).map((pet) => pet.name)).toEqual(["Minka"]);
    });

    test("a file that cannot be read says why, and is read once its encoding was named", async () => {
      const { upload, work, row, actions } = await desk();
      const id = await upload(
        Uint8Array.from("name;category\nM\u00FCsli;Cats\n", (one) => one.charCodeAt(0)),
      );
      expect((await row(id)).details.problem).toMatchObject({ code: "unreadable_file" });
      expect(await readPlan(actions, place, id)).toMatchObject({
        failure: { code: "unreadable_file" },
      });
      must(await mapImport(actions, place, id, { encoding: "windows-1252" }));
      await work();
      expect(must(await readPlan(actions, place, id)).first.map((one) => one.name)).toEqual([
        "Müsli",
      ]);
      expect(await row(id)).toMatchObject({ state: "waiting", details: { ready: true } });
    });

    test("an account has a bounded number of open imports, and old ones are removed with those of deleted accounts", async () => {
      const { clock, store, upload, work, row, actions, process } = await desk();
      const ids: string[] = [];
      for (let count = 0; count < MAX_OPEN; count++) ids.push(await upload(named(1)));
      const content = new Blob([named(1)]).stream();
      expect(
        await createImport(actions, place, { content, fileName: "", actor: ada }),
      ).toMatchObject({ failure: { code: "limit_reached" } });
      must(await cancelImport(actions, place, ids[0] ?? ""));
      await upload(named(1));
      const { file } = await row(ids[1] ?? "");
      expect(await actions.importStore.files([file ?? "", "0".repeat(64)])).toEqual(
        new Set([file ?? ""]),
      );
      clock.advance(8 * DAY_MS);
      await work();
      expect((await listImports(actions, place)).map(({ state }) => state)).toEqual(["cancelled"]);
      await applied(
        store.commit(
          [{ kind: "account.delete", accountId: place.accountId, at: clock.now() }],
          ada,
        ),
      );
      const imports = await process();
      clock.advance(2 * HOUR_MS);
      await imports.jobs.tick();
      expect(await listImports(actions, place)).toEqual([]);
    });
  });
}
