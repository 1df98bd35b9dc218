import { SECOND_MS } from "../../base/clock.ts";
import type { Problem } from "../../base/problem.ts";
import { done, type Result } from "../../base/result.ts";
import { endpoint, Reply } from "../../management/endpoint.ts";
import { secret } from "../../management/routes/setup.ts";
import { beginPasskeyProof, proveByPasskey, proveByPassword } from "../actions/me.ts";
import type { MemberContext } from "../context.ts";
import { setProof } from "../cookie.ts";
import { passkeyOptionsExample } from "../examples.ts";
import { PROOF_MS } from "../model/member.ts";
import { passkeyJson, PasskeySignInSchema, ProofSchema } from "../schemas/credentials.ts";
import { passkeyOptionsShape } from "../schemas/shown.ts";
import { memberOf } from "./call.ts";

const own = { tag: "sessions", evenSuspended: true } as const;

const proven = {
  status: 204,
  description: "Proven, for 15 minutes. The proof is in the cookie `__Host-petstore-proof`.",
  headers: ["Set-Cookie"],
} as const;

/** Ways for whoever signed in to prove again that it is them, for what weighs much. */
export function proofEndpoints(context: MemberContext) {
  return [
    endpoint({
      ...own,
      operationId: "prove",
      method: "POST",
      path: "/me/proof",
      access: "platform",
      role: "viewer",
      summary: "Prove who one is by the password",
      description:
        "For what is refused as `proof_required`: from then on this browser may do it in this session, for 15 minutes. Wrong passwords are counted as in changing it.",
      body: ProofSchema,
      success: proven,
      refusals: ["session_required", "invalid_credentials"],
      run: async (call) => {
        const me = memberOf(call);
        return me.ok ? give(await proveByPassword(context, me.value, call.body.password)) : me;
      },
    }),
    endpoint({
      ...own,
      operationId: "beginPasskeyProof",
      method: "POST",
      path: "/me/proof/passkey/options",
      access: "platform",
      role: "viewer",
      summary: "Begin to prove who one is by a passkey",
      description: "What the browser needs to ask for one of the caller's own.",
      success: {
        status: 200,
        description: "For the browser.",
        schema: passkeyOptionsShape,
        example: passkeyOptionsExample,
      },
      refusals: ["session_required", "not_found"],
      run: async (call) => {
        const me = memberOf(call);
        if (!me.ok) return me;
        const begun = await beginPasskeyProof(context, me.value, call.visitor.origin);
        return begun.ok ? done(new Reply(begun.value, { headers: secret })) : begun;
      },
    }),
    endpoint({
      ...own,
      operationId: "proveByPasskey",
      method: "POST",
      path: "/me/proof/passkey",
      access: "platform",
      role: "viewer",
      summary: "Prove who one is by a passkey",
      description: "With what the passkey answered: good once, for five minutes, in this session.",
      body: PasskeySignInSchema,
      success: proven,
      refusals: ["session_required", "invalid_passkey", "not_found"],
      run: async (call) => {
        const me = memberOf(call);
        if (!me.ok) return me;
        const { origin } = call.visitor;
        const sent = { response: passkeyJson(call.body.response), origin };
        return give(await proveByPasskey(context, me.value, sent));
      },
    }),
  ];
}

/** Gives the browser its proof. */
function give(proof: Result<string, Problem>): Result<Reply<undefined>, Problem> {
  if (!proof.ok) return proof;
  const headers = { ...secret, "set-cookie": setProof(proof.value, PROOF_MS / SECOND_MS) };
  return done(new Reply(undefined, { headers }));
}
