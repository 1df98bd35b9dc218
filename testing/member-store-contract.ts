import { system } from "../lib/model/actor.ts";
import type { Eventual } from "../lib/base/eventual.ts";
import { contractCase, type ContractCase } from "./contract-case.ts";
import { anAccount } from "./shelter.ts";
import { credentialCases } from "./members/credentials.ts";
import { memberCases } from "./members/members.ts";
import type { MemberStoreCase, MemberStoreUnderTest } from "./members/rows.ts";
import { sessionCases } from "./members/sessions.ts";

export type { MemberStoreUnderTest } from "./members/rows.ts";

/** Returns the contract of every member store. Each case runs with a store of its own. */
export function memberStoreContract(
  make: () => Eventual<MemberStoreUnderTest>,
): readonly ContractCase[] {
  const test: MemberStoreCase = (name, body) =>
    contractCase(name, make, async (made) => {
      for (const id of ["acc_one", "acc_two"]) {
        await made.store.commit([{ kind: "account.create", account: anAccount(id) }], system);
      }
      await body(made);
    });
  return [...memberCases(test), ...sessionCases(test), ...credentialCases(test)];
}
