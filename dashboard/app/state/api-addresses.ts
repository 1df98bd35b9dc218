import { signal, type ReadonlySignal } from "@preact/signals";

import type { Environment } from "../../../lib/model/account.ts";

/** The addresses of the public API. */
export type ApiAddresses = Readonly<Record<Environment, string>>;

const known = signal<ApiAddresses>({
  production: `${location.origin}/v1`,
  staging: `${location.origin.replace("://", "://staging.")}/v1`,
});
let asked: Promise<void> | undefined;

/** Returns the addresses of the API's OpenAPI document; until it is loaded, the usual ones. */
export function apiAddresses(): ReadonlySignal<ApiAddresses> {
  void askedAddresses();
  return known;
}

/** Resolves with the addresses of the OpenAPI document, or with the usual ones if it cannot be loaded. */
export async function askedAddresses(): Promise<ApiAddresses> {
  await (asked ??= ask());
  return known.peek();
}

async function ask(): Promise<void> {
  try {
    const answer = await fetch("/v1/openapi.json");
    // Our own document, which names both servers.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const { servers } = (await answer.json()) as {
      readonly servers: readonly { readonly url: string; readonly description: string }[];
    };
    const named = (name: string): string | undefined =>
      servers.find(({ description }) => description === name)?.url;
    known.value = {
      production: named("Production") ?? known.value.production,
      staging: named("Staging") ?? known.value.staging,
    };
  } catch {
    // The usual addresses stay; the next page that needs them tries again.
    asked = undefined;
  }
}
