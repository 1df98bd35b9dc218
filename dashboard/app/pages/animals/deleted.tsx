import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import type { Pet } from "../../../../lib/model/pet.ts";
import { get } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Empty } from "../../components/empty.tsx";
import { Instant } from "../../components/instant.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Table } from "../../components/table.tsx";
import { useEnvironment } from "../../state/environment.ts";
import { inAccount } from "../../state/in-account.tsx";
import { mayChange } from "../../state/me.ts";
import { useResource } from "../../state/resource.ts";
import { words } from "../../words/words.ts";
import { categoryName, pathIn, useCategories, type Where } from "./catalogue.ts";
import { restorePet } from "./deeds.ts";
import { AnimalSection } from "./section.tsx";

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
  const deleted = useResource(path, () =>
    get<readonly DeletedPet[]>(`${path}/pets/deleted`, { limit: 1_000 }),
  );
  const categories = useCategories(where);
  const busy = useSignal<number | undefined>(undefined);
  const { animals } = words();
  const restore = async (pet: Pet): Promise<void> => {
    busy.value = pet.id;
    await restorePet(where, pet, {
      onBack: ({ id }) => {
        deleted.put((deleted.value ?? []).filter((one) => one.id !== id));
      },
    });
    busy.value = undefined;
  };
  return (
    <Loaded resource={deleted}>
      {(pets) =>
        pets.length === 0 ? (
          <Empty title={animals.deletedEmptyTitle}>{animals.deletedEmptyText}</Empty>
        ) : (
          <Table
            label={animals.deleted}
            columns={[
              animals.name,
              animals.category,
              animals.deletedAt,
              animals.restorableUntil,
              { unseen: animals.actions },
            ]}
          >
            {pets.map((pet) => (
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
        )
      }
    </Loaded>
  );
}
