import type { Actor } from "../model/actor.ts";
import type { MemberContext } from "./context.ts";
import { ownEndpoints } from "./routes/me.ts";
import { memberAdminEndpoints } from "./routes/members.ts";
import { signInEndpoints } from "./routes/sign-in.ts";

/** Returns the members' operations in the management API. */
export function memberEndpoints(contextFor: (actor: Actor) => MemberContext) {
  return [
    ...signInEndpoints(contextFor),
    ...ownEndpoints(contextFor),
    ...memberAdminEndpoints(contextFor),
  ] as const;
}
