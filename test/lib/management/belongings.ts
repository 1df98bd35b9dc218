import { PASSWORD, type Office, type SignedInBrowser } from "../../helpers/management.ts";

/** Gives a member one of each resource: another session, a passkey, and challenges for another passkey and for a proof. */
export async function belongings(
  office: Office,
  member: SignedInBrowser,
): Promise<Readonly<Record<string, string>>> {
  const { api, email, memberId } = member;
  const elsewhere = office.browser({ userAgent: `Browser of ${email}` });
  const session = await elsewhere.api.post<{ sessionId: string }>("/manage/v1/sessions", {
    email,
    password: PASSWORD,
  });
  const begin = async (path = "/passkeys"): Promise<string> =>
    (await api.post<{ challenge: string }>(`/manage/v1${path}/options`)).body.challenge;
  const credential = `credential of ${memberId}`;
  const passkey = await api.post<{ id: string }>("/manage/v1/passkeys", {
    name: `Key of ${email}`,
    response: { id: credential, challenge: await begin() },
  });
  return {
    session: session.body.sessionId,
    passkey: passkey.body.id,
    credential,
    challenge: await begin(),
    proofChallenge: await begin("/me/proof/passkey"),
  };
}
