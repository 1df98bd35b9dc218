import { number, readsOf, text } from "../sql/rows.ts";
import { systemClock, type Clock } from "../base/clock.ts";
import { andThen, type Eventual } from "../base/eventual.ts";
import { done, type Result } from "../base/result.ts";
import { Traffic } from "../base/traffic.ts";
import { MAX_ID } from "../base/id.ts";
import type { OrderFilter, PetFilter } from "../catalogue/model.ts";
import { profileValues } from "../catalogue/model-profile.ts";
import { system, type Actor } from "../model/actor.ts";
import { auditTypes } from "../model/audit-types.ts";
import { searchForm } from "../model/text.ts";
import { petOf, type Change, type Conflict, type Outcome } from "./change.ts";
import { compile } from "./changes/compile.ts";
import { countOf, pad, pageOf, placesOf, type Selection, usageIn } from "./lists.ts";
import { openTables } from "../sql/migrate.ts";
import { storeSchema } from "./migrations.ts";
import { orphanSearch, removeOrphans, type Orphans } from "./orphans.ts";
import { PetBlocks } from "./pet-blocks.ts";
import { revisionsOf } from "./revisions.ts";
import * as rows from "./rows.ts";
import { rowOf, runScript } from "../sql/script.ts";
import { StoreScript } from "./changes/store-script.ts";
import { joinCreations } from "./join-creations.ts";
import type { Dialect, Sql, Step } from "../sql/sql.ts";
import type { Store } from "./store.ts";
import { storeClock } from "../base/store-clock.ts";

/** Options of a store in a SQL database. */
export interface SqlStoreOptions {
  /** Closed with the store. */
  readonly sql: Sql;
  /** Default: the database's with PostgreSQL, else the system's. */
  readonly clock?: Clock | undefined;
}

/**
 * Opens a store in a SQL database and migrates its tables. Rejects with `ForeignTables` or `NewerSchema` if the tables
 * cannot be used, and with a `TypeError` for invalid options.
 */
export async function sqlStore(
  options: SqlStoreOptions,
): Promise<Store & Required<Pick<Store, "clock">>> {
  const sql = await openTables("sqlStore", options, storeSchema);
  await foldNames(sql);
  const revisions = revisionsOf(sql);
  const search = orphanSearch(sql);
  const blocks = new PetBlocks((catalogueId, from, to) =>
    andThen(sql.query({ text: SHOWN_PETS, values: [catalogueId, from, to] }), rows.petsOf),
  );

  const { all, first } = readsOf(sql);

  const total = (selection: Selection): Eventual<number> =>
    andThen(sql.query(countOf(sql.dialect, selection)), ([row]) =>
      row === undefined ? 0 : number(row, "count"),
    );

  /** No row of the table up to this number can appear later. */
  const settled = (table: "events" | "feed"): Eventual<number> => sql.settled?.(table) ?? MAX_ID;

  const last = (table: "events" | "feed"): Eventual<number> =>
    andThen(settled(table), (bound) =>
      andThen(
        first(LAST[table], [bound], (row) => number(row, "seq")),
        (seq) => seq ?? 0,
      ),
    );

  /** Commits the changes that `collect` returns when the batch begins. `leading` is the first of them. */
  const write = async (
    collect: () => readonly Change[],
    leading: Change,
    actor: Actor,
    orphans: readonly Orphans[] = [],
  ): Promise<Result<readonly Outcome[], Conflict>> => {
    let changes: readonly Change[] = [];
    let script = new StoreScript(actor);
    const written = await runScript(sql, laneOf(leading), () => {
      changes = collect();
      script = compile(changes, actor);
      removeOrphans(script, orphans);
      return script;
    });
    if (!written.ok) return written;
    const outcomes = script.outcomes.map((outcome) => outcome(written.value));
    for (const { catalogueId, step } of script.revised) {
      const revision = number(rowOf(written.value, step), "revision");
      blocks.follow(catalogueId, revisions.remember(catalogueId, revision));
    }
    for (const [index, change] of changes.entries()) {
      forgetChanged(blocks, change, outcomes[index]);
    }
    if (changes.some(({ kind }) => kind === "account.delete")) revisions.forget();
    if (changes.some(({ kind }) => kind === "purge")) await sql.eraseDeleted?.();
    return done(outcomes);
  };
  const createPet = joinCreations(write);
  const commit: Store["commit"] = async (changes, actor) => {
    const [change] = changes;
    if (change === undefined) return done([]);
    if (changes.length === 1 && change.kind === "pet.create") return createPet(change, actor);
    const orphans = change.kind === "purge" ? await search.next() : [];
    return write(() => changes, change, actor, orphans);
  };
  const settings: Store["settings"] = {
    get: (name) => first(SETTING, [name], (row) => text(row, "value")),
  };
  const { clock = sql.clock ?? systemClock } = options;

  return {
    clock: storeClock({
      clock,
      read: (name) => settings.get(name),
      write: (name, value) => commit([{ kind: "setting.save", name, value }], system),
    }),
    accounts: {
      byId: (id) => first(ACCOUNT, [id], rows.accountOf),
      list: () => all(ACCOUNTS, [], rows.accountOf),
    },
    catalogues: {
      of: (accountId, environment) =>
        first(CATALOGUE_OF, [accountId, environment], rows.catalogueOf),
      byId: (id) => first(CATALOGUE, [id], rows.catalogueOf),
      revision: (id) => revisions.of(id),
    },
    keys: {
      byId: (id) => first(KEY, [id], rows.keyOf),
      ofAccount: (accountId) => all(KEYS_OF, [accountId], rows.keyOf),
    },
    pets: {
      byId: (catalogueId, id) => first(PET, [catalogueId, id], rows.petOf),
      list: (catalogueId, filter, page) =>
        filter.ids?.length === 0
          ? []
          : andThen(
              sql.query(pageOf(sql.dialect, selectPets(catalogueId, filter), page)),
              rows.petsOf,
            ),
      texts: (catalogueId, query) =>
        andThen(revisions.of(catalogueId), (revision) =>
          blocks.texts(catalogueId, revision, query),
        ),
      count: (catalogueId, filter) =>
        filter.ids?.length === 0 ? 0 : total(selectPets(catalogueId, filter)),
      deleted: (catalogueId, deletedAfter, { order, after, limit }) =>
        order === "asc"
          ? all(DELETED_ASC, [catalogueId, deletedAfter, after ?? 0, limit], rows.deletedPetOf)
          : all(
              DELETED_DESC,
              [catalogueId, deletedAfter, after ?? MAX_ID, limit],
              rows.deletedPetOf,
            ),
    },
    profiles: {
      of: (catalogueId, petIds) =>
        petIds.length === 0
          ? []
          : all(
              `${PROFILES} AND pet_id IN (${placesOf(petIds)}) ORDER BY pet_id`,
              [catalogueId, ...pad(petIds)],
              rows.storedProfileOf,
            ),
      byExternalIds: (catalogueId, source = "", externalIds) =>
        externalIds.length === 0
          ? []
          : andThen(
              all(
                `${BY_EXTERNAL_IDS(sql.dialect)} AND external_id IN (${placesOf(externalIds)}) AND ${PRESENT}`,
                [catalogueId, source, ...pad(externalIds)],
                rows.storedProfileOf,
              ),
              (found) => found.toSorted((one, other) => one.petId - other.petId),
            ),
      values: (catalogueId) =>
        andThen(
          all(PROFILE_VALUES(sql.dialect), [catalogueId], rows.profileValuesOf),
          profileValues,
        ),
    },
    photos: {
      of: (catalogueId, petIds) =>
        petIds.length === 0
          ? []
          : andThen(
              all(
                `${PHOTOS} AND pet_id IN (${placesOf(petIds)})`,
                [catalogueId, ...pad(petIds)],
                rows.photoOf,
              ),
              // An animal has only a few: no index is needed to sort them.
              (photos) => photos.toSorted((a, b) => a.petId - b.petId || a.position - b.position),
            ),
      byHash: (hash, catalogueId) =>
        all(
          catalogueId === undefined ? PHOTOS_BY_HASH : PHOTOS_BY_HASH_IN,
          catalogueId === undefined ? [hash] : [hash, catalogueId],
          (row) => ({ ...rows.photoOf(row), catalogueId: Number(row["catalogueId"]) }),
        ),
      bytes: (accountId) =>
        andThen(
          first(PHOTO_BYTES, [accountId], (row) => Number(row["bytes"])),
          (bytes) => bytes ?? 0,
        ),
    },
    categories: {
      byId: (catalogueId, id) => first(CATEGORY, [catalogueId, id], rows.categoryOf),
      list: (catalogueId, page) =>
        andThen(
          sql.query(pageOf(sql.dialect, selectCategories(catalogueId), page)),
          rows.categoriesOf,
        ),
      count: (catalogueId) => total(selectCategories(catalogueId)),
    },
    orders: {
      byId: (catalogueId, id) => first(ORDER, [catalogueId, id], rows.orderOf),
      adopter: (catalogueId, orderId) => first(ADOPTER, [catalogueId, orderId], rows.adopterOf),
      list: (catalogueId, filter, page) =>
        andThen(
          sql.query(pageOf(sql.dialect, selectOrders(catalogueId, filter), page)),
          rows.ordersOf,
        ),
      count: (catalogueId, filter) => total(selectOrders(catalogueId, filter)),
    },
    answers: {
      find: ({ catalogueId, request, key }) =>
        first(ANSWER, [catalogueId, request, key], rows.answerOf),
    },
    counters: { live: (now) => all(COUNTERS, [now], rows.counterOf) },
    events: {
      after: (seq, limit, accountId) =>
        andThen(settled("events"), (bound) =>
          accountId === undefined
            ? all(EVENTS, [seq, bound, limit], rows.eventOf)
            : all(EVENTS_OF, [accountId, seq, bound, limit], rows.eventOf),
        ),
      before: (seq, limit, accountId) =>
        andThen(settled("events"), (bound) => {
          const end = Math.min(seq, bound + 1);
          return accountId === undefined
            ? all(EVENTS_BACK, [end, limit], rows.eventOf)
            : all(EVENTS_BACK_OF, [accountId, end, limit], rows.eventOf);
        }),
      recorded: (seq, limit) =>
        andThen(settled("events"), (bound) => all(RECORDED, [seq, bound, limit], rows.recordedOf)),
      last: () => last("events"),
    },
    feed: {
      after: (seq, limit, through = MAX_ID) => all(NOTICES, [seq, through, limit], rows.noticeOf),
      last: () => last("feed"),
      ...(sql.timeline === undefined ? {} : { timeline: sql.timeline }),
    },
    usage: {
      read: (query, limit) => andThen(sql.query(usageIn(query, limit)), rows.usageOf),
    },
    settings,

    ...(sql.blocks === true ? { traffic: new Traffic() } : {}),

    commit,

    checkWritable: async (bytes = 0) => {
      const probe = { text: PROBE, values: ["x".repeat(bytes)] };
      const unprobe = { text: REMOVE_PROBE, values: [] };
      // A small probe is one transaction that changes nothing but must be written and synced. A large one needs two:
      // SQLite never writes pages that are freed in the transaction that allocated them.
      const batches = bytes === 0 ? [[probe, unprobe]] : [[probe], [unprobe]];
      for (const steps of batches) await sql.batch(steps, () => true, "probe");
    },
    close: () => sql.close(),
  };
}

/** A commit is in the lane of its first change. Rows that it shares with other lanes are locked by its statements. */
function laneOf(change: Change): string {
  switch (change.kind) {
    case "pet.create":
    case "pet.update":
    case "pet.delete":
    case "pet.restore":
    case "profile.set":
    case "photo.add":
    case "photo.change":
    case "photo.order":
    case "photo.remove":
    case "order.update":
    case "order.remove":
    case "category.create":
    case "category.update":
    case "category.delete":
      return `catalogue ${change.catalogueId}`;
    case "answer.record":
      return `catalogue ${change.id.catalogueId}`;
    case "key.create":
      return `catalogue ${change.key.catalogueId}`;
    case "key.rotate":
      return `catalogue ${change.successor.catalogueId}`;
    case "key.rename":
    case "key.revoke":
    case "key.ban":
    case "key.unban":
      return `key ${change.keyId}`;
    case "account.create":
      return `account ${change.account.id}`;
    case "account.rename":
    case "account.plan":
    case "account.suspend":
    case "account.delete":
    case "event.write":
      return `account ${change.accountId}`;
    case "setting.replace":
      return `setting ${change.name}`;
    case "counters.save":
    case "usage.add":
    case "setting.init":
    case "setting.save":
    case "purge":
      return change.kind;
  }
}

/** Forgets the range of the animal that a change created, changed or deleted. */
function forgetChanged(blocks: PetBlocks, change: Change, outcome: Outcome): void {
  const { kind } = change;
  if (kind === "pet.create") blocks.forget(change.catalogueId, petOf(outcome).id);
  else if (kind === "pet.restore") blocks.forget(change.catalogueId, change.petId);
  else if (kind === "pet.update" || kind === "pet.delete") {
    blocks.forget(change.catalogueId, change.from.id);
  }
}

const ACCOUNT = `SELECT ${rows.accountColumns} FROM accounts WHERE id = ?`;
const ACCOUNTS = `SELECT ${rows.accountColumns} FROM accounts ORDER BY created_at, id`;
const CATALOGUE = `SELECT ${rows.catalogueColumns} FROM catalogues WHERE id = ?`;
const CATALOGUE_OF = `SELECT ${rows.catalogueColumns} FROM catalogues
  WHERE account_id = ? AND environment = ?`;
const KEY = `SELECT ${rows.keyColumns} FROM api_keys WHERE id = ?`;
const KEYS_OF = `SELECT ${rows.keyColumns} FROM api_keys
  WHERE account_id = ? ORDER BY created_at DESC, id DESC`;
const SHOWN_PETS = `SELECT ${rows.shownPetColumns} FROM pets
  WHERE catalogue_id = ? AND id >= ? AND id < ? ORDER BY id DESC`;
const PET = `SELECT ${rows.petColumns} FROM pets WHERE catalogue_id = ? AND id = ?`;
const DELETED = `SELECT ${rows.deletedPetColumns} FROM deleted_pets
  WHERE catalogue_id = ? AND deleted_at > ?`;
const DELETED_ASC = `${DELETED} AND id > ? ORDER BY id LIMIT ?`;
const DELETED_DESC = `${DELETED} AND id < ? ORDER BY id DESC LIMIT ?`;
const PROFILES = `SELECT ${rows.profileColumns} FROM profiles WHERE catalogue_id = ?`;
const PRESENT = `EXISTS (
  SELECT 1 FROM pets WHERE pets.catalogue_id = profiles.catalogue_id AND pets.id = profiles.pet_id
)`;
const PHOTO_COLUMNS = `catalogue_id AS "catalogueId", ${rows.photoColumns}`;
/** Names the index: for ten or more IDs, SQLite would read every profile of the catalogue. */
const BY_EXTERNAL_IDS = ({ readBy }: Dialect): string => `SELECT ${rows.profileColumns}
  FROM profiles ${readBy("profiles_by_external_id")} WHERE catalogue_id = ? AND COALESCE(source, '') = ?`;
const PROFILE_VALUES = ({ readBy }: Dialect): string => `SELECT DISTINCT sex, size,
    good_with_children AS "goodWith.children", good_with_dogs AS "goodWith.dogs", good_with_cats AS "goodWith.cats",
    CASE WHEN birth_date IS NULL THEN NULL ELSE '2000-01-01' END AS "birth.date"
  FROM profiles ${readBy("profiles_by_filters")} WHERE catalogue_id = ?`;
const PHOTOS = `SELECT ${PHOTO_COLUMNS} FROM photos WHERE catalogue_id = ?`;
const photosByHash = (where: string): string => `SELECT ${PHOTO_COLUMNS} FROM (
    SELECT found.*, pets.id AS present, ROW_NUMBER() OVER (
      PARTITION BY found.catalogue_id, pets.status, pets.category_id ORDER BY found.pet_id, found.id
    ) AS place
    FROM (SELECT * FROM photos WHERE hash = ?${where} LIMIT 10000) AS found
    LEFT JOIN pets ON pets.catalogue_id = found.catalogue_id AND pets.id = found.pet_id
  ) AS placed WHERE place = 1
  ORDER BY CASE WHEN present IS NULL THEN 1 ELSE 0 END, catalogue_id, pet_id LIMIT 1000`;
const PHOTOS_BY_HASH = photosByHash("");
const PHOTOS_BY_HASH_IN = photosByHash(" AND catalogue_id = ?");
const PHOTO_BYTES = `SELECT COALESCE(SUM(bytes), 0) AS bytes FROM photos
  WHERE catalogue_id IN (SELECT id FROM catalogues WHERE account_id = ?)`;
const CATEGORY = `SELECT ${rows.categoryColumns} FROM categories WHERE catalogue_id = ? AND id = ?`;
const ORDER = `SELECT ${rows.orderColumns} FROM orders WHERE catalogue_id = ? AND id = ?`;
const ADOPTER = `SELECT ${rows.adopterColumns} FROM adoptions
  WHERE catalogue_id = ? AND order_id = ?`;
const ANSWER = `SELECT ${rows.answerColumns} FROM answers
  WHERE catalogue_id = ? AND request = ? AND idempotency_key = ?`;
const COUNTERS = `SELECT ${rows.counterColumns} FROM counters WHERE ends_at > ?`;
/** A condition: events, without the entries that only the audit log has. */
const FOR_READERS = `type NOT IN (${auditTypes.map((type) => `'${type}'`).join(", ")})`;
const EVENTS = `SELECT ${rows.eventColumns} FROM events
  WHERE seq > ? AND seq <= ? AND ${FOR_READERS} ORDER BY seq LIMIT ?`;
const EVENTS_OF = `SELECT ${rows.eventColumns} FROM events
  WHERE account_id = ? AND seq > ? AND seq <= ? AND ${FOR_READERS} ORDER BY seq LIMIT ?`;
const EVENTS_BACK = `SELECT ${rows.eventColumns} FROM events
  WHERE seq < ? AND ${FOR_READERS} ORDER BY seq DESC LIMIT ?`;
const EVENTS_BACK_OF = `SELECT ${rows.eventColumns} FROM events
  WHERE account_id = ? AND seq < ? AND ${FOR_READERS} ORDER BY seq DESC LIMIT ?`;
const RECORDED = `SELECT ${rows.recordedColumns} FROM events
  WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?`;
const NOTICES = `SELECT ${rows.noticeColumns} FROM feed
  WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?`;
const LAST = {
  events: "SELECT COALESCE(MAX(seq), 0) AS seq FROM events WHERE seq <= ?",
  feed: "SELECT COALESCE(MAX(seq), 0) AS seq FROM feed WHERE seq <= ?",
} as const;
const SETTING = "SELECT value FROM settings WHERE name = ?";
const PROBE = `INSERT INTO settings (name, value) VALUES ('probe', ?)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
const REMOVE_PROBE = "DELETE FROM settings WHERE name = 'probe'";

function selectPets(
  catalogueId: number,
  { status, categoryId, ids, name, profile }: PetFilter,
): Selection {
  const filters = [
    ["category_id", categoryId],
    ["status", status],
  ] as const;
  const part = name === undefined ? undefined : searchForm(name);
  return { table: "pets", catalogueId, filters, ids, part, profile };
}

function selectCategories(catalogueId: number): Selection {
  return { table: "categories", catalogueId, filters: [] };
}

function selectOrders(catalogueId: number, { petId, status }: OrderFilter): Selection {
  const filters = [
    ["pet_id", petId],
    ["status", status],
  ] as const;
  return { table: "orders", catalogueId, filters };
}

/** How many names one commit folds. Bounds how long other commits wait. */
const FOLDED_AT_ONCE = 1_000;

// The index contains only unfolded rows: once none is left, this costs nothing.
const UNFOLDED = `SELECT catalogue_id, id, name FROM pets
  WHERE folded_name IS NULL LIMIT ${FOLDED_AT_ONCE}`;

const FOLD = `UPDATE pets SET folded_name = ?
  WHERE catalogue_id = ? AND id = ? AND name = ? AND folded_name IS NULL`;

/** Adds the searchable form of names written by older versions. Two processes may do this at the same time. */
async function foldNames(sql: Sql): Promise<void> {
  for (;;) {
    const unfolded = await sql.query({ text: UNFOLDED, values: [] });
    if (unfolded.length === 0) return;
    const steps = unfolded.map((row): Step => {
      const name = text(row, "name");
      const values = [searchForm(name), number(row, "catalogue_id"), number(row, "id"), name];
      return { text: FOLD, values };
    });
    await sql.batch(steps, () => true);
    if (unfolded.length < FOLDED_AT_ONCE) return;
  }
}
