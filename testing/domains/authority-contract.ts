import { systemClock } from "../../lib/base/clock.ts";
import type { Eventual } from "../../lib/base/eventual.ts";
import { contractCase, type ContractCase } from "../contract-case.ts";
import { expect } from "../contract-case.ts";
import { createCsr } from "../../domains/acme/x509.ts";
import { inspectChain } from "../../domains/acme/inspect.ts";
import { createPrivateKeyPem, keyFingerprint } from "../../domains/acme/keys.ts";
import { faultOfChain } from "../../domains/model/certificate.ts";
import type {
  Account,
  Authorization,
  CertificateAuthority,
} from "../../domains/ports/authority.ts";
import { granted, issue, newAccount, noAbort, settled } from "./issuance.ts";

/** A CA that issues certificates for names below `.test`. */
export interface AuthorityUnderTest {
  /** Creates another adapter for the same CA, as another process would. */
  open(): CertificateAuthority;
  /** Puts the proof for a name in place, and resolves once the CA has validated it. */
  prove(
    authority: CertificateAuthority,
    account: Account,
  ): (authorization: Authorization) => Promise<void>;
  /** Called after the case. */
  close?(): Eventual<void>;
}

const NAMES = [
  ["one.test"],
  ["two.test", "twin.two.test"],
  // Too long for a common name, which has 64 characters.
  [`${"a".repeat(40)}.${"b".repeat(40)}.test`],
] as const;

/** Contract of certificate authorities. The cases may share one CA, as each uses its own accounts and orders. */
export function authorityContract(
  open: () => Eventual<AuthorityUnderTest>,
): readonly ContractCase[] {
  const promise = (
    name: string,
    body: (subject: AuthorityUnderTest) => Promise<void>,
  ): ContractCase => contractCase(name, open, body);

  return [
    promise("all adapters of one CA have the same id", async (subject) => {
      expect(subject.open().id).toBe(subject.open().id);
    }),

    promise("the same key has the same account", async (subject) => {
      const key = await createPrivateKeyPem();
      const first = granted(await subject.open().createAccount({ key }, noAbort));
      const again = granted(await subject.open().createAccount({ key }, noAbort));
      const found = granted(await subject.open().findAccount(key, noAbort));
      expect([again.url, found.url]).toEqual([first.url, first.url]);
    }),

    ...NAMES.map((names) =>
      promise(
        `a certificate for ${names.join(" and ")} has these names, our key and a valid chain`,
        async (subject) => {
          const authority = subject.open();
          const account = await newAccount(authority);
          const prove = subject.prove(authority, account);
          const { pem, key } = await issue(authority, account, names, prove);
          const chain = inspectChain(pem);
          expect(chain).toBeDefined();
          const expected = { names, publicKey: keyFingerprint(key), now: systemClock.now() };
          expect(chain && faultOfChain(chain, expected)).toBeUndefined();
        },
      ),
    ),

    promise("every step can be performed by another process", async (subject) => {
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
      const csr = await createCsr(["moved.test"], await createPrivateKeyPem());
      granted(await subject.open().finalize(account, order, csr, noAbort));
      // Repeated as if the response had been lost.
      const again = granted(await subject.open().finalize(account, order, csr, noAbort));
      const valid =
        again.status === "processing"
          ? await settled(() => subject.open().order(account, made.url, noAbort), ["processing"])
          : again;
      if (valid.status !== "valid") throw new Error(`the order is ${valid.status}`);
      const pem = granted(await subject.open().download(account, valid.certificateUrl, noAbort));
      expect(inspectChain(pem)?.certificates[0].names).toEqual(["moved.test"]);
    }),

    promise("an unknown order is order_gone", async (subject) => {
      const authority = subject.open();
      const account = await newAccount(authority);
      const { url } = granted(await authority.newOrder(account, { names: ["gone.test"] }, noAbort));
      const lost = await authority.order(
        account,
        `${url.slice(0, url.lastIndexOf("/"))}/`,
        noAbort,
      );
      expect(lost).toMatchObject({ ok: false, failure: { code: "order_gone" } });
    }),

    promise("errors reveal nothing about a private key", async (subject) => {
      const authority = subject.open();
      const account = await newAccount(authority);
      const made = granted(await authority.newOrder(account, { names: ["key.test"] }, noAbort));
      const outcomes = await Promise.allSettled([
        authority.order(account, `${made.url}x`, noAbort),
        authority.finalize(account, made, new Uint8Array([0x30, 0]), noAbort),
        authority.revoke(account, "no certificate", "unspecified", noAbort),
        authority.newOrder(account, { names: ["NOT A NAME"] }, noAbort),
      ]);
      const secret = account.key.split("\n")[1] ?? "";
      expect(/^[\w+/]{60,}$/.test(secret)).toBe(true);
      for (const outcome of outcomes) {
        const { message, stack } = outcome.status === "rejected" ? outcome.reason : outcome;
        const text = JSON.stringify(outcome) + String(message) + String(stack);
        expect(text).toNotContain("PRIVATE KEY");
        expect(text).toNotContain(secret);
      }
    }),

    promise(
      "an account keeps its identity when its key changes, and the old key becomes invalid",
      async (subject) => {
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
      },
    ),

    promise("a certificate can be revoked; revoking it again does not reject", async (subject) => {
      const authority = subject.open();
      const account = await newAccount(authority);
      const prove = subject.prove(authority, account);
      const { pem } = await issue(authority, account, ["revoked.test"], prove);
      granted(await authority.revoke(account, pem, "superseded", noAbort));
      const again = await authority.revoke(account, pem, "superseded", noAbort);
      expect(again.ok || again.failure.code === "already_revoked").toBe(true);
    }),

    promise(
      "a certificate can be revoked with its own key, without the account",
      async (subject) => {
        const authority = subject.open();
        const account = await newAccount(authority);
        const prove = subject.prove(authority, account);
        const { pem, key } = await issue(authority, account, ["known.test"], prove);
        granted(await subject.open().revoke({ key }, pem, "keyCompromise", noAbort));
      },
    ),

    promise("once aborted, every step rejects with the reason", async (subject) => {
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
        authority.respond(account, answered, signal),
        authority.deactivate(account, order.url, signal),
        authority.finalize(account, order, new Uint8Array(), signal),
        authority.download(account, order.url, signal),
        authority.revoke(account, pem, "unspecified", signal),
      ];
      for (const outcome of await Promise.allSettled(steps)) {
        expect(outcome.status).toBe("rejected");
        expect(outcome.status === "rejected" && outcome.reason).toBe(reason);
      }
    }),
  ];
}
