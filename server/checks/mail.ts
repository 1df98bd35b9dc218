import { HOUR_MS } from "../../lib/base/clock.ts";
import type { DatabaseReader } from "../data/database.ts";
import { mailAccess } from "../mail.ts";
import { fail, ok, skip, warn, type Check } from "./check.ts";

/** Connects to the mail server and signs in, and sends nothing. Warns of mails that wait although it answers. */
export const mailServerAnswers: Check = async ({ settings, signal, runtime, database }) => {
  const access = mailAccess(settings);
  if (access === undefined) return skip("mail_off", {});
  const { server, isLocal, mailer } = access;
  const state = await mailer.check(signal);
  if (!state.reached) return fail("mail_failed", { server, fault: state.fault, said: state.said });
  const late = await lateMails(await database(), runtime.clock.now() - LATE_MS);
  if (late !== undefined) return warn("mail_late", { server, ...late });
  const { encrypted, signedIn } = state;
  return encrypted || isLocal
    ? ok("mail_sound", { server, encrypted, signedIn })
    : warn("mail_unencrypted", { server });
};

/** Longer than the first attempts take, with which a server that does not know us is satisfied. */
const LATE_MS: number = HOUR_MS;

const LATE = `SELECT COUNT(*) AS waiting, MIN(created_at) AS since FROM mail_queue
  WHERE next_at IS NOT NULL AND created_at < ?`;

/** Returns how many mails were queued before an instant and still wait, and since when; undefined for none. */
async function lateMails(
  { found, has, query }: DatabaseReader,
  before: number,
): Promise<{ readonly waiting: number; readonly since: number } | undefined> {
  if (found !== "ours" || !(await has("mail_queue"))) return undefined;
  const [row] = await query(LATE, before);
  const waiting = Number(row?.["waiting"] ?? 0);
  return waiting === 0 ? undefined : { waiting, since: Number(row?.["since"]) };
}
