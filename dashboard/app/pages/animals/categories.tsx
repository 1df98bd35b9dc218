import { useSignal } from "@preact/signals";
import { useLocation } from "preact-iso";
import type { JSX } from "preact";

import type { Account } from "../../../../lib/model/account.ts";
import type { Category } from "../../../../lib/model/category.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Empty } from "../../components/empty.tsx";
import { Icon } from "../../components/icon.tsx";
import { InSteps } from "../../components/in-steps.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Menu } from "../../components/menu.tsx";
import { toast } from "../../components/toasts.tsx";
import { inEnvironment, useEnvironment } from "../../state/environment.ts";
import { inAccount } from "../../state/in-account.tsx";
import { mayChange } from "../../state/me.ts";
import { words } from "../../words/words.ts";
import { useCategories, type Where } from "./catalogue.ts";
import { CategoryDialog } from "./category-dialog.tsx";
import { removeCategory } from "./remove-category.ts";
import { AnimalSection } from "./section.tsx";

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
