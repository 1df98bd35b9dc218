/** The two operations of row 4, handwritten over an SQLite handle. */
export interface Handle {
  exec(sql: string): unknown;
  prepare(sql: string): {
    all(...values: unknown[]): unknown[];
    get(...values: unknown[]): unknown;
  };
}

export interface Pet {
  readonly id: number;
  readonly name: string;
  readonly categoryId: number;
  readonly status: string;
}

export interface NewPet {
  readonly name: string;
  readonly categoryId: number;
  readonly status: string;
}

export interface Pets {
  list(status: string, limit: number): readonly Pet[];
  create(pet: NewPet): Pet;
}

export const statuses: readonly string[] = ["available", "pending", "sold"];

export function openPets(database: Handle): Pets {
  // Acknowledged writes are on disk, as in the program.
  database.exec("PRAGMA journal_mode = WAL");
  database.exec("PRAGMA synchronous = FULL");
  const list = database.prepare(
    "SELECT id, name, categoryId, status FROM pets WHERE status = ? ORDER BY id DESC LIMIT ?",
  );
  const create = database.prepare(
    "INSERT INTO pets (name, categoryId, status) VALUES (?, ?, ?) RETURNING id, name, categoryId, status",
  );
  return {
    list: (status, limit) => list.all(status, limit) as Pet[],
    create: ({ name, categoryId, status }) => create.get(name, categoryId, status) as Pet,
  };
}
