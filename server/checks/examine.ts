import { backupsAreFresh } from "./backups.ts";
import { checkTitles, type CheckId } from "./words.ts";
import { openReader, type DatabaseReader } from "../data/database.ts";
import { fail, skip, warn, type Check, type Finding, type Found, type Subject } from "./check.ts";
import {
  clockIsSane,
  databaseIsSound,
  directoryIsPrivate,
  domainResolves,
  hasSpace,
  keyIsPrivate,
  portIsFree,
  redisAnswers,
  serverAnswers,
} from "./installation.ts";
import { ownHostsMayBeCertified, resolversAnswer } from "./dns.ts";
import { Failure, reasonOf } from "../../settings/failure.ts";
import { caAnswers } from "./issuers.ts";
import {
  certificatesAreFresh,
  ownCertificateIsSound,
  portsArePublic,
  targetsResolve,
} from "./https.ts";
import { domainsStay } from "./drift.ts";
import { mailServerAnswers } from "./mail.ts";
import { targetsAreLocked } from "./caa-lock.ts";
import { blobsAreSound, cookiesAreApart, sitesResolve } from "./sites.ts";

/** All checks, in the order in which they depend on each other. None changes anything. */
const checks: Readonly<Record<CheckId, Check>> = {
  "data-directory": directoryIsPrivate,
  "free-space": hasSpace,
  "encryption-key": keyIsPrivate,
  database: databaseIsSound,
  redis: redisAnswers,
  blobs: blobsAreSound,
  backups: backupsAreFresh,
  mail: mailServerAnswers,
  server: serverAnswers,
  listen: portIsFree("listen"),
  "staging-listen": portIsFree("stagingListen"),
  clock: clockIsSane,
  "base-domain": domainResolves,
  "sites-domain": sitesResolve,
  "site-cookies": cookiesAreApart,
  "listen-https": portIsFree("listenHttps"),
  "public-ports": portsArePublic,
  "own-certificate": ownCertificateIsSound,
  "cname-targets": targetsResolve,
  resolvers: resolversAnswer,
  ca: caAnswers,
  "caa-lock": targetsAreLocked,
  "own-hosts": ownHostsMayBeCertified,
  certificates: certificatesAreFresh,
  domains: domainsStay,
};

/** Names on the command line that are not the id with spaces. */
const NAMES: Readonly<Partial<Record<string, string>>> = {
  "staging-listen": "staging-listen",
  "listen-https": "listen-https",
  "cname-targets": "CNAME targets",
  ca: "CA",
  "caa-lock": "CAA lock",
};

// `Object.keys` does not know that these are the keys.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const ids = Object.keys(checkTitles) as readonly CheckId[];

/** Longer than any time limit within a check. */
const PATIENCE_MS = 20_000;

/** Runs all checks concurrently. A check that throws or exceeds the time limit is a finding, too. */
export async function examine(
  subject: Omit<Subject, "database" | "signal">,
  patienceMs: number = PATIENCE_MS,
): Promise<readonly Finding[]> {
  const over = new AbortController();
  const { clock } = subject.runtime;
  const late = clock.sleep(patienceMs, over.signal).then(
    (): Found => warn("too_slow", { seconds: patienceMs / 1_000 }),
    // Aborted: all checks ended in time.
    (): Found => skip("too_slow", { seconds: 0 }),
  );
  let opened: Promise<DatabaseReader> | undefined;
  const database = (): Promise<DatabaseReader> => (opened ??= openReader(subject));
  const limited = { ...subject, database, signal: over.signal };
  const run = async (id: CheckId): Promise<Found> => {
    try {
      return await checks[id](limited);
    } catch (error) {
      // Its own check reports the reason.
      const unread = id !== "database" && (await opened?.catch(same(error))) === true;
      if (unread) return skip("database_unread", {});
      const reason = error instanceof Failure ? error.message : reasonOf(error);
      return fail("error", { reason });
    }
  };
  try {
    return await Promise.all(
      ids.map(async (id) => ({
        id,
        check: NAMES[id] ?? id.replaceAll("-", " "),
        ...(await Promise.race([run(id), late])),
      })),
    );
  } finally {
    over.abort();
    // A check that exceeded the limit may still use it.
    void opened?.then(
      ({ close }) => close(),
      () => undefined,
    );
  }
}

const same =
  (one: unknown) =>
  (other: unknown): boolean =>
    one === other;
