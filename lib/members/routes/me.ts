import type { Actor } from "../../model/actor.ts";
import { SECOND_MS } from "../../base/clock.ts";
import type { Problem } from "../../base/problem.ts";
import { done, type Result } from "../../base/result.ts";
import { endpoint, type Reply } from "../../http/endpoint.ts";
import { noStore, onPlatform } from "../../management/endpoint.ts";
import { viewOfCaller } from "../../accounts/principal.ts";
import { meShape } from "../../accounts/shapes/token.ts";
import {
  beginPasskeyProof,
  changeMe,
  mailSwitchesOf,
  switchMail,
  endOtherSessions,
  endSession,
  proveByPasskey,
  proveByPassword,
  sessionsOf,
} from "../actions/me.ts";
import { addPasskey, beginPasskey, passkeysOf, removePasskey } from "../actions/passkeys.ts";
import { changePassword } from "../actions/passwords.ts";
import type { MemberContext } from "../context.ts";
import { clearCookie, setProof } from "../cookie.ts";
import { PROOF_MS } from "../model/member.ts";
import {
  MailSwitchSchema,
  mailSwitchesExample,
  mailSwitchesShape,
  MeUpdateSchema,
  NewPasskeySchema,
  passkeyExample,
  passkeyJson,
  passkeyOptionsExample,
  passkeyOptionsShape,
  passkeyShape,
  passkeysShape,
  PasskeySignInSchema,
  PasswordChangeSchema,
  ProofSchema,
  sessionExample,
  sessionsShape,
  signedInExample,
} from "../schemas.ts";
import { asMember, browserOf, openingReply, reply, secretly } from "./call.ts";

const own = {
  tag: "sessions",
  access: onPlatform("viewer", { evenSuspended: true }),
} as const;

const passkeyOptions = {
  status: 200,
  description: "The options for the browser.",
  schema: passkeyOptionsShape,
  example: passkeyOptionsExample,
} as const;

const proven = {
  status: 204,
  description: "The proof is valid for 15 minutes. It is in the cookie `__Host-petstore-proof`.",
  headers: ["Set-Cookie"],
} as const;

/** A member's own name, password, sessions, passkeys and proofs of identity. */
export function ownEndpoints(contextFor: (actor: Actor) => MemberContext) {
  return [
    endpoint({
      ...own,
      operationId: "updateMe",
      method: "PATCH",
      path: "/me",
      summary: "Change your name or language",
      description:
        "The name is shown next to your activity. The dashboard and mails to you are in the language, if they have it. Omitted members stay unchanged.",
      body: MeUpdateSchema,
      success: {
        status: 200,
        description: "The updated caller.",
        schema: meShape,
        example: signedInExample,
      },
      refusals: ["session_required", "invalid_value"],
      run: ({ principal, body, actor }) =>
        asMember(principal, async (me) => {
          const changed = await changeMe(contextFor(actor), me, body);
          return changed.ok ? done(viewOfCaller(changed.value)) : changed;
        }),
    }),
    endpoint({
      ...own,
      operationId: "listMyMails",
      method: "GET",
      path: "/me/mails",
      summary: "List the mails you can turn off",
      description:
        "The kinds of mails that members with your role get about events, if a mail server is configured.",
      success: {
        status: 200,
        description: "All kinds, and whether you get them.",
        schema: mailSwitchesShape,
        example: mailSwitchesExample,
      },
      refusals: ["session_required"],
      run: ({ principal, actor }) =>
        asMember(principal, (me) => mailSwitchesOf(contextFor(actor), me)),
    }),
    endpoint({
      ...own,
      operationId: "switchMyMails",
      method: "PATCH",
      path: "/me/mails",
      summary: "Turn a kind of mails on or off",
      description:
        "Most of these mails also have a link that turns off their kind without a sign-in.",
      body: MailSwitchSchema,
      success: {
        status: 200,
        description: "All kinds, and whether you get them.",
        schema: mailSwitchesShape,
        example: mailSwitchesExample,
      },
      refusals: ["session_required"],
      run: ({ principal, body, actor }) =>
        asMember(principal, (me) => switchMail(contextFor(actor), me, body)),
    }),
    endpoint({
      ...own,
      operationId: "changePassword",
      method: "PUT",
      path: "/me/password",
      summary: "Change your password",
      description:
        "Ends all your sessions; this browser gets a new one in its cookie. Passkeys stay.",
      body: PasswordChangeSchema,
      success: {
        status: 204,
        description: "The password was changed.",
        headers: ["Set-Cookie"],
      },
      refusals: ["session_required", "invalid_credentials", "weak_password", "leaked_password"],
      run: (call) =>
        asMember(call.principal, async (me) => {
          const browser = browserOf(call);
          const changed = await changePassword(contextFor(call.actor), me, {
            ...call.body,
            browser,
          });
          return changed.ok ? openingReply(undefined, changed.value) : changed;
        }),
    }),
    endpoint({
      ...own,
      operationId: "listSessions",
      method: "GET",
      path: "/sessions",
      summary: "List your sessions",
      description: "Your active sessions, most recently seen first.",
      success: {
        status: 200,
        description: "All active sessions.",
        schema: sessionsShape,
        example: [sessionExample],
      },
      refusals: ["session_required"],
      run: ({ principal, actor }) =>
        asMember(principal, async (me) => done(await sessionsOf(contextFor(actor), me))),
    }),
    endpoint({
      ...own,
      operationId: "signOut",
      method: "DELETE",
      path: "/sessions/current",
      summary: "Sign out",
      description: "Ends the current session and removes the cookie.",
      success: { status: 204, description: "Signed out.", headers: ["Set-Cookie"] },
      refusals: ["session_required"],
      run: ({ principal, actor }) =>
        asMember(principal, async (me) => {
          await endSession(contextFor(actor), me, me.sessionId);
          return reply(undefined, { "set-cookie": clearCookie });
        }),
    }),
    endpoint({
      ...own,
      operationId: "endSession",
      method: "DELETE",
      path: "/sessions/:session",
      summary: "End one of your sessions",
      description: "Every process refuses the session within a second.",
      success: { status: 204, description: "The session has ended." },
      refusals: ["session_required", "not_found"],
      run: ({ principal, params, actor }) =>
        asMember(principal, (me) => endSession(contextFor(actor), me, params.session)),
    }),
    endpoint({
      ...own,
      operationId: "endOtherSessions",
      method: "DELETE",
      path: "/sessions",
      summary: "End your other sessions",
      description: "Ends all your sessions except the current one.",
      success: { status: 204, description: "The sessions have ended." },
      refusals: ["session_required"],
      run: ({ principal, actor }) =>
        asMember(principal, async (me) => done(await endOtherSessions(contextFor(actor), me))),
    }),
    endpoint({
      ...own,
      operationId: "listPasskeys",
      method: "GET",
      path: "/passkeys",
      summary: "List your passkeys",
      description: "Oldest first.",
      success: {
        status: 200,
        description: "All passkeys.",
        schema: passkeysShape,
        example: [passkeyExample],
      },
      refusals: ["session_required"],
      run: ({ principal, actor }) =>
        asMember(principal, async (me) => done(await passkeysOf(contextFor(actor), me))),
    }),
    endpoint({
      ...own,
      operationId: "beginPasskey",
      method: "POST",
      path: "/passkeys/options",
      access: onPlatform("viewer", { evenSuspended: true, sensitive: true }),
      summary: "Begin to add a passkey",
      description: "Returns what the browser needs to create one: valid once, for five minutes.",
      success: passkeyOptions,
      refusals: ["session_required", "not_found", "limit_reached"],
      run: ({ principal, visitor, actor }) =>
        asMember(principal, async (me) =>
          secretly(await beginPasskey(contextFor(actor), me, visitor.origin)),
        ),
    }),
    endpoint({
      ...own,
      operationId: "addPasskey",
      method: "POST",
      path: "/passkeys",
      summary: "Add a passkey",
      description: "Adds the passkey that the browser created. You can have 20.",
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
      run: ({ principal, body: { name, response }, visitor: { origin }, actor }) =>
        asMember(principal, (me) =>
          addPasskey(contextFor(actor), me, { name, response: passkeyJson(response), origin }),
        ),
    }),
    endpoint({
      ...own,
      operationId: "removePasskey",
      method: "DELETE",
      path: "/passkeys/:passkey",
      summary: "Remove a passkey",
      description: "The passkey no longer signs in. Sessions that it opened stay active.",
      success: { status: 204, description: "The passkey was removed." },
      refusals: ["session_required", "not_found"],
      run: ({ principal, params, actor }) =>
        asMember(principal, (me) => removePasskey(contextFor(actor), me, params.passkey)),
    }),
    endpoint({
      ...own,
      operationId: "prove",
      method: "POST",
      path: "/me/proof",
      summary: "Confirm your identity with your password",
      description:
        "Allows operations that require proof (`proof_required`) for 15 minutes, in this browser and session. Attempts count together with those of `PUT /me/password`, correct ones too.",
      body: ProofSchema,
      success: proven,
      refusals: ["session_required", "invalid_credentials"],
      run: ({ principal, body, actor }) =>
        asMember(principal, async (me) =>
          give(await proveByPassword(contextFor(actor), me, body.password)),
        ),
    }),
    endpoint({
      ...own,
      operationId: "beginPasskeyProof",
      method: "POST",
      path: "/me/proof/passkey/options",
      summary: "Begin to confirm your identity with a passkey",
      description: "Returns what the browser needs to request one of your passkeys.",
      success: passkeyOptions,
      refusals: ["session_required", "not_found"],
      run: ({ principal, visitor, actor }) =>
        asMember(principal, async (me) =>
          secretly(await beginPasskeyProof(contextFor(actor), me, visitor.origin)),
        ),
    }),
    endpoint({
      ...own,
      operationId: "proveByPasskey",
      method: "POST",
      path: "/me/proof/passkey",
      summary: "Confirm your identity with a passkey",
      description:
        "Checks the passkey's response, which is valid once, for five minutes, in this session.",
      body: PasskeySignInSchema,
      success: proven,
      refusals: ["session_required", "invalid_passkey", "not_found"],
      run: ({ principal, body, visitor: { origin }, actor }) =>
        asMember(principal, async (me) => {
          const sent = { response: passkeyJson(body.response), origin };
          return give(await proveByPasskey(contextFor(actor), me, sent));
        }),
    }),
  ];
}

/** Sets the cookie of a proof. */
function give(proof: Result<string, Problem>): Result<Reply<undefined>, Problem> {
  if (!proof.ok) return proof;
  return reply(undefined, {
    ...noStore,
    "set-cookie": setProof(proof.value, PROOF_MS / SECOND_MS),
  });
}
