import type { MemberContext } from "./context.ts";
import { ownEndpoints } from "./routes/me.ts";
import { memberAdminEndpoints } from "./routes/members.ts";
import { signInEndpoints } from "./routes/sign-in.ts";

/** Returns the members' operations in the management API. */
export function memberEndpoints(context: MemberContext) {
  return [
    ...signInEndpoints(context),
    ...ownEndpoints(context),
    ...memberAdminEndpoints(context),
  ] as const;
}
