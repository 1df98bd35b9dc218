import { signal, type ReadonlySignal } from "@preact/signals";

import type { Environment } from "../../../lib/model/account.ts";

/** Where programs reach the public API. */
export type ApiAddresses = Readonly<Record<Environment, string>>;

const known = signal<ApiAddresses>({
  production: `${location.origin}/v1`,
  staging: `${location.origin.replace("://", "://staging.")}/v1`,
});
let asked: Promise<void> | undefined;

/** As the API's own description has them; until that has come, as they are ordinarily. */
export function apiAddresses(): ReadonlySignal<ApiAddresses> {
  void askedAddresses();
  return known;
}

/** Resolves with what the description says, or with the ordinary ones where it cannot be had. */
export async function askedAddresses(): Promise<ApiAddresses> {
  await (asked ??= ask());
  return known.peek();
}

async function ask(): Promise<void> {
  try {
    const answer = await fetch("/v1/openapi.json");
    // The document's own shape: it names both servers.
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
    // The ordinary addresses stand; the next page that needs them asks again.
    asked = undefined;
  }
}
