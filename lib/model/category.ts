/** The longest name, in code points. */
export const MAX_CATEGORY_NAME = 80;

export interface Category {
  readonly id: number;
  /** 1 to 80 code points, unique in its catalogue without regard to case. */
  readonly name: string;
}

/** A category as it is remembered. */
export interface StoredCategory extends Category {
  readonly version: number;
  readonly updatedAt: number;
}

/** A category as it is sent. */
export function categoryShown({ id, name }: Category): Category {
  return { id, name };
}

/** The form under which two names are the same one: NFKC, lower case. */
export function foldCategoryName(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}
