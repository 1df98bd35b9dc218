import { mailAccess } from "../mail.ts";
import { fail, ok, skip, warn, type Check } from "./check.ts";

/** Connects to the mail server and signs in, and sends nothing. */
export const mailServerAnswers: Check = async ({ settings, signal }) => {
  const access = mailAccess(settings);
  if (access === undefined) return skip("mail_off", {});
  const { server, isLocal, mailer } = access;
  const state = await mailer.check(signal);
  if (!state.reached) return fail("mail_failed", { server, fault: state.fault, said: state.said });
  const { encrypted, signedIn } = state;
  return encrypted || isLocal
    ? ok("mail_sound", { server, encrypted, signedIn })
    : warn("mail_unencrypted", { server });
};
