import type { JSX } from "preact";

import type { Category } from "../../../../lib/model/category.ts";
import type { Pet, PetStatus } from "../../../../lib/model/pet.ts";
import { Menu } from "../../components/menu.tsx";
import { Table } from "../../components/table.tsx";
import { mayChange } from "../../state/me.ts";
import { words } from "../../words/words.ts";
import { categoryName } from "./catalogue.ts";
import { StatusControl } from "./status-control.tsx";

/** Animals in rows, and what can be done with each. */
export function AnimalTable({
  pets,
  categories,
  onOrders,
  onMove,
  onEdit,
  onRemove,
}: {
  readonly pets: readonly Pet[];
  readonly categories: readonly Category[] | undefined;
  readonly onOrders: (pet: Pet) => void;
  readonly onMove: (pet: Pet, to: PetStatus) => void;
  readonly onEdit: (pet: Pet) => void;
  readonly onRemove: (pet: Pet) => void;
}): JSX.Element {
  const { animals, common } = words();
  const may = mayChange.value;
  return (
    <Table
      label={animals.title}
      columns={[
        animals.name,
        animals.category,
        animals.status,
        { number: animals.number },
        { unseen: animals.actions },
      ]}
    >
      {pets.map((pet) => (
        <tr key={pet.id}>
          <td class="lead">
            {may ? (
              <button type="button" class="link" onClick={() => onEdit(pet)}>
                {pet.name}
              </button>
            ) : (
              pet.name
            )}
          </td>
          <td class="name" data-label={animals.category}>
            {categoryName(categories, pet.categoryId)}
          </td>
          <td class="control">
            <StatusControl pet={pet} onMove={(to) => onMove(pet, to)} />
          </td>
          <td class="number soft" data-label={animals.number}>
            {pet.id}
          </td>
          <td class="corner end">
            <Menu
              label={common.more(pet.name)}
              items={[
                ...(may ? [{ label: animals.edit, onClick: () => onEdit(pet) }] : []),
                { label: animals.ordersOf, onClick: () => onOrders(pet) },
                ...(may
                  ? [{ label: common.delete, danger: true, onClick: () => onRemove(pet) }]
                  : []),
              ]}
            />
          </td>
        </tr>
      ))}
    </Table>
  );
}
