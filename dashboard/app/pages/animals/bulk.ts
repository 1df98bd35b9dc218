import { done } from "../../../../lib/base/result.ts";
import type { Pet, PetFields } from "../../../../lib/catalogue/model.ts";
import { allowedAfter } from "../../../../lib/catalogue/model-changes.ts";
import { call } from "../../api.ts";
import { inCatalogue, type Where } from "./catalogue.tsx";
import type { Step } from "./change-each.ts";
import { patiently } from "./patiently.ts";
import { changePet } from "./pet-changes.ts";

/** The most animals that are changed at once: a session has 600 requests a minute, and other pages need some. */
export const MOST = 500;
/** Returns the step that changes these fields. */
export function changing(where: Where, fieldsOf: (pet: Pet) => PetFields): Step {
  return async (before, stop) => {
    const fields = fieldsOf(before);
    const { status = before.status } = fields;
    if (status !== before.status && !allowedAfter[before.status].includes(status)) {
      return { ok: false, failure: "adopted" };
    }
    const result = await patiently(stop, () => changePet(where, before, fields));
    return result.ok ? done({ before, after: result.value }) : result;
  };
}

/** Returns the step that deletes, or restores what was deleted. */
export function removing(where: Where, { restores = false } = {}): Step {
  return async (before, stop) => {
    const pet = { ...inCatalogue(where), pet: String(before.id) };
    if (restores) {
      const restored = await patiently(stop, () =>
        call("POST /accounts/:account/:environment/pets/:pet/restore", pet),
      );
      return restored.ok ? done({ before, after: restored.value }) : restored;
    }
    const removed = await patiently(stop, () =>
      call("DELETE /accounts/:account/:environment/pets/:pet", pet),
    );
    return removed.ok ? done({ before }) : removed;
  };
}

/** Returns the step that removes the adoptions of animals as mistakes, which gives them the status that they had before. */
export function undoingAdoptions(where: Where, adopted: ReadonlySet<number>): Step {
  return async (before, stop) => {
    if (!adopted.has(before.id)) return done({ before, after: before });
    const at = inCatalogue(where);
    const pet = String(before.id);
    const orders = await patiently(stop, () =>
      call("GET /accounts/:account/:environment/orders", {
        ...at,
        query: { petId: before.id, limit: 1 },
      }),
    );
    if (!orders.ok) return orders;
    for (const { id } of orders.value) {
      const removed = await patiently(stop, () =>
        call("DELETE /accounts/:account/:environment/orders/:order", { ...at, order: String(id) }),
      );
      if (!removed.ok) return removed;
    }
    const now = await patiently(stop, () =>
      call("GET /accounts/:account/:environment/pets/:pet", { ...at, pet }),
    );
    return now.ok ? done({ before, after: now.value }) : now;
  };
}
