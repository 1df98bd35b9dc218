/** An animal as it is imported. */
export interface Animal {
  readonly name: string;
  readonly categoryId: number;
  readonly status: "available" | "pending" | "sold";
}

const FIRST = ["Rex", "Luna", "Milo", "Bella", "Otis", "Nala", "Coco", "Balu", "Kiwi", "Zoe"];

/** The same animals every time: of each ten, eight can be had, one is reserved and one is gone. */
export function animals(count: number): readonly Animal[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `${FIRST[index % FIRST.length]} ${index + 1}`,
    categoryId: (index % 3) + 1,
    status: index % 10 === 8 ? "pending" : index % 10 === 9 ? "sold" : "available",
  }));
}
