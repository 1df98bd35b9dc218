import { createPrivateKey, X509Certificate } from "node:crypto";
import { stat } from "node:fs/promises";

import { inspectChain, type Presented } from "../domains/index.ts";
import { isoTime } from "../lib/base/clock.ts";
import type { Clock, Log } from "../lib/index.ts";
import { readOption } from "./authority.ts";
import { Failure, reasonOf } from "../settings/failure.ts";
import { options } from "../settings/options.ts";

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

interface Read {
  readonly presented: Presented;
  readonly names: readonly string[];
}

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
  const closing = new AbortController();

  const reload = async (): Promise<void> => {
    const found = await stamp(files);
    if (found === seen) return;
    seen = found;
    try {
      current = await readOwnCertificate(files);
      const until = isoTime(current.presented.notAfter);
      log.info("reloaded the certificate", { file: files.certFile, until });
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

/** Reads the files. Fails with the name of the option at fault. */
export async function readOwnCertificate({
  certFile,
  keyFile,
}: OwnCertificateFiles): Promise<Read> {
  const { tlsCertFile, tlsKeyFile } = options;
  const chainPem = await readOption(certFile, tlsCertFile.name);
  const privateKeyPem = await readOption(keyFile, tlsKeyFile.name);
  const leaf = inspectChain(chainPem)?.certificates[0];
  if (leaf === undefined) {
    throw new Failure(
      "configuration",
      `${tlsCertFile.name}: ${certFile} contains no certificate (PEM).`,
    );
  }
  if (leaf.names.length === 0) {
    throw new Failure("configuration", `${tlsCertFile.name}: ${certFile} names no host.`);
  }
  if (!belongs(chainPem, privateKeyPem)) {
    throw new Failure(
      "configuration",
      `${tlsKeyFile.name}: ${keyFile} is not the key of the certificate in ${certFile}, or has a passphrase.`,
    );
  }
  const { fingerprint, notAfter, names } = leaf;
  return { presented: { id: `own ${fingerprint}`, chainPem, privateKeyPem, notAfter }, names };
}

function belongs(chainPem: string, privateKeyPem: string): boolean {
  try {
    return new X509Certificate(chainPem).checkPrivateKey(createPrivateKey(privateKeyPem));
  } catch {
    // The key is unreadable.
    return false;
  }
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
