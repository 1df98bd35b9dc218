import { done } from "../../base/result.ts";
import { endpoint, Reply } from "../../management/endpoint.ts";
import { viewOfCaller } from "../../management/model/principal.ts";
import { meShape } from "../../management/schemas/token.ts";
import { endOtherSessions, endSession, renameMe, sessionsOf } from "../actions/me.ts";
import { changePassword } from "../actions/passwords.ts";
import type { MemberContext } from "../context.ts";
import { clearCookie } from "../cookie.ts";
import { sessionExample, signedInExample } from "../examples.ts";
import { MeUpdateSchema, PasswordChangeSchema } from "../schemas/credentials.ts";
import { sessionsShape } from "../schemas/shown.ts";
import { browserOf, cookieOf, memberOf } from "./call.ts";

/** What somebody who signed in does with what is theirs. */
const own = { tag: "sessions", evenSuspended: true } as const;

/** Of whoever signed in: their name, their password, their sessions. */
export function ownEndpoints(context: MemberContext) {
  return [
    endpoint({
      ...own,
      operationId: "updateMe",
      method: "PATCH",
      path: "/me",
      access: "platform",
      role: "viewer",
      summary: "Change one's name",
      description: "What is told wherever something says who did it.",
      body: MeUpdateSchema,
      success: {
        status: 200,
        description: "The caller as they are now.",
        schema: meShape,
        example: signedInExample,
      },
      refusals: ["session_required", "invalid_value"],
      run: async (call) => {
        const me = memberOf(call);
        if (!me.ok) return me;
        const renamed = await renameMe(context, me.value, call.body.name);
        return renamed.ok ? done(viewOfCaller(renamed.value)) : renamed;
      },
    }),
    endpoint({
      ...own,
      operationId: "changePassword",
      method: "PUT",
      path: "/me/password",
      access: "platform",
      role: "viewer",
      summary: "Change one's password",
      description: "Ends all sessions; this browser gets a new one in its cookie. Passkeys stay.",
      body: PasswordChangeSchema,
      success: { status: 204, description: "The password is changed.", headers: ["Set-Cookie"] },
      refusals: ["session_required", "invalid_credentials", "weak_password", "leaked_password"],
      run: async (call) => {
        const me = memberOf(call);
        if (!me.ok) return me;
        const browser = browserOf(call);
        const changed = await changePassword(context, me.value, { ...call.body, browser });
        return changed.ok
          ? done(new Reply(undefined, { headers: cookieOf(changed.value) }))
          : changed;
      },
    }),
    endpoint({
      ...own,
      operationId: "listSessions",
      method: "GET",
      path: "/sessions",
      access: "platform",
      role: "viewer",
      summary: "List one's sessions",
      description: "Those that can still be used, seen last first.",
      success: {
        status: 200,
        description: "All of them.",
        schema: sessionsShape,
        example: [sessionExample],
      },
      refusals: ["session_required"],
      run: async (call) => {
        const me = memberOf(call);
        return me.ok ? done(await sessionsOf(context, me.value)) : me;
      },
    }),
    endpoint({
      ...own,
      operationId: "signOut",
      method: "DELETE",
      path: "/sessions/current",
      access: "platform",
      role: "viewer",
      summary: "Sign out",
      description: "Ends the session that asks, and takes the cookie away.",
      success: { status: 204, description: "Signed out.", headers: ["Set-Cookie"] },
      refusals: ["session_required"],
      run: async (call) => {
        const me = memberOf(call);
        if (!me.ok) return me;
        await endSession(context, me.value, me.value.sessionId);
        return done(new Reply(undefined, { headers: { "set-cookie": clearCookie } }));
      },
    }),
    endpoint({
      ...own,
      operationId: "endSession",
      method: "DELETE",
      path: "/sessions/:session",
      access: "platform",
      role: "viewer",
      summary: "End one of one's sessions",
      description: "Refused at once, within a second by every process.",
      success: { status: 204, description: "It has ended." },
      refusals: ["session_required", "not_found"],
      run: async (call) => {
        const me = memberOf(call);
        if (!me.ok) return me;
        return endSession(context, me.value, call.params.session);
      },
    }),
    endpoint({
      ...own,
      operationId: "endOtherSessions",
      method: "DELETE",
      path: "/sessions",
      access: "platform",
      role: "viewer",
      summary: "End all of one's other sessions",
      description: "But the one that asks.",
      success: { status: 204, description: "They have ended." },
      refusals: ["session_required"],
      run: async (call) => {
        const me = memberOf(call);
        if (!me.ok) return me;
        await endOtherSessions(context, me.value);
        return done(undefined);
      },
    }),
  ];
}
