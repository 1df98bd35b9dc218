import type { CustomDomains } from "../../domains/index.ts";
import { DAY_MS, SECOND_MS, type Clock } from "../../lib/base/clock.ts";
import type { Metering, Read } from "./registry.ts";

/** Values that are read at each scrape. */
export interface WatchedHttps {
  readonly custom: Pick<
    CustomDomains,
    "served" | "certificates" | "pausedUntil" | "queueAgeMs" | "clockAheadMs" | "driftStandsStill"
  >;
  readonly connections: () => number;
  readonly clock: Pick<Clock, "now">;
}

type Certificates =
  ReturnType<CustomDomains["certificates"]> extends ReadonlyMap<string, infer Value>
    ? Value
    : never;

/** Adds the metrics of HTTPS and of custom domains. */
export function httpsMetrics(
  metering: Metering,
  { custom, connections, clock }: WatchedHttps,
): void {
  const add = (name: string, help: string, read: Read): void =>
    metering.gauge(`petstore_${name}`, help, read);
  const byIssuer = (name: string, help: string, read: (ofIssuer: Certificates) => number): void =>
    metering.gaugeBy("issuer", `petstore_${name}`, help, () =>
      Array.from(custom.certificates(), ([issuer, ofIssuer]) => [issuer, read(ofIssuer)]),
    );
  // The CA wrote the expiry, so it is compared with the CA's time.
  const daysUntil = (instant: number): number =>
    (instant - clock.now() - (custom.clockAheadMs ?? 0)) / DAY_MS;
  add(
    "clock_skew_seconds",
    "Seconds by which the clock of the certificate authority is ahead of ours; absent while unknown.",
    () => (custom.clockAheadMs === undefined ? undefined : custom.clockAheadMs / SECOND_MS),
  );
  add(
    "https_hosts",
    "Hosts served over HTTPS: custom domains and our own hosts.",
    () => custom.served,
  );
  add(
    "drift_standing_still",
    "1 while so many live domains seem to point elsewhere that the cause must be here.",
    () => (custom.driftStandsStill ? 1 : 0),
  );
  add("https_connections", "Open connections over HTTPS.", connections);
  byIssuer("certificates", "Certificates in use, by issuer.", ({ count }) => count);
  byIssuer(
    "certificate_days_to_expiry",
    "Days until the first certificate of each issuer expires; negative after expiry.",
    ({ notAfter }) => daysUntil(notAfter),
  );
  byIssuer(
    "certificates_not_servable",
    "Certificates in use that cannot be presented in a handshake, by issuer: their hosts are down.",
    ({ unservable }) => unservable,
  );
  byIssuer(
    "certificates_overdue",
    "Certificates in use whose renewal is overdue by a quarter of the time to expiry or more, though their DNS is correct, by issuer.",
    ({ overdue }) => overdue,
  );
  add(
    "domains_attention",
    "Hosts in use that need attention, of their owner or of the operator.",
    () => [...custom.certificates().values()].reduce((sum, { attention }) => sum + attention, 0),
  );
  metering.gaugeBy(
    "issuer",
    "petstore_issuer_paused_until_seconds",
    "Unix time until which an issuer takes no new orders from this service; 0 while it does.",
    async () =>
      Array.from(await custom.pausedUntil(), ([issuer, until]) => [issuer, until / SECOND_MS]),
  );
  add(
    "certificate_days_to_expiry_min",
    "Days until the first of all certificates expires; absent without certificates.",
    () => {
      const ends = [...custom.certificates().values()].map(({ notAfter }) => notAfter);
      return ends.length === 0 ? undefined : daysUntil(Math.min(...ends));
    },
  );
  add(
    "domain_queue_age_seconds",
    "Age of the longest overdue domain task.",
    async () => (await custom.queueAgeMs()) / SECOND_MS,
  );
}
