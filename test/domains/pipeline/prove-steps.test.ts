import { expect, test } from "bun:test";

import { createPrivateKeyPem, keyFingerprint } from "../../../domains/acme/keys.ts";
import { respondToChallenge } from "../../../domains/pipeline/order-steps.ts";
import type { StepTools } from "../../../domains/pipeline/step-result.ts";
import { fakeAuthority } from "../../helpers/domains/fake-authority.ts";
import { someDomain, someOrder, START } from "../../helpers/domains/rows.ts";
import { manualClock } from "../../helpers/clock.ts";

const url = "https://ca.example/order/1";
const authorizationUrl = "https://ca.example/authorization/1";

async function answering(keys: { readonly presentedWith: string; readonly now: string }) {
  const validations: string[] = [];
  const authority = await fakeAuthority(manualClock(START));
  authority.respond = async (account, challenge) => {
    validations.push(account.url);
    return { ok: true, value: challenge };
  };
  const tools: StepTools = {
    authority,
    account: { url: "https://ca.example/account/1", key: keys.now },
    privateKeyPem: "",
    now: START,
    ownNow: START,
    timeKnown: true,
    preferred: "http-01",
    challenges: ["http-01"],
    onProfileRefused: () => {},
    rehearse: async () => undefined,
    signal: new AbortController().signal,
  };
  const taken = await respondToChallenge(
    tools,
    { ...someOrder(someDomain(1)), challenge: "http-01" },
    {
      url,
      authorizationUrl,
      proof: {
        challengeUrl: "https://ca.example/challenge/1",
        token: "token",
        keyAuthorization: "token.thumbprint",
        accountKey: keyFingerprint(keys.presentedWith),
      },
    },
  );
  return { taken, validations };
}

test("a prepared proof is used while the account key is the same", async () => {
  const key = await createPrivateKeyPem();
  const { taken, validations } = await answering({ presentedWith: key, now: key });
  expect(validations).toHaveLength(1);
  expect(taken).toMatchObject({ kind: "moved", to: { state: { step: "answered" } } });
});

test("after a key change the proof is prepared again before the CA validates", async () => {
  const [before, after] = [await createPrivateKeyPem(), await createPrivateKeyPem()];
  const { taken, validations } = await answering({ presentedWith: before, now: after });
  // The CA would find the old thumbprint, and the authorization would fail.
  expect(validations).toEqual([]);
  expect(taken).toMatchObject({ kind: "moved", to: { state: { step: "ordered", url } } });
});
