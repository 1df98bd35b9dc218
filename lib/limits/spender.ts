import type { ApiKey } from "../model/api-key.ts";
import type { Spender } from "./limiter.ts";

/** What limits are counted by: all keys of a catalogue share, or each has the whole limit. */
export type CountBy = "catalogue" | "key";

/** Who spends when the key is used. */
export function spenderOf(
  countBy: CountBy,
  { id, catalogueId }: Pick<ApiKey, "id" | "catalogueId">,
): Spender {
  return { counter: countBy === "key" ? `key ${id}` : `catalogue ${catalogueId}`, keyId: id };
}
