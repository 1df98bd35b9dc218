import { backupsAreFresh } from "./backups.ts";
import type { Check, Finding, Found, Subject } from "./check.ts";
import {
  clockIsSane,
  databaseIsSound,
  directoryIsPrivate,
  domainResolves,
  hasSpace,
  keyIsPrivate,
  portIsFree,
  serverAnswers,
} from "./installation.ts";
import { ownHostsMayBeCertified, resolversAnswer } from "./dns.ts";
import { Failure, reasonOf } from "../../settings/failure.ts";
import {
  caAnswers,
  certificatesAreFresh,
  ownCertificateIsSound,
  portsArePublic,
  targetsResolve,
} from "./https.ts";
import { blobsAreSound, sitesResolve } from "./sites.ts";

/** All checks, in the order in which they depend on each other. None changes anything. */
const checks: Readonly<Record<string, Check>> = {
  "data directory": directoryIsPrivate,
  "free space": hasSpace,
  "encryption key": keyIsPrivate,
  database: databaseIsSound,
  blobs: blobsAreSound,
  backups: backupsAreFresh,
  server: serverAnswers,
  listen: portIsFree("listen"),
  "staging-listen": portIsFree("stagingListen"),
  clock: clockIsSane,
  "base domain": domainResolves,
  "sites domain": sitesResolve,
  "listen-https": portIsFree("listenHttps"),
  "public ports": portsArePublic,
  "own certificate": ownCertificateIsSound,
  "CNAME targets": targetsResolve,
  resolvers: resolversAnswer,
  CA: caAnswers,
  "own hosts": ownHostsMayBeCertified,
  certificates: certificatesAreFresh,
};

/** Longer than any time limit within a check. */
const PATIENCE_MS = 20_000;

/** Runs all checks concurrently. A check that throws or exceeds the time limit is a finding, too. */
export async function examine(
  subject: Omit<Subject, "signal">,
  patienceMs: number = PATIENCE_MS,
): Promise<readonly Finding[]> {
  const over = new AbortController();
  const { clock } = subject.runtime;
  const late = clock.sleep(patienceMs, over.signal).then(
    (): Found => ({ status: "warn", message: `no result within ${patienceMs / 1_000} seconds` }),
    // Aborted: all checks ended in time.
    (): Found => ({ status: "skip", message: "" }),
  );
  const limited = { ...subject, signal: over.signal };
  try {
    return await Promise.all(
      Object.entries(checks).map(async ([check, perform]) => ({
        check,
        ...(await Promise.race([run(perform, limited), late])),
      })),
    );
  } finally {
    over.abort();
  }
}

async function run(perform: Check, subject: Subject): Promise<Found> {
  try {
    const found = await perform(subject);
    return typeof found === "string" ? { status: "ok", message: found } : found;
  } catch (error) {
    const message = error instanceof Failure ? error.message : reasonOf(error);
    return { status: "fail", message };
  }
}
