import type { MemberContext } from "./context.ts";
import { accountMemberEndpoints } from "./routes/account-members.ts";
import { operatorEndpoints } from "./routes/operators.ts";
import { ownEndpoints } from "./routes/own.ts";
import { passkeyEndpoints } from "./routes/passkeys.ts";
import { proofEndpoints } from "./routes/proofs.ts";
import { signInEndpoints } from "./routes/sign-in.ts";

/** The operations of members in the management API. */
export function memberEndpoints(context: MemberContext) {
  return [
    ...signInEndpoints(context),
    ...ownEndpoints(context),
    ...passkeyEndpoints(context),
    ...proofEndpoints(context),
    ...operatorEndpoints(context),
    ...accountMemberEndpoints(context),
  ] as const;
}
