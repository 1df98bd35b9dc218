import type { MemberContext } from "../context.ts";
import type { Member } from "../model/member.ts";

/** False when the account of the member is gone. */
export async function belongs(
  { store }: Pick<MemberContext, "store">,
  { accountId }: Pick<Member, "accountId">,
): Promise<boolean> {
  return accountId === undefined || (await store.accounts.byId(accountId)) !== undefined;
}
