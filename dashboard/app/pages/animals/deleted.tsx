import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import type { Pet } from "../../../../lib/catalogue/model.ts";
import { call } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Empty } from "../../components/feedback.tsx";
import { Listed } from "../../components/list.tsx";
import { Card } from "../../components/page.tsx";
import { Table } from "../../components/table.tsx";
import { Instant } from "../../components/time.tsx";
import { inAccount } from "../../state/in-account.tsx";
import { mayChange } from "../../state/me.ts";
import { useEnvironment } from "../../state/query.ts";
import { useList } from "../../state/resource.ts";
import { animalsWords } from "../../words/late.tsx";
import {
  AnimalSection,
  categoryName,
  inCatalogue,
  useCategories,
  type Where,
} from "./catalogue.tsx";
import { restorePet } from "./pet-changes.ts";

/** Animals deleted in the last 48 hours. */
export const DeletedAnimals = inAccount(
  animalsWords.within(({ account }) => {
    const environment = useEnvironment();
    const animals = animalsWords.words();
    return (
      <AnimalSection account={account} title={animals.deleted} about={animals.deletedAbout}>
        <Card bare>
          <DeletedTable key={environment} where={{ account, environment }} />
        </Card>
      </AnimalSection>
    );
  }),
);

function DeletedTable({ where }: { readonly where: Where }): JSX.Element {
  // The component's own key resets it with the environment.
  const list = useList("", (query) =>
    call("GET /accounts/:account/:environment/pets/deleted", { ...inCatalogue(where), query }),
  );
  const categories = useCategories(where);
  const busy = useSignal<number | undefined>(undefined);
  const animals = animalsWords.words();
  const restore = async (pet: Pet): Promise<void> => {
    busy.value = pet.id;
    await restorePet(where, pet, ({ id }) => {
      list.change((pets) => pets.filter((one) => one.id !== id));
    });
    busy.value = undefined;
  };
  return (
    <Listed
      list={list}
      lines={6}
      empty={<Empty title={animals.deletedEmptyTitle}>{animals.deletedEmptyText}</Empty>}
    >
      {(pets) => (
        <Table
          label={animals.deleted}
          columns={[
            { name: animals.name, cell: "lead" },
            { name: animals.category, cell: "name" },
            animals.deletedAt,
            animals.restorableUntil,
            { name: animals.actions, cell: "end" },
          ]}
          rows={pets.map((pet) => ({
            key: pet.id,
            cells: [
              pet.name,
              categoryName(categories.value, pet.categoryId),
              <Instant at={pet.deletedAt} />,
              <Instant at={pet.restorableUntil} />,
              mayChange.value && (
                <Button
                  small
                  busy={busy.value === pet.id}
                  label={animals.restoreOne(pet.name)}
                  onClick={() => void restore(pet)}
                >
                  {animals.restore}
                </Button>
              ),
            ],
          }))}
        />
      )}
    </Listed>
  );
}
