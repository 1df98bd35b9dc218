import { issuersOf, ownHostVerifier } from "../../domains/index.ts";
import type { HostFault } from "./facts.ts";
import { fail, ok, skip, warn, type Check } from "./check.ts";
import { accountsIn } from "./caa-lock.ts";
import { validatesBelow } from "../../domains/dns/resolver.ts";
import { publicAuthorities } from "../authority.ts";
import { isLocal, isUnreachable } from "../../settings/domain-names.ts";
import { ownHostsOf } from "../domain-parts.ts";
import { PATIENCE_MS, vantagesOf } from "../resolvers.ts";

/** Every resolver answers, even if it finds nothing, and reports that it validates signatures. */
export const resolversAnswer: Check = async (subject) => {
  const { runtime, settings } = subject;
  const { clock } = runtime;
  const { baseDomain, listenHttps, dnsServers } = settings;
  const unreachable = isUnreachable(baseDomain);
  // On a laptop the system's resolvers may not answer, or not know `localhost` (RFC 6761 §6.3): that is no error.
  if (isLocal(baseDomain) && (listenHttps === "off" || (unreachable && dnsServers === undefined))) {
    return skip("resolvers_unneeded", {});
  }
  const found = await Promise.all(
    (await vantagesOf(subject)).resolvers.map(async (resolver) => {
      const within = { deadlineAt: clock.now() + PATIENCE_MS };
      const [answer, validates] = await Promise.all([
        resolver.lookup(settings.baseDomain, "A", within),
        validatesBelow(resolver, isLocal(baseDomain) ? "com" : baseDomain, within),
      ]);
      return { vantage: resolver.vantage, silent: answer.kind === "unknown", validates };
    }),
  );
  const silent = found.filter((one) => one.silent).map(({ vantage }) => vantage);
  if (silent.length === 0) {
    const unvalidating = found.filter(({ validates }) => validates !== true);
    const names = (some: typeof found) => some.map(({ vantage }) => vantage);
    if (unvalidating.length === 0) return ok("resolvers_answer", { resolvers: names(found) });
    // One validating resolver suffices: an answer that only the others have does not count against it.
    const none = unvalidating.length === found.length;
    const unchecked = none && !unreachable ? fail : warn;
    return unchecked("resolvers_unvalidating", { resolvers: names(unvalidating), none });
  }
  const result = silent.length === found.length && !unreachable ? fail : warn;
  return result("resolvers_silent", { resolvers: silent, domain: settings.baseDomain });
};

/** Checks that the CA can reach our own hosts, and CAA records permit it to issue for them. */
export const ownHostsMayBeCertified: Check = async (subject) => {
  const { settings, runtime } = subject;
  const { clock } = runtime;
  const hosts = ownHostsOf(settings);
  if (hosts.length === 0) return skip("hosts_unneeded", {});
  const authorities = await publicAuthorities(settings, runtime);
  if (authorities.length === 0) return skip("hosts_internal", {});
  const accounts = await accountsIn(subject);
  const issuers = issuersOf({
    authorities,
    store: { accounts: { of: (id) => accounts.get(id) } },
    challenges: ["http-01", "tls-alpn-01"],
    clock,
  });
  const vantages = await vantagesOf(subject);
  const verify = ownHostVerifier({ ...vantages, issuers, clock, budgetMs: PATIENCE_MS });
  const blocked: { readonly name: string; readonly faults: readonly HostFault[] }[] = [];
  for (const name of hosts) {
    const subjectOf = { name, targetLabel: "", ownershipToken: "", attachedBefore: false };
    const { signal } = new AbortController();
    const { state, blocking } = await verify({ ...subjectOf, contested: false }, signal);
    if (state === "verified") continue;
    blocked.push({ name, faults: blocking.length === 0 ? ["unknown"] : blocking });
  }
  return blocked.length === 0
    ? ok("hosts_ready", { hosts })
    : warn("hosts_blocked", { hosts: blocked });
};
