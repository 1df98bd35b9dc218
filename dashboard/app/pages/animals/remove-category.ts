import type { Category } from "../../../../lib/model/category.ts";
import { send } from "../../api.ts";
import { confirm } from "../../components/confirm.tsx";
import { toast } from "../../components/toasts.tsx";
import { said } from "../../words/said.ts";
import { words } from "../../words/words.ts";
import { pathIn, type Where } from "./catalogue.ts";

/** Asks, then removes a category; resolves with whether it is gone. Says why where it is not. */
export async function removeCategory(where: Where, { id, name }: Category): Promise<boolean> {
  const { animals, common } = words();
  const sure = await confirm({
    title: animals.deleteCategory(name),
    text: animals.deleteCategoryText,
    action: common.delete,
    look: "danger",
  });
  if (!sure) return false;
  const result = await send("DELETE", `${pathIn(where)}/categories/${id}`);
  if (result.ok) return true;
  const { failure } = result;
  toast(failure.code === "category_in_use" ? animals.categoryInUse(name) : said(failure));
  return false;
}
