import type { Clock } from "../base/clock.ts";
import type { Digest } from "../base/digest.ts";
import type { Eventual } from "../base/eventual.ts";
import type { Random } from "../base/id.ts";
import type { Mail } from "../mail/mail.ts";
import type { Sessions } from "../management/sessions.ts";
import type { Store } from "../storage/store.ts";
import type { Attempts } from "./attempts.ts";
import type { BoundedPasswords, LeakedPasswords } from "./passwords.ts";
import type { Challenges } from "./challenges.ts";
import type { CommitMembers, MemberStore } from "./member-store.ts";
import type { Devices } from "./devices.ts";
import type { Passkeys } from "./passkeys.ts";
import type { Presence } from "./presence.ts";

/** The dependencies of the members' actions. */
export interface MemberContext {
  readonly store: Pick<Store, "accounts">;
  readonly memberStore: Omit<MemberStore, "commit">;
  /** Commits as the actor of the call. */
  readonly commit: CommitMembers;
  readonly clock: Clock;
  readonly random: Random;
  readonly digest: Digest;
  /** Returns the HMAC key under which secrets are stored. Kept outside the database. */
  readonly pepper: () => Eventual<Uint8Array>;
  readonly passwords: BoundedPasswords;
  /** If undefined, only the password rule applies. */
  readonly leaked: LeakedPasswords | undefined;
  /** Undefined if passkeys are not offered. */
  readonly passkeys: Passkeys | undefined;
  readonly challenges: Challenges;
  readonly attempts: Attempts;
  readonly presence: Presence;
  readonly devices: Devices;
  readonly sessions: Pick<Sessions, "identify">;
  /** Drops a member's sessions from this process's cache. */
  readonly forget: (memberId: string) => void;
  readonly mail: Mail;
  /**
   * Begins work that no response waits for, so that the time of the response says nothing about its result. Returns false,
   * and does not begin it, if too much of it is under way.
   */
  readonly inBackground: (work: () => Promise<void>) => boolean;
  /**
   * Records for the audit log that a sign-in was refused: to a member, or with an unknown email address. Does so in
   * the background, and only so often in an hour.
   */
  readonly recordRefusal: (memberId: string | undefined) => void;
  /** The address of the page that reset links open: `https://pets.example.org/reset`. */
  readonly resetAddress: string;
}
