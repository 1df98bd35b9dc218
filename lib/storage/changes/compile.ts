import type { Actor } from "../../model/actor.ts";
import type { Change, ChangeOf } from "../change.ts";
import {
  changePlan,
  createAccount,
  deleteAccount,
  renameAccount,
  suspendAccount,
} from "./accounts.ts";
import { createCategory, deleteCategory, updateCategory } from "./categories.ts";
import { banKey, createKey, renameKey, revokeKey, rotateKey, unbanKey } from "./keys.ts";
import { addPhoto, changePhoto, orderPhotos, removePhoto, setProfile } from "./profiles.ts";
import { removeOrder, updateOrder } from "./orders.ts";
import { StoreScript, writeEvent, type Outcomes } from "./store-script.ts";
import { createPets, deletePet, restorePet, updatePet } from "./pets.ts";
import {
  addUsage,
  initSetting,
  purge,
  recordAnswer,
  replaceSetting,
  saveCounters,
  saveSetting,
} from "./upkeep.ts";

/** Compiles the changes of one commit to the steps of one batch. */
export function compile(changes: readonly Change[], actor: Actor): StoreScript {
  const script = new StoreScript(actor);
  for (let index = 0; index < changes.length; index++) {
    const change = changes[index];
    if (change?.kind === "pet.create") {
      const together = [change];
      for (
        let next = changes[index + 1];
        isSimilarCreation(together, next);
        next = changes[index + 1]
      ) {
        together.push(next);
        index++;
      }
      createPets(script, together);
    } else if (change !== undefined) script.end(write(script, change));
  }
  return script;
}

type PetCreation = ChangeOf<"pet.create">;

/** Returns true for the creation of another pet in the same catalogue, without the key of an earlier one: they share their statements. */
function isSimilarCreation(
  together: readonly PetCreation[],
  next: Change | undefined,
): next is PetCreation {
  if (next?.kind !== "pet.create" || next.catalogueId !== together[0]?.catalogueId) return false;
  const { externalId, source } = next.profile ?? {};
  return (
    externalId === undefined ||
    together.every(({ profile }) => profile?.externalId !== externalId || profile.source !== source)
  );
}

type Kind = Exclude<Change["kind"], "pet.create">;
type Writer<One extends Kind> = (script: StoreScript, change: ChangeOf<One>) => Outcomes;

const writers: { readonly [One in Kind]: Writer<One> } = {
  "account.create": createAccount,
  "account.rename": renameAccount,
  "account.plan": changePlan,
  "account.suspend": suspendAccount,
  "account.delete": deleteAccount,
  "key.create": createKey,
  "key.rotate": rotateKey,
  "key.rename": renameKey,
  "key.revoke": revokeKey,
  "key.ban": banKey,
  "key.unban": unbanKey,
  "pet.update": updatePet,
  "pet.delete": deletePet,
  "pet.restore": restorePet,
  "profile.set": setProfile,
  "photo.add": addPhoto,
  "photo.change": changePhoto,
  "photo.order": orderPhotos,
  "photo.remove": removePhoto,
  "category.create": createCategory,
  "category.update": updateCategory,
  "category.delete": deleteCategory,
  "order.update": updateOrder,
  "order.remove": removeOrder,
  "answer.record": recordAnswer,
  "counters.save": saveCounters,
  "usage.add": addUsage,
  "event.write": writeEvent,
  "setting.init": initSetting,
  "setting.save": saveSetting,
  "setting.replace": replaceSetting,
  purge,
};

function write<One extends Kind>(script: StoreScript, change: ChangeOf<One>): Outcomes {
  const writer: Writer<One> = writers[change.kind];
  return writer(script, change);
}
