import { done } from "../lib/base/result.ts";
import { petStatuses } from "../lib/index.ts";
import type { ManagementClient } from "../lib/management/index.ts";
import type { Operand } from "./command.ts";
import { optional, repeated, required } from "./flag.ts";
import { integer, oneOf, text, type Parse } from "../settings/values.ts";

/** Flags and operands of the commands for projects. */

export const projectOperand: Operand = {
  placeholder: "PROJECT",
  help: "Slug or id of the project, as `projects list` shows them.",
};

export const projectFlag = required({
  name: "project",
  placeholder: "PROJECT",
  help: "Slug or id of the project.",
  parse: text,
});

/** Ids have up to 16 digits; nobody types one that long. */
const categoryId = integer({ min: 1, max: 999_999_999_999_999 });

const category: Parse<number | "all"> = (written) =>
  written === "all" ? done("all") : categoryId(written);

export const projectFlags = {
  slug: optional({
    name: "slug",
    placeholder: "SLUG",
    help: "The first part of its address: letters, digits and hyphens.",
    parse: text,
  }),
  categoryIds: repeated({
    name: "category",
    placeholder: "ID",
    help: "Show only animals of this category. `all` for all of them, the default.",
    parse: category,
  }),
  statuses: repeated({
    name: "status",
    placeholder: "STATUS",
    help: `Show only animals that are ${petStatuses.join(", ")}. Default: available and pending.`,
    parse: oneOf(petStatuses),
  }),
  accent: optional({
    name: "accent",
    placeholder: "COLOUR",
    help: "Of the storefront, as #2f6f4f.",
    parse: text,
  }),
  scheme: optional({
    name: "scheme",
    placeholder: "SCHEME",
    help: "auto, light or dark: what the visitor's device says, or one for all.",
    parse: oneOf(["auto", "light", "dark"]),
  }),
} as const;

type Change = Parameters<ManagementClient["projects"]["update"]>[1];

/** What the flags come to; what was not typed is left as it is. */
export function projectChange({
  slug,
  categoryIds,
  statuses,
  accent,
  scheme,
}: {
  readonly slug: string | undefined;
  readonly categoryIds: readonly (number | "all")[] | undefined;
  readonly statuses: NonNullable<Change["filter"]>["statuses"] | undefined;
  readonly accent: string | undefined;
  readonly scheme: NonNullable<Change["theme"]>["scheme"] | undefined;
}): Omit<Change, "name"> {
  const filter = {
    ...(categoryIds === undefined ? {} : { categoryIds: idsOf(categoryIds) }),
    ...(statuses === undefined ? {} : { statuses }),
  };
  const theme = {
    ...(accent === undefined ? {} : { accent }),
    ...(scheme === undefined ? {} : { scheme }),
  };
  return {
    ...(slug === undefined ? {} : { slug }),
    ...(Object.keys(filter).length === 0 ? {} : { filter }),
    ...(Object.keys(theme).length === 0 ? {} : { theme }),
  };
}

function idsOf(categoryIds: readonly (number | "all")[]): readonly number[] {
  return categoryIds.includes("all") ? [] : categoryIds.filter((id) => id !== "all");
}
