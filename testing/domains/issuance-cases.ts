import { system } from "../../lib/model/actor.ts";
import { DAY_MS, MINUTE_MS } from "../../lib/base/clock.ts";
import { expect, type ContractCase } from "../contract-case.ts";
import { refusalOf, someDomain, someOrder, START, type DomainStoreCase } from "./rows.ts";

/** The part of the contract about orders, challenges, certificates, CA accounts and keys. */
export function issuanceCases(promise: DomainStoreCase): readonly ContractCase[] {
  return [
    promise("a name has one open order, which is saved step by step", async ({ domains }) => {
      const domain = someDomain(1);
      const order = someOrder(domain);
      expect(await domains.orders.of(domain.name)).toBeUndefined();
      expect(await refusalOf(domains, { kind: "order.open", order })).toBeUndefined();
      const second = { ...order, id: "ord_2" };
      expect(await refusalOf(domains, { kind: "order.open", order: second })).toBe("exists");
      const to = { ...order, state: { step: "ordered", url: "https://ca.test/1" } } as const;
      const step = { kind: "order.save", from: order, to } as const;
      expect(await refusalOf(domains, step)).toBeUndefined();
      expect(await refusalOf(domains, step)).toBe("stale");
      expect(await domains.orders.of(domain.name)).toEqual({ ...to, version: 2 });
      expect(await refusalOf(domains, { kind: "order.close", order: second })).toBeUndefined();
      expect(await domains.orders.of(domain.name)).toBeDefined();
      await refusalOf(domains, { kind: "order.close", order });
      expect(await domains.orders.of(domain.name)).toBeUndefined();
    }),

    promise(
      "a challenge is found only by its name and token, until it expires",
      async ({ domains }) => {
        const challenge = {
          name: "pets1.test",
          kind: "http-01",
          token: "t1",
          keyAuthorization: "t1.k",
          expiresAt: START + 1_000,
        } as const;
        await domains.commit([{ kind: "challenge.open", challenge }], system);
        const { challenges } = domains;
        expect(await challenges.http01("pets1.test", "t1", START)).toEqual(challenge);
        expect(await challenges.http01("pets2.test", "t1", START)).toBeUndefined();
        expect(await challenges.http01("pets1.test", "t2", START)).toBeUndefined();
        expect(await challenges.http01("pets1.test", "t1", START + 1_000)).toBeUndefined();
        expect(await challenges.tlsAlpn01("pets1.test", START)).toBeUndefined();
        expect(await challenges.tlsAlpn01Names(START, 10)).toEqual([]);
        const next = { ...challenge, kind: "tls-alpn-01", token: "t2" } as const;
        await domains.commit([{ kind: "challenge.open", challenge: next }], system);
        expect(await challenges.http01("pets1.test", "t1", START)).toBeUndefined();
        expect(await challenges.tlsAlpn01("pets1.test", START)).toEqual(next);
        expect(await challenges.tlsAlpn01Names(START, 10)).toEqual(["pets1.test"]);
        expect(await challenges.tlsAlpn01Names(START, 0)).toEqual([]);
        expect(await challenges.tlsAlpn01Names(START + 1_000, 10)).toEqual([]);
        await domains.commit([{ kind: "order.close", order: someOrder(someDomain(1)) }], system);
        expect(await challenges.tlsAlpn01("pets1.test", START)).toBeUndefined();
      },
    ),

    promise("a certificate replaces the domain's other ones", async ({ domains }) => {
      const certificate = {
        id: "crt_1",
        domainId: "dom_1",
        chainPem: "chain",
        sealedKey: "sealed",
        notAfter: START,
        createdAt: START,
      };
      const others = { ...certificate, id: "crt_2", domainId: "dom_2" };
      const next = { ...certificate, id: "crt_3" };
      for (const one of [certificate, others, next]) {
        await domains.commit([{ kind: "certificate.add", certificate: one }], system);
      }
      expect(await domains.certificates.byId("crt_1")).toBeUndefined();
      expect(await domains.certificates.byId("crt_2")).toEqual(others);
      expect(await domains.certificates.byId("crt_3")).toEqual(next);
    }),

    promise(
      "a wrong clock is reported in an event without an account",
      async ({ domains, store }) => {
        await domains.commit([{ kind: "clock.report", aheadMs: -46_800_400, at: START }], system);
        expect(await store.events.after(0, 10)).toMatchObject([
          {
            type: "clock.skewed",
            accountId: "",
            at: START,
            data: { code: "clock_skew", aheadSeconds: -46_800 },
          },
        ]);
      },
    ),

    promise("a pause replaces a shorter one of the authority", async ({ domains }) => {
      const authority = "https://ca.test";
      const pause = { authority, until: START + 2, message: "later", probedAt: START };
      const sooner = { authority, until: START + 1, message: "sooner", probedAt: START + 1 };
      for (const one of [pause, sooner]) {
        await domains.commit([{ kind: "authority.pause", pause: one }], system);
      }
      expect(await domains.pauses.of(authority)).toEqual({ ...pause, probedAt: START + 1 });
      expect(await domains.pauses.of("https://other.test")).toBeUndefined();
    }),

    promise("a pause lets one domain pass, until the next order", async ({ domains }) => {
      const authority = "https://ca.test";
      const pause = { authority, until: START + 9, message: "later", probedAt: START };
      const probe = (domainId: string, at: number) =>
        refusalOf(domains, { kind: "authority.probe", pause, domainId, at });
      expect(await probe("dom_1", START + 1)).toBe("stale");
      await domains.commit([{ kind: "authority.pause", pause }], system);
      expect(await probe("dom_1", START + 1)).toBeUndefined();
      expect(await probe("dom_2", START + 2)).toBe("stale");
      const passed = { ...pause, probedAt: START + 1, probedBy: "dom_1" };
      expect(await domains.pauses.of(authority)).toEqual(passed);
      await domains.commit(
        [{ kind: "authority.pause", pause: { ...pause, probedAt: START + 2 } }],
        system,
      );
      expect(await domains.pauses.of(authority)).toEqual({ ...pause, probedAt: START + 2 });
    }),

    promise("failures of an authority count in a row, and end with an answer", async (world) => {
      const { domains } = world;
      const authority = "https://ca.test";
      const fail = (at: number) =>
        domains.commit([{ kind: "authority.failed", authority, message: `at ${at}`, at }], system);
      const known = async () => domains.pauses.of(authority);
      for (const minute of [0, 1, 12]) await fail(START + minute * MINUTE_MS);
      const last = { authority, until: 0, probedAt: START + 12 * MINUTE_MS };
      // The last one came too long after the others.
      const message = `at ${last.probedAt}`;
      expect(await known()).toEqual({ ...last, message, failures: 1 });
      for (const minute of [13, 14]) await fail(START + minute * MINUTE_MS);
      // It is known to be down: however rarely it is asked, they stay in a row.
      await fail(START + 90 * MINUTE_MS);
      expect(await known()).toMatchObject({ failures: 4 });
      const answered = (ordered: boolean, at: number) =>
        domains.commit([{ kind: "authority.answered", authority, ordered, at }], system);
      await answered(false, START);
      expect((await known())?.failures).toBeUndefined();
      const pause = { authority, until: START + DAY_MS, message: "later", probedAt: START };
      await domains.commit([{ kind: "authority.pause", pause }], system);
      await fail(START + 1);
      // What the CA said counts for more than a connection that fails.
      expect(await known()).toMatchObject({ until: START + DAY_MS, message: "later", failures: 1 });
      await answered(false, START + 2);
      expect(await known()).toMatchObject({ until: START + DAY_MS });
      await answered(true, START + 3);
      expect(await known()).toMatchObject({ until: START + 3 });
    }),

    promise(
      "the page for the operator is kept with what is known about the authority",
      async (world) => {
        const { domains } = world;
        const authority = "https://ca.test";
        for (const at of [START, START + 1]) {
          const url = `https://ca.test/unpause/${at}`;
          await domains.commit([{ kind: "authority.help", authority, url, at }], system);
          expect(await domains.pauses.of(authority)).toMatchObject({ help: { url, at }, until: 0 });
        }
        const other = { authority: "https://a.test", until: START, message: "", probedAt: START };
        await domains.commit([{ kind: "authority.pause", pause: other }], system);
        const all = await domains.pauses.all();
        expect(all.map((one) => one.authority)).toEqual(["https://a.test", authority]);
      },
    ),

    promise(
      "an account is stored, and forgotten only if it has not been replaced",
      async ({ domains }) => {
        const account = { authority: "https://ca.test", sealedKey: "a", createdAt: START };
        await domains.commit([{ kind: "account.save", account }], system);
        expect(await domains.accounts.of(account.authority)).toEqual(account);
        const next = { ...account, sealedKey: "b", url: "https://ca.test/1" };
        await domains.commit([{ kind: "account.save", account: next }], system);
        await domains.commit([{ kind: "account.forget", account }], system);
        expect(await domains.accounts.of(account.authority)).toEqual(next);
        await domains.commit([{ kind: "account.forget", account: next }], system);
        expect(await domains.accounts.of(account.authority)).toBeUndefined();
      },
    ),

    promise("an announced key is stored beside the current one", async (world) => {
      const { domains } = world;
      const account = { authority: "ca", url: "ca/1", sealedKey: "a", createdAt: START };
      const announced = { ...account, nextSealedKey: "b" };
      await domains.commit([{ kind: "account.save", account: announced }], system);
      expect(await domains.accounts.of("ca")).toEqual(announced);
      await domains.commit(
        [{ kind: "account.save", account: { ...account, sealedKey: "b" } }],
        system,
      );
      expect(await domains.accounts.of("ca")).toEqual({ ...account, sealedKey: "b" });
    }),

    promise("a replaced account is kept while an older certificate exists", async (world) => {
      const { domains } = world;
      const replaced = [1, 2].map((number) => ({
        authority: "ca",
        url: `ca/${number}`,
        sealedKey: "sealed",
        createdAt: START,
        replacedAt: START + number * 1_000,
      }));
      const certificate = {
        id: "crt_1",
        domainId: "dom_1",
        chainPem: "chain",
        sealedKey: "sealed",
        notAfter: START + 90_000,
        createdAt: START + 1_500,
      };
      await domains.commit([{ kind: "certificate.add", certificate }], system);
      for (const account of replaced)
        await domains.commit([{ kind: "account.retire", account }], system);
      expect(await domains.accounts.replaced("ca")).toEqual(replaced.toReversed());
      expect(await domains.accounts.replaced("other")).toEqual([]);
      await domains.commit([{ kind: "purge", now: START, limit: 10 }], system);
      expect((await domains.accounts.replaced("ca")).map(({ url }) => url)).toEqual(["ca/2"]);
      const renewed = { ...certificate, id: "crt_2", createdAt: START + 2_000 };
      await domains.commit([{ kind: "certificate.add", certificate: renewed }], system);
      await domains.commit([{ kind: "purge", now: START, limit: 10 }], system);
      expect(await domains.accounts.replaced("ca")).toEqual([]);
    }),

    promise("a successor of an account is kept until it is withdrawn", async ({ domains }) => {
      const key = { authority: "ca", replaces: "ca/1", sealedKey: "sealed", createdAt: START };
      await domains.commit([{ kind: "account.announce", successor: key }], system);
      expect(await domains.accounts.successor("ca")).toEqual(key);
      const registered = { ...key, url: "ca/2", switchAt: START + 60_000 };
      await domains.commit([{ kind: "account.announce", successor: registered }], system);
      expect(await domains.accounts.successor("ca")).toEqual(registered);
      expect(await domains.accounts.successor("other")).toBeUndefined();
      // As a version without successors saves and replaces the present account.
      const account = { authority: "ca", url: "ca/1", sealedKey: "a", createdAt: START };
      await domains.commit([{ kind: "account.save", account }], system);
      await domains.commit([{ kind: "purge", now: START + 90_000, limit: 10 }], system);
      expect(await domains.accounts.successor("ca")).toEqual(registered);
      await domains.commit([{ kind: "account.withdraw", authority: "ca" }], system);
      expect(await domains.accounts.successor("ca")).toBeUndefined();
    }),

    promise("a blocked key stays blocked", async ({ domains }) => {
      expect(await domains.keys.isBlocked("ab12")).toBe(false);
      for (const at of [START, START + 1]) {
        await domains.commit([{ kind: "key.block", fingerprint: "ab12", at }], system);
      }
      expect(await domains.keys.isBlocked("ab12")).toBe(true);
      expect(await domains.keys.isBlocked("ab13")).toBe(false);
    }),
  ];
}
