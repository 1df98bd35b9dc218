import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLocation } from "preact-iso";

import type { Category } from "../../../../lib/catalogue/model.ts";
import { call } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { confirm } from "../../components/dialog.tsx";
import { Empty, Loaded } from "../../components/feedback.tsx";
import { bound, TextField } from "../../components/field.tsx";
import { FormDialog } from "../../components/form.tsx";
import { Icon } from "../../components/icon.tsx";
import { Menu } from "../../components/menu.tsx";
import { Card } from "../../components/page.tsx";
import { InSteps } from "../../components/table.tsx";
import { toast } from "../../components/toasts.tsx";
import { inAccount } from "../../state/in-account.tsx";
import { mayChange } from "../../state/me.ts";
import { inEnvironment, useEnvironment } from "../../state/query.ts";
import { animalsWords } from "../../words/late.tsx";
import { problemText, words } from "../../words/words.ts";
import { AnimalSection, inCatalogue, useCategories, type Where } from "./catalogue.tsx";

/** The categories of an account. */
export const Categories = inAccount(
  animalsWords.within(({ account }) => {
    const environment = useEnvironment();
    return <CategoryList key={environment} where={{ account, environment }} />;
  }),
);

function CategoryList({ where }: { readonly where: Where }): JSX.Element {
  const { account, environment } = where;
  const categories = useCategories(where);
  const edited = useSignal<Category | "new" | undefined>(undefined);
  const { route } = useLocation();
  const animals = animalsWords.words();
  const { common } = words();
  const remove = async ({ id, name }: Category): Promise<void> => {
    if (!(await confirm(animals.deleteCategory, name, { look: "danger" }))) return;
    const result = await call("DELETE /accounts/:account/:environment/categories/:category", {
      ...inCatalogue(where),
      category: String(id),
    });
    if (result.ok) {
      categories.put((categories.value ?? []).filter((one) => one.id !== id));
      toast(animals.deleteCategory.done(name));
    } else if (result.failure.code === "category_in_use") toast(animals.categoryInUse(name));
    else toast(problemText(result.failure));
  };
  const animalsOf = ({ id }: Category): string =>
    `/accounts/${account.id}/animals${inEnvironment(environment, { category: String(id) })}`;
  return (
    <AnimalSection
      account={account}
      title={animals.categories}
      about={animals.categoriesAbout}
      actions={
        mayChange.value && (
          <Button look="primary" onClick={() => (edited.value = "new")}>
            <Icon name="plus" />
            {animals.addCategory}
          </Button>
        )
      }
    >
      <Card bare>
        <Loaded resource={categories}>
          {(all) =>
            all.length === 0 ? (
              <Empty title={animals.categoriesEmptyTitle}>{animals.categoriesEmptyText}</Empty>
            ) : (
              <InSteps items={all}>
                {(some) => (
                  <ul class="lines">
                    {some.map((category) => (
                      <li key={category.id} class="row apart">
                        <a class="link" href={animalsOf(category)}>
                          {category.name}
                        </a>
                        {mayChange.value && (
                          <Menu
                            label={common.more(category.name)}
                            items={[
                              {
                                label: animals.animalsOf,
                                onClick: () => route(animalsOf(category)),
                              },
                              {
                                label: animals.renameCategory.action,
                                onClick: () => (edited.value = category),
                              },
                              {
                                label: animals.deleteCategory.action,
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
          category={edited.value === "new" ? undefined : edited.value}
          onSaved={() => void categories.reload()}
          onClose={() => (edited.value = undefined)}
        />
      )}
    </AnimalSection>
  );
}

function CategoryDialog({
  where,
  category,
  onSaved,
  onClose,
}: {
  readonly where: Where;
  /** The category to rename; undefined adds one. */
  readonly category: Category | undefined;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}): JSX.Element {
  const animals = animalsWords.words();
  const name = useSignal(category?.name ?? "");
  return (
    <FormDialog
      title={
        category === undefined ? animals.addCategory : animals.renameCategory.title(category.name)
      }
      action={category === undefined ? animals.addCategory : animals.renameCategory.action}
      send={() =>
        category === undefined
          ? call("POST /accounts/:account/:environment/categories", {
              ...inCatalogue(where),
              body: { name: name.peek() },
            })
          : call("PATCH /accounts/:account/:environment/categories/:category", {
              ...inCatalogue(where),
              category: String(category.id),
              body: { name: name.peek() },
            })
      }
      onDone={(saved) => {
        toast(animals[category === undefined ? "categoryAdded" : "categoryRenamed"](saved.name));
        onSaved();
        onClose();
      }}
      onClose={onClose}
    >
      <TextField
        label={animals.categoryName}
        hint={animals.categoryHint}
        required
        autofocus
        {...bound(name)}
      />
    </FormDialog>
  );
}
