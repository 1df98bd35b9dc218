import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import type { Pet } from "../../../../lib/model/pet.ts";
import { get } from "../../api.ts";
import { Bones, Empty, Refusal } from "../../components/feedback.tsx";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/page.tsx";
import { Instant } from "../../components/time.tsx";
import { Table } from "../../components/table.tsx";
import { useEnvironment } from "../../state/query.ts";
import { inAccount } from "../../state/in-account.tsx";
import { useList } from "../../state/resource.ts";
import { mayChange } from "../../state/me.ts";
import { words } from "../../words/words.ts";
import { AnimalSection, categoryName, pathIn, useCategories, type Where } from "./catalogue.tsx";
import { restorePet } from "./pet-changes.ts";

/** An animal that was deleted, and can be brought back for a while. */
interface DeletedPet extends Pet {
  readonly deletedAt: number;
  readonly restorableUntil: number;
}

/** What was deleted in the last 48 hours, to be brought back. */
export const DeletedAnimals = inAccount(({ account }) => {
  const environment = useEnvironment();
  const { animals } = words();
  return (
    <AnimalSection account={account} title={animals.deleted} about={animals.deletedAbout}>
      <Card bare>
        <DeletedTable key={environment} where={{ account, environment }} />
      </Card>
    </AnimalSection>
  );
});

function DeletedTable({ where }: { readonly where: Where }): JSX.Element {
  const path = pathIn(where);
  const list = useList(path, (page) => get<readonly DeletedPet[]>(`${path}/pets/deleted`, page));
  const { items, problem, more, loading } = list;
  const categories = useCategories(where);
  const busy = useSignal<number | undefined>(undefined);
  const { animals, common } = words();
  const restore = async (pet: Pet): Promise<void> => {
    busy.value = pet.id;
    await restorePet(where, pet, {
      onBack: ({ id }) => {
        list.change((pets) => pets.filter((one) => one.id !== id));
      },
    });
    busy.value = undefined;
  };
  return (
    <>
      <Refusal problem={problem} onRetry={() => void list.reload()} />
      {items === undefined && problem === undefined && (
        <div class="inside">
          <Bones lines={6} />
        </div>
      )}
      {items?.length === 0 && (
        <Empty title={animals.deletedEmptyTitle}>{animals.deletedEmptyText}</Empty>
      )}
      {items !== undefined && items.length > 0 && (
        <Table
          label={animals.deleted}
          columns={[
            animals.name,
            animals.category,
            animals.deletedAt,
            animals.restorableUntil,
            { name: animals.actions, cell: "end corner" },
          ]}
        >
          {items.map((pet) => (
            <tr key={pet.id}>
              <td class="lead">{pet.name}</td>
              <td class="name" data-label={animals.category}>
                {categoryName(categories.value, pet.categoryId)}
              </td>
              <td data-label={animals.deletedAt}>
                <Instant at={pet.deletedAt} />
              </td>
              <td data-label={animals.restorableUntil}>
                <Instant at={pet.restorableUntil} />
              </td>
              <td class="end">
                {mayChange.value && (
                  <Button
                    small
                    busy={busy.value === pet.id}
                    label={animals.restoreOne(pet.name)}
                    onClick={() => void restore(pet)}
                  >
                    {animals.restore}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {more && (
        <footer>
          <Button small busy={loading} onClick={() => void list.loadMore()}>
            {common.loadMore}
          </Button>
        </footer>
      )}
    </>
  );
}
