import type { JSX } from "preact";

import { allowedAfter, petStatuses, type Pet, type PetStatus } from "../../../../lib/model/pet.ts";
import { Badge } from "../../components/badge.tsx";
import type { Tone } from "../../components/notice.tsx";
import { mayChange } from "../../state/me.ts";
import { words } from "../../words/words.ts";

/** How each status looks; its word says the same. */
export const toneOf: Readonly<Record<PetStatus, Tone>> = {
  available: "good",
  pending: "warn",
  sold: "plain",
};

/** An animal's status, and one click to each that may follow it; to those who may only look, a word. */
export function StatusControl({
  pet: { name, status },
  onMove,
}: {
  readonly pet: Pet;
  readonly onMove: (to: PetStatus) => void;
}): JSX.Element {
  const { animals, common } = words();
  if (!mayChange.value) return <Badge tone={toneOf[status]}>{common.statuses[status]}</Badge>;
  return (
    <div class="segments small" role="group" aria-label={animals.statusOf(name)}>
      {petStatuses.map((one) => (
        <button
          key={one}
          type="button"
          class={one === status ? toneOf[one] : ""}
          aria-pressed={one === status}
          disabled={one !== status && !allowedAfter[status].includes(one)}
          onClick={() => {
            if (one !== status) onMove(one);
          }}
        >
          {common.statuses[one]}
        </button>
      ))}
    </div>
  );
}
