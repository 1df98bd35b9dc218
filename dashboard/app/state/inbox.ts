import { type ReadonlySignal, signal } from "@preact/signals";

import { call } from "../api.ts";
import { currentAccount } from "./account.ts";
import { mayChange } from "./me.ts";

const count = signal(0);

/** How many enquiries about animals of Production are new, in the account of the navigation. 0 for viewers. */
export const newEnquiries: ReadonlySignal<number> = count;

/** Counts the new enquiries again: after one arrived or was answered. */
export async function countEnquiries(): Promise<void> {
  const account = currentAccount.peek()?.id;
  if (account === undefined || !mayChange.peek()) {
    count.value = 0;
    return;
  }
  const counted = await call("GET /accounts/:account/:environment/enquiries/counts", {
    account,
    environment: "production",
  });
  // Another account may have been entered meanwhile.
  if (counted.ok && account === currentAccount.peek()?.id) count.value = counted.value.new;
}
