import { stat } from "node:fs/promises";

import {
  keyFingerprint,
  readChain,
  rehearseHandshake,
  type Presented,
  type ReadChain,
} from "../../domains/index.ts";
import { isoTime } from "../../lib/base/clock.ts";
import type { Clock, Log } from "../../lib/index.ts";
import { readOption } from "../authority.ts";
import { Failure, reasonOf } from "../../settings/failure.ts";
import { options } from "../../settings/options.ts";

/** The operator's own certificate, from its files. */
export interface OwnCertificate {
  /** Returns undefined for a host that it does not cover. */
  presentedFor(host: string): Presented | undefined;
  readonly notAfter: number;
  /** Stops watching the files. */
  close(): void;
}

export interface OwnCertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** `alone`: the chain has no certificate of the issuer; `unlinked`: a certificate was not signed by the next one. */
export type OwnCertificateDoubt = "alone" | "unlinked";

interface Read {
  readonly presented: Presented;
  readonly names: readonly string[];
  /** Why some clients may not be able to verify the certificate. It is served nevertheless. */
  readonly doubt: OwnCertificateDoubt | undefined;
}

const DOUBTS: Readonly<Record<OwnCertificateDoubt, string>> = {
  alone: "the certificate file has no certificate of the issuer: some clients may not trust it",
  unlinked:
    "a certificate in the file was not signed by the next one: some clients may not trust it",
};

/** How often the files are checked; a renewal replaces both. */
const CHECK_EVERY_MS = 5_000;

/**
 * Opens the files and watches them. Invalid files are refused at the start; later they are logged, and the previous
 * certificate stays in use.
 */
export async function openOwnCertificate(
  files: OwnCertificateFiles,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<OwnCertificate> {
  let seen = await stamp(files);
  let current = await readOwnCertificate(files);
  const warn = (): void => {
    const { doubt } = current;
    if (doubt !== undefined) log.warn(DOUBTS[doubt], { file: files.certFile });
  };
  warn();
  const closing = new AbortController();

  const reload = async (): Promise<void> => {
    const found = await stamp(files);
    if (found === seen) return;
    seen = found;
    try {
      current = await readOwnCertificate(files);
      const until = isoTime(current.presented.notAfter);
      log.info("reloaded the certificate", { file: files.certFile, until });
      warn();
    } catch (error) {
      const reason = error instanceof Failure ? error.message : reasonOf(error);
      log.warn("the changed certificate cannot be used; the previous one stays in use", {
        reason,
      });
    }
  };

  const watch = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      const slept = await clock.sleep(CHECK_EVERY_MS, closing.signal).then(
        () => true,
        () => false,
      );
      if (slept) await reload();
    }
  };
  void watch();

  return {
    presentedFor: (host) => (isCovered(host, current.names) ? current.presented : undefined),
    get notAfter() {
      return current.presented.notAfter;
    },
    close: () => closing.abort(),
  };
}

/** Longer than a handshake in memory takes on a busy machine. */
const PATIENCE_MS = 10_000;

/**
 * Reads the files, and makes a handshake with them for the first name. Fails with the name of the option at fault. The
 * certificate that is returned is our own encoding of the certificates in the file; what else it holds is not served.
 */
export async function readOwnCertificate({
  certFile,
  keyFile,
}: OwnCertificateFiles): Promise<Read> {
  const { tlsCertFile, tlsKeyFile } = options;
  const file = await readOption(certFile, tlsCertFile.name);
  const privateKeyPem = await readOption(keyFile, tlsKeyFile.name);
  const chain = readChain(file, { others: "skipped" });
  if (!chain.ok) {
    const message = `${tlsCertFile.name}: ${certFile} is not a chain of certificates (PEM): ${chain.failure}.`;
    throw new Failure("configuration", message);
  }
  const { pem: chainPem, certificates } = chain.value;
  const [{ fingerprint, notAfter, names, publicKey }] = certificates;
  const [first] = names;
  if (first === undefined) {
    throw new Failure("configuration", `${tlsCertFile.name}: ${certFile} names no host.`);
  }
  if (fingerprintOf(privateKeyPem) !== publicKey) {
    throw new Failure(
      "configuration",
      `${tlsKeyFile.name}: ${keyFile} is not the key of the certificate in ${certFile}, or has a passphrase.`,
    );
  }
  const host = first.replace("*", "www");
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const fault = await rehearseHandshake(host, { chainPem, privateKeyPem }, signal);
  if (fault !== undefined) throw new Failure("configuration", `${tlsCertFile.name}: ${fault}`);
  const presented = { id: `own ${fingerprint}`, chainPem, privateKeyPem, notAfter };
  return { presented, names, doubt: doubtOf(chain.value) };
}

function fingerprintOf(privateKeyPem: string): string | undefined {
  try {
    return keyFingerprint(privateKeyPem);
  } catch {
    // The key is unreadable.
    return undefined;
  }
}

/** Returns why some clients may not be able to verify the chain; undefined for a sound one. */
function doubtOf({ certificates, signedByNext }: ReadChain): OwnCertificateDoubt | undefined {
  if (!signedByNext.every(Boolean)) return "unlinked";
  const [{ issuer, subject }] = certificates;
  return certificates.length === 1 && issuer !== subject ? "alone" : undefined;
}

/** Returns whether a name covers the host: exactly, or as a wildcard for one label (RFC 9525 §6.3). */
export function isCovered(host: string, names: readonly string[]): boolean {
  const dot = host.indexOf(".");
  return names.includes(host) || (dot > 0 && names.includes(`*${host.slice(dot)}`));
}

/** Returns a stamp that changes with the files; empty while one is missing. */
async function stamp({ certFile, keyFile }: OwnCertificateFiles): Promise<string> {
  const stamps = [certFile, keyFile].map(async (path) => {
    const { mtimeMs, size, ino } = await stat(path);
    return `${ino} ${size} ${mtimeMs}`;
  });
  // A file is being replaced: the next check sees the new one.
  return Promise.all(stamps).then(
    (both) => both.join(", "),
    () => "",
  );
}
