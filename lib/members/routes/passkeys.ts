import { done } from "../../base/result.ts";
import { endpoint, Reply } from "../../management/endpoint.ts";
import { secret } from "../../management/routes/setup.ts";
import { addPasskey, beginPasskey, passkeysOf, removePasskey } from "../actions/passkeys.ts";
import type { MemberContext } from "../context.ts";
import { passkeyExample, passkeyOptionsExample } from "../examples.ts";
import { NewPasskeySchema, passkeyJson } from "../schemas/credentials.ts";
import { passkeyOptionsShape, passkeyShape, passkeysShape } from "../schemas/shown.ts";
import { memberOf } from "./call.ts";

const own = { tag: "sessions", evenSuspended: true } as const;

/** The passkeys of whoever signed in. */
export function passkeyEndpoints(context: MemberContext) {
  return [
    endpoint({
      ...own,
      operationId: "listPasskeys",
      method: "GET",
      path: "/passkeys",
      access: "platform",
      role: "viewer",
      summary: "List one's passkeys",
      description: "Oldest first.",
      success: {
        status: 200,
        description: "All of them.",
        schema: passkeysShape,
        example: [passkeyExample],
      },
      refusals: ["session_required"],
      run: async (call) => {
        const me = memberOf(call);
        return me.ok ? done(await passkeysOf(context, me.value)) : me;
      },
    }),
    endpoint({
      ...own,
      operationId: "beginPasskey",
      method: "POST",
      path: "/passkeys/options",
      access: "platform",
      role: "viewer",
      weighty: true,
      summary: "Begin to add a passkey",
      description: "What the browser needs to make one: good once, for five minutes.",
      success: {
        status: 200,
        description: "For the browser.",
        schema: passkeyOptionsShape,
        example: passkeyOptionsExample,
      },
      refusals: ["session_required", "not_found", "limit_reached"],
      run: async (call) => {
        const me = memberOf(call);
        if (!me.ok) return me;
        const begun = await beginPasskey(context, me.value, call.visitor.origin);
        return begun.ok ? done(new Reply(begun.value, { headers: secret })) : begun;
      },
    }),
    endpoint({
      ...own,
      operationId: "addPasskey",
      method: "POST",
      path: "/passkeys",
      access: "platform",
      role: "viewer",
      summary: "Add a passkey",
      description: "With what the browser answered. There may be 20.",
      body: NewPasskeySchema,
      success: {
        status: 201,
        description: "The passkey.",
        schema: passkeyShape,
        example: { ...passkeyExample, lastUsedAt: undefined },
      },
      refusals: [
        "session_required",
        "invalid_passkey",
        "invalid_value",
        "not_found",
        "limit_reached",
      ],
      run: async (call) => {
        const me = memberOf(call);
        if (!me.ok) return me;
        const { name, response } = call.body;
        const { origin } = call.visitor;
        const sent = { name, response: passkeyJson(response), origin };
        return addPasskey(context, me.value, sent);
      },
    }),
    endpoint({
      ...own,
      operationId: "removePasskey",
      method: "DELETE",
      path: "/passkeys/:passkey",
      access: "platform",
      role: "viewer",
      summary: "Remove a passkey",
      description: "Nobody can sign in with it any more; sessions that it opened go on.",
      success: { status: 204, description: "It is gone." },
      refusals: ["session_required", "not_found"],
      run: async (call) => {
        const me = memberOf(call);
        if (!me.ok) return me;
        return removePasskey(context, me.value, call.params.passkey);
      },
    }),
  ];
}
