import { batch, computed, signal, type ReadonlySignal } from "@preact/signals";

import type { Account } from "../../../lib/model/account.ts";
import { listAll, type Problem } from "../api.ts";
import { me } from "./me.ts";
import { store, stored } from "./preferences.ts";

const known = signal<readonly Account[]>([]);
const chosen = signal<string | null>(stored("account"));

const asked = signal(false);
const refusal = signal<Problem | undefined>(undefined);

/** Those that whoever is signed in may see, oldest first. */
export const accounts: ReadonlySignal<readonly Account[]> = known;

/** False until the service has told them. */
export const accountsKnown: ReadonlySignal<boolean> = asked;

/** False until it has told them, or why it does not. */
export const accountsAnswered: ReadonlySignal<boolean> = computed(
  () => asked.value || refusal.value !== undefined,
);

/** Why it did not tell them the last time. */
export const accountsProblem: ReadonlySignal<Problem | undefined> = refusal;

/** The one that the navigation leads into: the member's own, else the one that was looked at last. */
export const currentAccount: ReadonlySignal<Account | undefined> = computed(() => {
  const own = me.value?.accountId;
  const id = own ?? chosen.value;
  return known.value.find((account) => account.id === id) ?? known.value[0];
});

/** From now on the navigation leads into that account. */
export function enterAccount(accountId: string): void {
  if (chosen.peek() === accountId) return;
  chosen.value = accountId;
  store("account", accountId);
}

/** As many as the service tells at a time. */
const AT_A_TIME = 1_000;

let turn = 0;

/** Nobody is signed in any more: whoever comes next may see others. What is still under way is dropped. */
export function forgetAccounts(): void {
  turn++;
  batch(() => {
    known.value = [];
    asked.value = false;
    refusal.value = undefined;
  });
}

/** Asks for the accounts anew: after signing in, and when one was made, changed or deleted. */
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
