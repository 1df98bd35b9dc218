/** An animal in the import format. */
export interface Animal {
  readonly name: string;
  readonly categoryId: number;
  readonly status: "available" | "pending" | "sold";
}

const FIRST = ["Rex", "Luna", "Milo", "Bella", "Otis", "Nala", "Coco", "Balu", "Kiwi", "Zoe"];

/** Returns the same animals every time: of each ten, eight are available, one is pending and one is sold. */
export function animals(count: number): readonly Animal[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `${FIRST[index % FIRST.length]} ${index + 1}`,
    categoryId: (index % 3) + 1,
    status: index % 10 === 8 ? "pending" : index % 10 === 9 ? "sold" : "available",
  }));
}
