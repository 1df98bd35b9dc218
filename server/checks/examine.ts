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

/** What can be looked at without changing anything, in the order in which things depend on each other. */
const checks: Readonly<Record<string, Check>> = {
  "data directory": directoryIsPrivate,
  "free space": hasSpace,
  "encryption key": keyIsPrivate,
  database: databaseIsSound,
  blobs: blobsAreSound,
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

/** Longer than the slowest of them gives those whom it asks. */
const PATIENCE_MS = 20_000;

/** Makes every check, all at once; one that breaks, or does not come to an end, is a finding too. */
export async function examine(
  subject: Omit<Subject, "signal">,
  patienceMs: number = PATIENCE_MS,
): Promise<readonly Finding[]> {
  const over = new AbortController();
  const { clock } = subject.runtime;
  const late = clock.sleep(patienceMs, over.signal).then(
    (): Found => ({ status: "warn", message: `no answer within ${patienceMs / 1_000} seconds` }),
    // Stopped: everything was found in time.
    (): Found => ({ status: "skip", message: "" }),
  );
  const looked = { ...subject, signal: over.signal };
  try {
    return await Promise.all(
      Object.entries(checks).map(async ([check, look]) => ({
        check,
        ...(await Promise.race([made(look, looked), late])),
      })),
    );
  } finally {
    over.abort();
  }
}

async function made(look: Check, subject: Subject): Promise<Found> {
  try {
    const found = await look(subject);
    return typeof found === "string" ? { status: "ok", message: found } : found;
  } catch (error) {
    const message = error instanceof Failure ? error.message : reasonOf(error);
    return { status: "fail", message };
  }
}
