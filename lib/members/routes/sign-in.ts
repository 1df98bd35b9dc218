import type { Actor } from "../../model/actor.ts";
import { endpoint } from "../../http/endpoint.ts";
import { anyone } from "../../management/endpoint.ts";
import { viewOfCaller, type MeView } from "../../accounts/principal.ts";
import { meShape } from "../../accounts/shapes/token.ts";
import { faultOfSite } from "../../management/sessions.ts";
import { beginPasskeySignIn, signInWithPasskey, signIn } from "../actions/sign-in.ts";
import { checkReset, requestReset, reset } from "../actions/passwords.ts";
import { setUp } from "../actions/set-up.ts";
import type { MemberContext } from "../context.ts";
import { relyingPartyAt } from "../passkeys.ts";
import {
  MemberSetupSchema,
  passkeyJson,
  passkeyOptionsExample,
  passkeyOptionsShape,
  PasskeySignInSchema,
  PasswordResetSchema,
  ResetCheckSchema,
  ResetRequestSchema,
  resetStatusShape,
  signedInExample,
  SignInSchema,
  signInStateShape,
} from "../schemas.ts";
import { browserOf, languageOf, reply, secretly, welcome } from "./call.ts";

const open = { tag: "sessions", access: anyone() } as const;

const signedIn = {
  status: 201,
  description: "The member who signed in. The session is in the cookie `__Host-petstore`.",
  schema: meShape,
  example: signedInExample,
  headers: ["Set-Cookie"],
} as const;

/** The operations that open a session, and those that lead to them. */
export function signInEndpoints(contextFor: (actor: Actor) => MemberContext) {
  return [
    endpoint({
      operationId: "getSignIn",
      method: "GET",
      path: "/sign-in",
      ...open,
      summary: "Get the sign-in state",
      description:
        "Whether a member can sign in yet, what works at this address, and who is signed in with this browser. It needs no credential.",
      success: {
        status: 200,
        description: "The sign-in state.",
        schema: signInStateShape,
        example: {
          setUp: true,
          allowed: true,
          reason: null,
          passkeys: true,
          mail: false,
          me: null,
        },
      },
      refusals: [],
      run: async ({ visitor, request, now, actor }) => {
        const allowed = visitor.signIn === "allowed";
        const party = relyingPartyAt(visitor.origin);
        const me = allowed
          ? await signedInMember(contextFor(actor), { request, origin: visitor.origin, now })
          : null;
        const state = {
          setUp: await contextFor(actor).memberStore.any(),
          allowed,
          reason: allowed ? null : ("https_required" as const),
          passkeys: allowed && party !== undefined && contextFor(actor).passkeys !== undefined,
          mail: contextFor(actor).mail.enabled,
          me,
        };
        // Sessions may be older than the cookie by which their browsers are recognized.
        const cookies = request.headers.get("cookie");
        const device = me?.member && (await contextFor(actor).devices.look(cookies, me.member.id));
        return reply(state, {}, device?.cookie);
      },
    }),
    endpoint({
      operationId: "signIn",
      method: "POST",
      path: "/sessions",
      ...open,
      access: anyone({ signsIn: true }),
      summary: "Sign in",
      description:
        "Opens a session with an email address and a password. Wrong passwords are limited: five a minute and twenty an hour for an email address from one client address.",
      body: SignInSchema,
      success: signedIn,
      refusals: ["invalid_credentials"],
      run: async (call) =>
        welcome(await signIn(contextFor(call.actor), call.body, browserOf(call))),
    }),
    endpoint({
      operationId: "beginPasskeySignIn",
      method: "POST",
      path: "/sessions/passkey/options",
      ...open,
      summary: "Begin to sign in with a passkey",
      description:
        "Returns what the browser needs to request a passkey, which identifies its member.",
      success: {
        status: 200,
        description: "The options for the browser.",
        schema: passkeyOptionsShape,
        example: passkeyOptionsExample,
      },
      refusals: ["not_found"],
      run: async ({ visitor, actor }) =>
        secretly(await beginPasskeySignIn(contextFor(actor), visitor.origin)),
    }),
    endpoint({
      operationId: "signInWithPasskey",
      method: "POST",
      path: "/sessions/passkey",
      ...open,
      access: anyone({ signsIn: true }),
      summary: "Sign in with a passkey",
      description:
        "Opens a session with a passkey's response, which is valid once, for five minutes.",
      body: PasskeySignInSchema,
      success: signedIn,
      refusals: ["invalid_passkey", "not_found"],
      run: async (call) => {
        const response = passkeyJson(call.body.response);
        return welcome(await signInWithPasskey(contextFor(call.actor), response, browserOf(call)));
      },
    }),
    endpoint({
      operationId: "setUpMember",
      method: "POST",
      path: "/setup/member",
      ...open,
      access: anyone({ signsIn: true }),
      summary: "Create an operator with a setup link",
      description:
        "Creates the operator and signs them in. The link stays valid if the request is rejected.",
      body: MemberSetupSchema,
      success: signedIn,
      refusals: [
        "invalid_setup_token",
        "invalid_value",
        "weak_password",
        "leaked_password",
        "member_exists",
        "limit_reached",
      ],
      run: async (call, { tokens }) =>
        welcome(
          await setUp(contextFor(call.actor), call.body, { browser: browserOf(call), tokens }),
        ),
    }),
    endpoint({
      operationId: "requestPasswordReset",
      method: "POST",
      path: "/reset/request",
      ...open,
      summary: "Request a password link by mail",
      description:
        "Sends a link for choosing another password, valid once and for an hour, if the address belongs to a member. The response is the same for every address. Requests are limited: five a minute and twenty an hour from one client address, and three mails an hour to one email address.",
      body: ResetRequestSchema,
      success: { status: 204, description: "If the address belongs to a member, a mail is sent." },
      refusals: ["not_found"],
      run: ({ body: { email, language }, request, visitor, actor }) =>
        requestReset(
          contextFor(actor),
          { email, language: languageOf(request, language) },
          visitor.address(),
        ),
    }),
    endpoint({
      operationId: "checkResetLink",
      method: "POST",
      path: "/reset/check",
      ...open,
      summary: "Check a password link",
      description:
        "Returns the link's member and expiry without using the link. Failed attempts are counted by client address.",
      body: ResetCheckSchema,
      success: {
        status: 200,
        description: "The link is valid.",
        schema: resetStatusShape,
        example: {
          email: "grace@shelter.org",
          name: "Grace",
          first: true,
          expiresAt: "2026-11-21T09:30:00.000Z",
        },
      },
      refusals: ["invalid_reset_token"],
      run: async ({ body: { token }, actor }) =>
        secretly(await checkReset(contextFor(actor), token)),
    }),
    endpoint({
      operationId: "resetPassword",
      method: "POST",
      path: "/reset",
      ...open,
      access: anyone({ signsIn: true }),
      summary: "Set a password with a password link",
      description:
        "Sets the password of the link's member, ends all their sessions, removes all their passkeys, and signs them in. The link stays valid if the password is rejected.",
      body: PasswordResetSchema,
      success: signedIn,
      refusals: ["invalid_reset_token", "weak_password", "leaked_password"],
      run: async (call) => welcome(await reset(contextFor(call.actor), call.body, browserOf(call))),
    }),
  ];
}

/** Returns the member who is signed in in the browser of a request; null for none, and for other sites' pages. */
async function signedInMember(
  { sessions }: Pick<MemberContext, "sessions">,
  {
    request,
    origin,
    now,
  }: { readonly request: Request; readonly origin: string; readonly now: number },
): Promise<MeView | null> {
  if (faultOfSite(request, origin) !== undefined) return null;
  const known = await sessions.identify(request.headers.get("cookie"), now);
  return known.ok ? viewOfCaller(known.value) : null;
}
