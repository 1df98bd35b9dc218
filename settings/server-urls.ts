import { smtpAddressOf } from "../adapters/mail/address.ts";
import { addressOf } from "../adapters/postgres/address.ts";
import { redisAddressOf } from "../adapters/redis/address.ts";
import { done, refused } from "../lib/base/result.ts";
import { reasonOf } from "./failure.ts";
import type { Parse } from "./values.ts";

export const databaseUrl: Parse<string> = urlOf("the PostgreSQL database", addressOf);
export const redisUrl: Parse<string> = urlOf("the Redis server", redisAddressOf);
export const smtpUrl: Parse<string> = urlOf("the mail server", smtpAddressOf);

/** Parses what `check` does not reject, and returns the text itself. The error does not repeat it: it may contain a password. */
function urlOf(server: string, check: (written: string) => unknown): Parse<string> {
  const subject = `The address of ${server} `;
  return (written) => {
    try {
      check(written);
      return done(written);
    } catch (error) {
      const reason = reasonOf(error);
      return refused(
        (reason.startsWith(subject) ? reason.slice(subject.length) : reason).replace(/\.$/, ""),
      );
    }
  };
}
