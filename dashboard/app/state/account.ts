import { batch, computed, signal, type ReadonlySignal } from "@preact/signals";

import type { Account } from "../../../lib/model/account.ts";
import { listAll, type Problem } from "../api.ts";
import { me } from "./me.ts";
import { store, stored } from "./preferences.ts";

const known = signal<readonly Account[]>([]);
const chosen = signal<string | null>(stored("account"));

const asked = signal(false);
const refusal = signal<Problem | undefined>(undefined);

/** The accounts that the user may see, oldest first. */
export const accounts: ReadonlySignal<readonly Account[]> = known;

/** True once the accounts are loaded. */
export const accountsKnown: ReadonlySignal<boolean> = asked;

/** True once loading has succeeded or failed. */
export const accountsAnswered: ReadonlySignal<boolean> = computed(
  () => asked.value || refusal.value !== undefined,
);

/** Why the last attempt to load them failed. */
export const accountsProblem: ReadonlySignal<Problem | undefined> = refusal;

/** The account of the navigation: the member's own, otherwise the one visited last. */
export const currentAccount: ReadonlySignal<Account | undefined> = computed(() => {
  const own = me.value?.accountId;
  const id = own ?? chosen.value;
  return known.value.find((account) => account.id === id) ?? known.value[0];
});

/** Sets the account of the navigation. */
export function enterAccount(accountId: string): void {
  if (chosen.peek() === accountId) return;
  chosen.value = accountId;
  store("account", accountId);
}

/** The service's largest page. */
const AT_A_TIME = 1_000;

let turn = 0;

/** Forgets the accounts after sign-out and drops a response under way: the next user may see others. */
export function forgetAccounts(): void {
  turn++;
  batch(() => {
    known.value = [];
    asked.value = false;
    refusal.value = undefined;
  });
}

/** Loads the accounts: after sign-in, and when one was created, changed or deleted. */
export async function reloadAccounts(): Promise<void> {
  const mine = ++turn;
  const result = await listAll("GET /accounts", { query: { limit: AT_A_TIME } });
  if (mine !== turn) return;
  batch(() => {
    refusal.value = result.ok ? undefined : result.failure;
    if (!result.ok) return;
    known.value = result.value;
    asked.value = true;
  });
}
