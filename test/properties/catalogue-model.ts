import type { Pet, PetStatus } from "../../lib/catalogue/model.ts";

/** The expected response. */
export interface Expected {
  readonly status: number;
  /** Compared with a success's body. */
  readonly body?: unknown;
}

export interface Category {
  readonly id: number;
  readonly name: string;
}

const notFound: Expected = { status: 404 };
const next: Readonly<Record<PetStatus, readonly PetStatus[]>> = {
  available: ["pending", "sold"],
  pending: ["available", "sold"],
  // These tests have the scope pets:admin.
  sold: ["available"],
};

/** A minimal reference implementation of a catalogue. */
export class CatalogueModel {
  readonly pets: Map<number, Pet> = new Map();
  readonly #deleted = new Map<number, Pet>();
  readonly #categories = new Map<number, Category>();
  readonly #orders: { readonly id: number; readonly petId: number }[] = [];
  #lastPet = 0;
  #lastCategory = 0;

  constructor() {
    for (const name of ["Dogs", "Cats", "Other"]) this.createCategory(name);
  }

  createPet(fields: Omit<Pet, "id">): Expected {
    if (!this.#categories.has(fields.categoryId)) return { status: 400 };
    const pet: Pet = { id: ++this.#lastPet, ...fields };
    this.pets.set(pet.id, pet);
    this.#sell(undefined, pet);
    return { status: 201, body: pet };
  }

  getPet(id: number): Expected {
    const pet = this.pets.get(id);
    return pet === undefined ? notFound : { status: 200, body: pet };
  }

  updatePet(id: number, fields: Partial<Omit<Pet, "id">>): Expected {
    const before = this.pets.get(id);
    if (before === undefined) return notFound;
    const after = { ...before, ...fields };
    if (after.status !== before.status && !next[before.status].includes(after.status)) {
      return { status: 409 };
    }
    if (!this.#categories.has(after.categoryId)) return { status: 400 };
    this.pets.set(id, after);
    this.#sell(before, after);
    return { status: 200, body: after };
  }

  deletePet(id: number): Expected {
    const pet = this.pets.get(id);
    if (pet === undefined) return notFound;
    this.pets.delete(id);
    this.#deleted.set(id, pet);
    return { status: 204 };
  }

  restorePet(id: number): Expected {
    const pet = this.#deleted.get(id);
    if (pet !== undefined) {
      this.#deleted.delete(id);
      this.pets.set(id, pet);
    }
    return this.getPet(id);
  }

  /** Newest first. */
  listPets(limit: number, status?: PetStatus): Expected {
    const found = [...this.pets.values()].filter((pet) => (status ?? pet.status) === pet.status);
    const body = found.toSorted((a, b) => b.id - a.id).slice(0, limit);
    return { status: 200, body };
  }

  countPets(): number {
    return this.pets.size;
  }

  createCategory(name: string): Expected {
    if ([...this.#categories.values()].some((one) => one.name === name)) return { status: 409 };
    const category = { id: ++this.#lastCategory, name };
    this.#categories.set(category.id, category);
    return { status: 201, body: category };
  }

  deleteCategory(id: number): Expected {
    if (!this.#categories.has(id)) return notFound;
    const users = [...this.pets.values(), ...this.#deleted.values()];
    if (users.some(({ categoryId }) => categoryId === id)) return { status: 409 };
    this.#categories.delete(id);
    return { status: 204 };
  }

  listCategories(): Expected {
    const body = [...this.#categories.values()].toSorted((a, b) => b.id - a.id);
    return { status: 200, body };
  }

  /** Ids and animals of the orders, newest first. */
  orders(): readonly { readonly id: number; readonly petId: number }[] {
    return this.#orders.toReversed();
  }

  #sell(before: Pet | undefined, after: Pet): void {
    if (after.status !== "sold" || before?.status === "sold") return;
    this.#orders.push({ id: this.#orders.length + 1, petId: after.id });
  }
}
