import { base64url, utf8 } from "./base/digest.ts";
import type { Random } from "./base/id.ts";
import type { Store } from "./storage/store.ts";

const ROOT_KEY_BYTES = 32;

/** Makes the root key on first use and keeps it in the store: whoever comes second takes the first one's. */
export async function keptRootKey(store: Store, random: Random): Promise<Uint8Array> {
  const name = "root key";
  const made = base64url(random(new Uint8Array(ROOT_KEY_BYTES)));
  if ((await store.settings.get(name)) === undefined) {
    await store.commit([{ kind: "setting.init", name, value: made }]);
  }
  return utf8((await store.settings.get(name)) ?? made);
}
