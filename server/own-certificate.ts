import { createPrivateKey, X509Certificate } from "node:crypto";
import { stat } from "node:fs/promises";

import { inspectChain, type Presented } from "../domains/index.ts";
import { isoTime } from "../lib/base/clock.ts";
import type { Clock, Log } from "../lib/index.ts";
import { readOption } from "./authority.ts";
import { Failure, reasonOf } from "../settings/failure.ts";
import { options } from "../settings/options.ts";

/** The operator's own certificate, as it stands in its files. */
export interface OwnCertificate {
  /** Undefined for a host that it does not cover. */
  presentedFor(host: string): Presented | undefined;
  readonly notAfter: number;
  /** No longer looks whether the files change. */
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

/** Who renews it replaces two files: seen that much later. */
const LOOK_EVERY_MS = 5_000;

/**
 * Opens the files and looks at them from time to time. What cannot be used is refused at the start; later it is logged,
 * and what was there is presented on.
 */
export async function openOwnCertificate(
  files: OwnCertificateFiles,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<OwnCertificate> {
  let seen = await stamp(files);
  let current = await readOwnCertificate(files);
  const closing = new AbortController();

  const look = async (): Promise<void> => {
    const found = await stamp(files);
    if (found === seen) return;
    seen = found;
    try {
      current = await readOwnCertificate(files);
      const until = isoTime(current.presented.notAfter);
      log.info("the certificate was read again", { file: files.certFile, until });
    } catch (error) {
      const reason = error instanceof Failure ? error.message : reasonOf(error);
      log.warn("the changed certificate cannot be used; the one before it is presented on", {
        reason,
      });
    }
  };

  const watch = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      const slept = await clock.sleep(LOOK_EVERY_MS, closing.signal).then(
        () => true,
        () => false,
      );
      if (slept) await look();
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

/** What is in the files now. Fails with the name of the option at fault. */
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
      `${tlsCertFile.name}: ${certFile} holds no certificate (PEM).`,
    );
  }
  if (leaf.names.length === 0) {
    throw new Failure("configuration", `${tlsCertFile.name}: ${certFile} is for no name.`);
  }
  if (!belongs(chainPem, privateKeyPem)) {
    throw new Failure(
      "configuration",
      `${tlsKeyFile.name}: ${keyFile} is not the key of the certificate in ${certFile}, or has a password.`,
    );
  }
  const { fingerprint, notAfter, names } = leaf;
  return { presented: { id: `own ${fingerprint}`, chainPem, privateKeyPem, notAfter }, names };
}

function belongs(chainPem: string, privateKeyPem: string): boolean {
  try {
    return new X509Certificate(chainPem).checkPrivateKey(createPrivateKey(privateKeyPem));
  } catch {
    // The key cannot be read, whatever it is.
    return false;
  }
}

/** Exactly, or by a wildcard for one label (RFC 9525 §6.3). */
export function isCovered(host: string, names: readonly string[]): boolean {
  const dot = host.indexOf(".");
  return names.includes(host) || (dot > 0 && names.includes(`*${host.slice(dot)}`));
}

/** Changes when a file is written or replaced; empty while one is missing. */
async function stamp({ certFile, keyFile }: OwnCertificateFiles): Promise<string> {
  const stamps = [certFile, keyFile].map(async (path) => {
    const { mtimeMs, size, ino } = await stat(path);
    return `${ino} ${size} ${mtimeMs}`;
  });
  // In the middle of being replaced: the next look sees what came.
  return Promise.all(stamps).then(
    (both) => both.join(", "),
    () => "",
  );
}
