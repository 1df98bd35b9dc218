import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLocation } from "preact-iso";

import type { Account } from "../../../../lib/model/account.ts";
import type { Category } from "../../../../lib/model/category.ts";
import { send } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/page.tsx";
import { confirm, Dialog } from "../../components/dialog.tsx";
import { Empty, Loaded, Refusal } from "../../components/feedback.tsx";
import { TextField, bound } from "../../components/field.tsx";
import { Icon } from "../../components/icon.tsx";
import { InSteps } from "../../components/table.tsx";
import { Menu } from "../../components/menu.tsx";
import { toast } from "../../components/toasts.tsx";
import { useAttempt } from "../../components/form.tsx";
import { inEnvironment, useEnvironment } from "../../state/query.ts";
import { inAccount } from "../../state/in-account.tsx";
import { mayChange } from "../../state/me.ts";
import { said, words } from "../../words/words.ts";
import { AnimalSection, pathIn, useCategories, type Where } from "./catalogue.tsx";

/** The kinds of animals of an account: to be added, renamed and removed. */
export const Categories = inAccount(({ account }) => {
  const environment = useEnvironment();
  return <Kinds key={environment} account={account} where={{ account, environment }} />;
});

function Kinds({
  account,
  where,
}: {
  readonly account: Account;
  readonly where: Where;
}): JSX.Element {
  const categories = useCategories(where);
  const edited = useSignal<Category | "new" | undefined>(undefined);
  const { route } = useLocation();
  const { animals, common } = words();
  const may = mayChange.value;
  const remove = async (category: Category): Promise<void> => {
    if (!(await removeCategory(where, category))) return;
    categories.put((categories.value ?? []).filter(({ id }) => id !== category.id));
    toast(animals.categoryDeleted(category.name));
  };
  const animalsOf = ({ id }: Category): string =>
    `/accounts/${account.id}/animals${inEnvironment(where.environment, { category: String(id) })}`;
  const add = may && (
    <Button look="primary" onClick={() => (edited.value = "new")}>
      <Icon name="plus" />
      {animals.addCategory}
    </Button>
  );
  return (
    <AnimalSection
      account={account}
      title={animals.categories}
      about={animals.categoriesAbout}
      actions={add}
    >
      <Card bare>
        <Loaded resource={categories}>
          {(known) =>
            known.length === 0 ? (
              <Empty title={animals.categoriesEmptyTitle}>{animals.categoriesEmptyText}</Empty>
            ) : (
              <InSteps items={known}>
                {(some) => (
                  <ul class="lines">
                    {some.map((category) => (
                      <li key={category.id} class="row apart">
                        <a class="link" href={animalsOf(category)}>
                          {category.name}
                        </a>
                        {may && (
                          <Menu
                            label={common.more(category.name)}
                            items={[
                              {
                                label: animals.animalsOf,
                                onClick: () => route(animalsOf(category)),
                              },
                              { label: animals.rename, onClick: () => (edited.value = category) },
                              {
                                label: common.delete,
                                danger: true,
                                onClick: () => void remove(category),
                              },
                            ]}
                          />
                        )}
                      </li>
                    ))}
                  </ul>
                )}
              </InSteps>
            )
          }
        </Loaded>
      </Card>
      {edited.value !== undefined && (
        <CategoryDialog
          where={where}
          {...(edited.value === "new" ? {} : { category: edited.value })}
          onSaved={() => void categories.reload()}
          onClose={() => (edited.value = undefined)}
        />
      )}
    </AnimalSection>
  );
}

/** Adds a category, or gives one another name. */
export function CategoryDialog({
  where,
  category,
  onSaved,
  onClose,
}: {
  readonly where: Where;
  /** Absent: one is added. */
  readonly category?: Category;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}): JSX.Element {
  const { animals, common } = words();
  const name = useSignal(category?.name ?? "");
  const { busy, problem, run } = useAttempt();
  const path = `${pathIn(where)}/categories`;
  const save = (): Promise<void> =>
    run(
      () =>
        category === undefined
          ? send<Category>("POST", path, { name: name.peek() })
          : send<Category>("PATCH", `${path}/${category.id}`, { name: name.peek() }),
      (saved) => {
        toast(
          category === undefined
            ? animals.categoryAdded(saved.name)
            : animals.categoryRenamed(saved.name),
        );
        onSaved();
        onClose();
      },
    );
  return (
    <Dialog
      title={category === undefined ? animals.addCategory : animals.renameCategory(category.name)}
      action={common.save}
      busy={busy}
      onClose={onClose}
      onSubmit={() => void save()}
    >
      <Refusal problem={problem} />
      <TextField
        label={animals.categoryName}
        hint={animals.categoryHint}

        required
        autofocus
        {...bound(name)}
      />
    </Dialog>
  );
}

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
