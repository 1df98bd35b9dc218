import type { JSX } from "preact";

import { petStatuses, type PetStatus } from "../../../../lib/model/pet.ts";
import { Card } from "../../components/page.tsx";
import { Loaded } from "../../components/feedback.tsx";
import type { Resource } from "../../state/resource.ts";
import { number } from "../../words/format.ts";
import { overviewWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";

/** How many there are of what, as `GET …/summary` tells it. */
export interface CatalogueSummary {
  readonly pets: Readonly<Record<PetStatus, number>>;
  readonly orders: number;
  readonly categories: number;
}

/** The animals in numbers, and the way to each of them. */
export function AnimalsCard({
  base,
  summary,
}: {
  /** Address of the account's views. */
  readonly base: string;
  readonly summary: Resource<CatalogueSummary>;
}): JSX.Element {
  const said = overviewWords.words();
  const { common } = words();
  return (
    <Card title={said.animals} actions={<a href={`${base}/animals`}>{said.animalsAll}</a>}>
      <Loaded resource={summary} lines={4}>
        {({ pets, orders }) => (
          <>
            <ul class="figures">
              {petStatuses.map((status) => (
                <li key={status}>
                  <a href={`${base}/animals?status=${status}`}>
                    <span class={`dot ${status}`} />
                    {common.statuses[status]}
                    <strong>{number(pets[status])}</strong>
                  </a>
                </li>
              ))}
            </ul>
            <Share pets={pets} />
            <p class="soft">
              {pets.available + pets.pending + pets.sold === 0 ? (
                said.animalsEmpty
              ) : (
                <a href={`${base}/orders`}>{said.orders(orders)}</a>
              )}
            </p>
          </>
        )}
      </Loaded>
    </Card>
  );
}

/** The parts of the whole side by side. */
function Share({ pets }: { readonly pets: CatalogueSummary["pets"] }): JSX.Element {
  const { available, pending, sold } = pets;
  return (
    <div
      class="share"
      role="img"
      aria-label={overviewWords.words().share(available, pending, sold)}
    >
      {petStatuses.map(
        (status) =>
          pets[status] > 0 && (
            <span key={status} class={status} style={{ flexGrow: pets[status] }} />
          ),
      )}
    </div>
  );
}
