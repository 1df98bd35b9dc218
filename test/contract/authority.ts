import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { createCsr } from "../../domains/acme/csr.ts";
import { inspectChain } from "../../domains/acme/inspect.ts";
import { createPrivateKeyPem, keyFingerprint } from "../../domains/acme/keys.ts";
import { faultOfChain } from "../../domains/model/certificate.ts";
import type {
  Account,
  Authorization,
  CertificateAuthority,
} from "../../domains/ports/authority.ts";
import { granted, issue, newAccount, noAbort, settled } from "../helpers/issuance.ts";

/** A CA that is ready to be asked. */
export interface AuthorityUnderTest extends AsyncDisposable {
  /** A new one in front of the same CA, as another process would make it. */
  open(): CertificateAuthority;
  /** Does what the CA wants to see for a name, and waits until it has seen it. */
  prove(
    authority: CertificateAuthority,
    account: Account,
  ): (authorization: Authorization) => Promise<void>;
}

/** Holds a certificate authority to what its port promises. */
export function describeAuthority(
  name: string,
  start: () => Promise<AuthorityUnderTest>,
  missing?: string,
): void {
  describe.skipIf(missing !== undefined)(`${name} as a certificate authority`, () => {
    let subject: AuthorityUnderTest;
    beforeAll(async () => {
      subject = await start();
    });
    afterAll(async () => subject?.[Symbol.asyncDispose]());

    test("all that are in front of one CA have the same id", () => {
      expect(subject.open().id).toBe(subject.open().id);
    });

    test("the same key has the same account", async () => {
      const key = await createPrivateKeyPem();
      const first = granted(await subject.open().createAccount({ key }, noAbort));
      const again = granted(await subject.open().createAccount({ key }, noAbort));
      const found = granted(await subject.open().findAccount(key, noAbort));
      expect([again.url, found.url]).toEqual([first.url, first.url]);
    });

    const long = `${"a".repeat(40)}.${"b".repeat(40)}.test`;
    for (const names of [["one.test"], ["two.test", "twin.two.test"], [long]] as const) {
      test(`what is issued for ${names.join(" and ")} is for these, for our key and in order`, async () => {
        const authority = subject.open();
        const account = await newAccount(authority);
        const { pem, key } = await issue(
          authority,
          account,
          names,
          subject.prove(authority, account),
        );
        const chain = inspectChain(pem);
        expect(chain).toBeDefined();
        const expected = { names, publicKey: keyFingerprint(key), now: Date.now() };
        expect(chain && faultOfChain(chain, expected)).toBeUndefined();
      });
    }

    test("every step can be taken by another process", async () => {
      const account = await newAccount(subject.open());
      const made = granted(
        await subject.open().newOrder(account, { names: ["moved.test"] }, noAbort),
      );
      for (const url of made.authorizationUrls) {
        const authority = subject.open();
        const authorization = granted(await authority.authorization(account, url, noAbort));
        if (authorization.status === "pending")
          await subject.prove(authority, account)(authorization);
      }
      const order = await settled(
        () => subject.open().order(account, made.url, noAbort),
        ["pending"],
      );
      expect(order.status).toBe("ready");
      const csr = createCsr(["moved.test"], await createPrivateKeyPem());
      granted(await subject.open().finalize(account, order, csr, noAbort));
      // As if the answer had been lost.
      const again = granted(await subject.open().finalize(account, order, csr, noAbort));
      const valid =
        again.status === "processing"
          ? await settled(() => subject.open().order(account, made.url, noAbort), ["processing"])
          : again;
      if (valid.status !== "valid") throw new Error(`the order is ${valid.status}`);
      const pem = granted(await subject.open().download(account, valid.certificateUrl, noAbort));
      expect(inspectChain(pem)?.certificates[0].names).toEqual(["moved.test"]);
    });

    test("an order that it does not know is gone", async () => {
      const authority = subject.open();
      const account = await newAccount(authority);
      const { url } = granted(await authority.newOrder(account, { names: ["gone.test"] }, noAbort));
      const lost = await authority.order(
        account,
        `${url.slice(0, url.lastIndexOf("/"))}/`,
        noAbort,
      );
      expect(lost).toMatchObject({ ok: false, failure: { code: "order_gone" } });
    });

    test("what goes wrong tells nothing of a private key", async () => {
      const authority = subject.open();
      const account = await newAccount(authority);
      const made = granted(await authority.newOrder(account, { names: ["key.test"] }, noAbort));
      const told = await Promise.allSettled([
        authority.order(account, `${made.url}x`, noAbort),
        authority.finalize(account, made, new Uint8Array([0x30, 0]), noAbort),
        authority.revoke(account, "no certificate", "unspecified", noAbort),
        authority.newOrder(account, { names: ["NOT A NAME"] }, noAbort),
      ]);
      const secret = account.key.split("\n")[1] ?? "";
      expect(secret).toMatch(/^[\w+/]{60,}$/);
      for (const outcome of told) {
        const { message, stack } = outcome.status === "rejected" ? outcome.reason : outcome;
        const text = JSON.stringify(outcome) + String(message) + String(stack);
        expect(text).not.toContain("PRIVATE KEY");
        expect(text).not.toContain(secret);
      }
    });

    test("an account changes its key and stays the same, and the key before counts no more", async () => {
      const account = await newAccount(subject.open());
      const next = await createPrivateKeyPem();
      const changed = granted(await subject.open().changeKey(account, next, noAbort));
      expect(changed.key).toBe(next);
      const found = granted(await subject.open().findAccount(next, noAbort));
      expect(found.url).toBe(changed.url);
      expect(granted(await subject.open().accountState(changed, noAbort)).status).toBe("valid");
      const authority = subject.open();
      if (authority.kind === "internal") return;
      expect(changed.url).toBe(account.url);
      expect(await authority.findAccount(account.key, noAbort)).toMatchObject({
        ok: false,
        failure: { code: "account_unknown" },
      });
    });

    test("a certificate can be revoked, and no second time makes it reject", async () => {
      const authority = subject.open();
      const account = await newAccount(authority);
      const prove = subject.prove(authority, account);
      const { pem } = await issue(authority, account, ["revoked.test"], prove);
      granted(await authority.revoke(account, pem, "superseded", noAbort));
      const again = await authority.revoke(account, pem, "superseded", noAbort);
      expect(again.ok || again.failure.code).toBeOneOf([true, "already_revoked"]);
    });

    test("a certificate can be revoked by its own key, without the account", async () => {
      const authority = subject.open();
      const account = await newAccount(authority);
      const prove = subject.prove(authority, account);
      const { pem, key } = await issue(authority, account, ["known.test"], prove);
      granted(await subject.open().revoke({ key }, pem, "keyCompromise", noAbort));
    });

    test("once aborted, every step rejects with the reason", async () => {
      const authority = subject.open();
      const account = await newAccount(authority);
      const order = granted(await authority.newOrder(account, { names: ["a.test"] }, noAbort));
      const reason = new Error("not needed any more");
      const signal = AbortSignal.abort(reason);
      const challenge = { type: "http-01", url: order.url, token: "t".repeat(22) } as const;
      const answered = { ...challenge, keyAuthorization: "", status: "pending" } as const;
      const { pem } = await issue(
        authority,
        account,
        ["a.test"],
        subject.prove(authority, account),
      );
      const steps = [
        authority.directory(signal),
        authority.createAccount({ key: account.key }, signal),
        authority.findAccount(account.key, signal),
        authority.newOrder(account, { names: ["a.test"] }, signal),
        authority.order(account, order.url, signal),
        authority.authorization(account, order.url, signal),
        authority.answer(account, answered, signal),
        authority.deactivate(account, order.url, signal),
        authority.finalize(account, order, new Uint8Array(), signal),
        authority.download(account, order.url, signal),
        authority.revoke(account, pem, "unspecified", signal),
      ];
      for (const outcome of await Promise.allSettled(steps)) {
        expect(outcome).toEqual({ status: "rejected", reason });
      }
    });
  });
}
