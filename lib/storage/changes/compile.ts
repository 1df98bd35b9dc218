import type { Change } from "../change.ts";
import {
  changePlan,
  createAccount,
  deleteAccount,
  renameAccount,
  suspendAccount,
} from "./accounts.ts";
import { createCategory, deleteCategory, updateCategory } from "./categories.ts";
import { banKey, createKey, renameKey, revokeKey, rotateKey, unbanKey } from "./keys.ts";
import { writeEvent } from "./notes.ts";
import { createPets, deletePet, restorePet, updatePet } from "./pets.ts";
import { purge } from "./purge.ts";
import { StoreScript, type Outcomes } from "./store-script.ts";
import { initSetting, recordAnswer, saveCounters } from "./upkeep.ts";
import { addUsage } from "./usage.ts";

/** The changes of one commit as the steps of one batch. */
export function compile(changes: readonly Change[]): StoreScript {
  const script = new StoreScript();
  for (let index = 0; index < changes.length; index++) {
    const change = changes[index];
    if (change?.kind === "pet.create") {
      const together = [change];
      for (let next = changes[index + 1]; isAlike(change, next); next = changes[index + 1]) {
        together.push(next);
        index++;
      }
      createPets(script, together);
    } else if (change !== undefined) script.end(addChange(script, change));
  }
  return script;
}

type PetCreation = Extract<Change, { kind: "pet.create" }>;

/** True of another new animal of the same catalogue. */
function isAlike({ catalogueId }: PetCreation, next: Change | undefined): next is PetCreation {
  return next?.kind === "pet.create" && next.catalogueId === catalogueId;
}

function addChange(script: StoreScript, change: Exclude<Change, PetCreation>): Outcomes {
  switch (change.kind) {
    case "account.create":
      return createAccount(script, change);
    case "account.rename":
      return renameAccount(script, change);
    case "account.plan":
      return changePlan(script, change);
    case "account.suspend":
      return suspendAccount(script, change);
    case "account.delete":
      return deleteAccount(script, change);
    case "key.create":
      return createKey(script, change);
    case "key.rotate":
      return rotateKey(script, change);
    case "key.rename":
      return renameKey(script, change);
    case "key.revoke":
      return revokeKey(script, change);
    case "key.ban":
      return banKey(script, change);
    case "key.unban":
      return unbanKey(script, change);
    case "pet.update":
      return updatePet(script, change);
    case "pet.delete":
      return deletePet(script, change);
    case "pet.restore":
      return restorePet(script, change);
    case "category.create":
      return createCategory(script, change);
    case "category.update":
      return updateCategory(script, change);
    case "category.delete":
      return deleteCategory(script, change);
    case "answer.record":
      return recordAnswer(script, change);
    case "counters.save":
      return saveCounters(script, change);
    case "usage.add":
      return addUsage(script, change);
    case "event.write":
      return writeEvent(script, change);
    case "setting.init":
      return initSetting(script, change);
    case "purge":
      return purge(script, change);
  }
}
