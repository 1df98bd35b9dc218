import type { PetstoreOperations } from "../../../domains/operations.ts";
import { computed, signal, type ReadonlySignal } from "@preact/signals";

import type { Problem } from "../../../lib/base/problem.ts";

/** The signed-in user. */
export type Me = PetstoreOperations["GET /me"]["output"];

const known = signal<Me | null | undefined>(undefined);

/** The signed-in user; null if signed out, undefined until loaded. */
export const me: ReadonlySignal<Me | null | undefined> = known;

const refusal = signal<Problem | undefined>(undefined);

/** Why loading the user failed. */
export const meProblem: ReadonlySignal<Problem | undefined> = refusal;

export const isOperator: ReadonlySignal<boolean> = computed(() => known.value?.role === "operator");

/** The user may change the account's data. */
export const mayChange: ReadonlySignal<boolean> = computed(
  () => known.value !== null && known.value !== undefined && known.value.role !== "viewer",
);

/** The user may do what costs money or reveals secrets. */
export const mayOwn: ReadonlySignal<boolean> = computed(
  () => known.value?.role === "operator" || known.value?.role === "owner",
);

/** Records why the user could not be loaded; undefined when loading starts. */
export function unknownFor(problem: Problem | undefined): void {
  refusal.value = problem;
}

export function signedIn(who: Me): void {
  known.value = who;
}

export function signedOut(): void {
  known.value = null;
}
