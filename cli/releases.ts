import { SECOND_MS } from "../lib/base/clock.ts";
import { codeOf, Failure, reasonOf } from "../settings/failure.ts";

/** The newest release, as its feed names it. */
export interface Release {
  readonly version: string;
  /** `2026-11-26` */
  readonly date: string;
  /** Where people read about it. */
  readonly url?: string;
}

/** The longest that a feed may take. */
const LONGEST_MS: number = 10 * SECOND_MS;
/** The most bytes of a feed that are read. */
const MOST_BYTES = 65_536;

/**
 * Asks for the newest release: one GET, which names nothing of this installation and follows no redirect. The answer decides
 * only what is printed: it is no update, and needs no signature.
 */
export async function newestRelease(url: string, longestMs = LONGEST_MS): Promise<Release> {
  const text = await textAt(url, longestMs);
  const release = releaseIn(text);
  if (release !== undefined) return release;
  throw new Failure(
    "failed",
    `${url} did not answer with a release, such as {"version":"1.2.3","date":"2026-11-26"}. Check releases-url.`,
  );
}

async function textAt(url: string, longestMs: number): Promise<string> {
  const signal = AbortSignal.timeout(longestMs);
  try {
    const response = await fetch(url, {
      redirect: "manual",
      signal,
      headers: { accept: "application/json" },
    });
    const { status, headers } = response;
    if (status >= 300 && status < 400) {
      const to = headers.get("location");
      throw new Failure(
        "failed",
        `${url} redirects${to === null ? "" : ` to ${JSON.stringify(to)}`}. Set releases-url to the final address.`,
      );
    }
    if (status !== 200) {
      const later = status >= 500 || status === 429;
      throw new Failure(
        later ? "tryLater" : "failed",
        `${url} returned HTTP ${status}. ${later ? "Try again later." : "Check releases-url."}`,
      );
    }
    return await textOf(response, url);
  } catch (error) {
    if (error instanceof Failure) throw error;
    const reason = signal.aborted
      ? `it did not answer within ${longestMs / SECOND_MS} seconds`
      : (codeOf(error) ?? reasonOf(error)).replace(/\.$/, "");
    throw new Failure("tryLater", `Cannot read ${url}: ${reason}. Try again later.`, {
      cause: error,
    });
  }
}

async function textOf({ body }: Response, url: string): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  if (body === null) return "";
  for await (const part of body) {
    bytes += part.length;
    if (bytes > MOST_BYTES) {
      throw new Failure("failed", `${url} sent more than ${MOST_BYTES} bytes. Check releases-url.`);
    }
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

const VERSION = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?:-([\da-z][\da-z.-]{0,63}))?$/i;

function releaseIn(text: string): Release | undefined {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof read !== "object" || read === null) return undefined;
  const { version, date, url }: { version?: unknown; date?: unknown; url?: unknown } = read;
  if (typeof version !== "string" || !VERSION.test(version)) return undefined;
  if (typeof date !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(date)) return undefined;
  if (url === undefined) return { version, date };
  // Without characters that a terminal could obey.
  const plain = typeof url === "string" && /^https?:\/\/[\x21-\x7e]{1,500}$/.test(url);
  return plain ? { version, date, url } : undefined;
}

/** Compares versions (semver.org, 11): `1.10.0` is newer than `1.9.0`, which is newer than `1.9.0-rc.1`. */
export function isNewer(version: string, than: string): boolean {
  const [, ...parts] = VERSION.exec(version) ?? [];
  const [, ...others] = VERSION.exec(than) ?? [];
  for (const index of [0, 1, 2]) {
    const difference = Number(parts[index]) - Number(others[index]);
    if (difference !== 0) return difference > 0;
  }
  const [before, beforeOther] = [parts[3], others[3]];
  if (before === undefined) return beforeOther !== undefined;
  if (beforeOther === undefined) return false;
  return comparePre(before.split("."), beforeOther.split(".")) > 0;
}

function comparePre(these: readonly string[], those: readonly string[]): number {
  for (const [index, part] of these.entries()) {
    const other = those[index];
    if (other === undefined) return 1;
    if (part === other) continue;
    const [a, b] = [part, other].map((one) => (/^\d+$/.test(one) ? Number(one) : undefined));
    if (a !== undefined && b !== undefined) return a - b;
    if (a !== undefined) return -1;
    return b !== undefined || part > other ? 1 : -1;
  }
  return these.length - those.length;
}
