import { computed, signal, type ReadonlySignal } from "@preact/signals";

import type { Problem } from "../../../lib/base/problem.ts";
import type { Role } from "../../../lib/accounts/principal.ts";

/** Whoever is signed in, as `GET /me` tells it. */
export interface Me {
  readonly role: Role;
  /** Absent for an operator, who stands over all accounts. */
  readonly accountId?: string;
  readonly name: string;
  readonly member?: { readonly id: string; readonly email: string; readonly name: string };
  readonly sessionId?: string;
}

const known = signal<Me | null | undefined>(undefined);

/** Undefined until the service has said; null: nobody. */
export const me: ReadonlySignal<Me | null | undefined> = known;

const refusal = signal<Problem | undefined>(undefined);

/** Why the service has not said: that is not the same as nobody. */
export const meProblem: ReadonlySignal<Problem | undefined> = refusal;

export const isOperator: ReadonlySignal<boolean> = computed(() => known.value?.role === "operator");

/** The member may change what belongs to the account, not only look at it. */
export const mayChange: ReadonlySignal<boolean> = computed(
  () => known.value !== null && known.value !== undefined && known.value.role !== "viewer",
);

/** The member may do what costs, or hands out secrets. */
export const mayOwn: ReadonlySignal<boolean> = computed(
  () => known.value?.role === "operator" || known.value?.role === "owner",
);

/** It could not say, for that reason; undefined: it is asked anew. */
export function unknownFor(problem: Problem | undefined): void {
  refusal.value = problem;
}

export function signedIn(who: Me): void {
  known.value = who;
}

export function signedOut(): void {
  known.value = null;
}
