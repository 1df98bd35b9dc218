import { done } from "../../base/result.ts";
import { endpoint, Reply } from "../../management/endpoint.ts";
import { viewOfCaller, type MeView } from "../../management/model/principal.ts";
import { secret } from "../../management/routes/setup.ts";
import { meShape } from "../../management/schemas/token.ts";
import { faultOfSite } from "../../management/sessions.ts";
import { beginPasskeySignIn, signInWithPasskey, signIn } from "../actions/sign-in.ts";
import { checkReset, reset } from "../actions/passwords.ts";
import { setUp } from "../actions/set-up.ts";
import type { MemberContext } from "../context.ts";
import { passkeyOptionsExample, signedInExample } from "../examples.ts";
import { relyingPartyAt } from "../passkeys.ts";
import {
  MemberSetupSchema,
  passkeyJson,
  PasskeySignInSchema,
  PasswordResetSchema,
  ResetCheckSchema,
  SignInSchema,
} from "../schemas/credentials.ts";
import { passkeyOptionsShape, resetStandingShape, signInStateShape } from "../schemas/shown.ts";
import { browserOf, welcome } from "./call.ts";

const signedIn = {
  status: 201,
  description: "Who signed in. The session is in the cookie `__Host-petstore`.",
  schema: meShape,
  example: signedInExample,
  headers: ["Set-Cookie"],
} as const;

/** The ways to a session. */
export function signInEndpoints(context: MemberContext) {
  return [
    endpoint({
      operationId: "getSignIn",
      method: "GET",
      path: "/sign-in",
      tag: "sessions",
      access: "anyone",
      summary: "Ask how to sign in",
      description:
        "Whether somebody can sign in yet, what works at this address, and who has signed in already in this browser: a page learns it without being refused.",
      success: {
        status: 200,
        description: "What works here.",
        schema: signInStateShape,
        example: { setUp: true, allowed: true, reason: null, passkeys: true, me: null },
      },
      refusals: [],
      run: async ({ visitor, request, now }) => {
        const allowed = visitor.signIn === "allowed";
        const party = relyingPartyAt(visitor.origin);
        return done({
          setUp: await context.memberStore.any(),
          allowed,
          reason: allowed ? null : ("https_required" as const),
          passkeys: allowed && party !== undefined && context.passkeys !== undefined,
          me: allowed ? await whoIsThere(context, { request, origin: visitor.origin, now }) : null,
        });
      },
    }),
    endpoint({
      operationId: "signIn",
      method: "POST",
      path: "/sessions",
      tag: "sessions",
      access: "anyone",
      signsIn: true,
      summary: "Sign in",
      description:
        "With e-mail address and password. Wrong ones are counted: five a minute and twenty an hour for an e-mail address from one client address.",
      body: SignInSchema,
      success: signedIn,
      refusals: ["invalid_credentials"],
      run: async (call) => welcome(await signIn(context, call.body, browserOf(call))),
    }),
    endpoint({
      operationId: "beginPasskeySignIn",
      method: "POST",
      path: "/sessions/passkey/options",
      tag: "sessions",
      access: "anyone",
      summary: "Begin to sign in with a passkey",
      description: "What the browser needs to ask for a passkey; the passkey tells whose it is.",
      success: {
        status: 200,
        description: "For the browser.",
        schema: passkeyOptionsShape,
        example: passkeyOptionsExample,
      },
      refusals: ["not_found"],
      run: async ({ visitor }) => {
        const begun = await beginPasskeySignIn(context, visitor.origin);
        return begun.ok ? done(new Reply(begun.value, { headers: secret })) : begun;
      },
    }),
    endpoint({
      operationId: "signInWithPasskey",
      method: "POST",
      path: "/sessions/passkey",
      tag: "sessions",
      access: "anyone",
      signsIn: true,
      summary: "Sign in with a passkey",
      description: "With what the passkey answered: good once, for five minutes.",
      body: PasskeySignInSchema,
      success: signedIn,
      refusals: ["invalid_passkey", "not_found"],
      run: async (call) => {
        const response = passkeyJson(call.body.response);
        return welcome(await signInWithPasskey(context, response, browserOf(call)));
      },
    }),
    endpoint({
      operationId: "setUpMember",
      method: "POST",
      path: "/setup/member",
      tag: "sessions",
      access: "anyone",
      signsIn: true,
      summary: "Trade a setup link for an operator who can sign in",
      description:
        "Makes the operator and signs them in. The link is spent only when all of it is good.",
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
        welcome(await setUp(context, call.body, { browser: browserOf(call), tokens })),
    }),
    endpoint({
      operationId: "checkResetLink",
      method: "POST",
      path: "/reset/check",
      tag: "sessions",
      access: "anyone",
      summary: "Ask whom a link to a password is for",
      description:
        "Takes nothing: the link stays as good as it was. Failed attempts are counted by the client's address.",
      body: ResetCheckSchema,
      success: {
        status: 200,
        description: "It is good, until then.",
        schema: resetStandingShape,
        example: {
          email: "grace@shelter.org",
          name: "Grace",
          first: true,
          expiresAt: "2026-11-21T09:30:00.000Z",
        },
      },
      refusals: ["invalid_reset_token"],
      run: async ({ body: { token } }) => {
        const link = await checkReset(context, token);
        return link.ok ? done(new Reply(link.value, { headers: secret })) : link;
      },
    }),
    endpoint({
      operationId: "resetPassword",
      method: "POST",
      path: "/reset",
      tag: "sessions",
      access: "anyone",
      signsIn: true,
      summary: "Choose a password by a link",
      description:
        "Gives the member of the link their password, ends all their sessions, removes all their passkeys, and signs them in. The link is spent only when the password is good.",
      body: PasswordResetSchema,
      success: signedIn,
      refusals: ["invalid_reset_token", "weak_password", "leaked_password"],
      run: async (call) => welcome(await reset(context, call.body, browserOf(call))),
    }),
  ];
}

/** Who signed in where the request comes from; null for nobody, and for pages of others. */
async function whoIsThere(
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
