import type { Clock } from "../base/clock.ts";
import type { Digest } from "../base/digest.ts";
import type { Eventual } from "../base/eventual.ts";
import type { Random } from "../base/id.ts";
import type { Sessions } from "../management/sessions.ts";
import type { Store } from "../storage/store.ts";
import type { Attempts } from "./attempts.ts";
import type { BoundedPasswords } from "./bounded-passwords.ts";
import type { Challenges } from "./challenges.ts";
import type { LeakedPasswords } from "./leaked-passwords.ts";
import type { MemberStore } from "./member-store.ts";
import type { Passkeys } from "./passkeys.ts";
import type { Presence } from "./presence.ts";

/** What the actions of members work with. */
export interface MemberContext {
  readonly store: Pick<Store, "accounts">;
  readonly memberStore: MemberStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly digest: Digest;
  /** Key of the HMAC under which secrets are stored; kept outside the database. */
  readonly pepper: () => Eventual<Uint8Array>;
  readonly passwords: BoundedPasswords;
  /** Undefined: new ones are judged by the rule alone. */
  readonly leaked: LeakedPasswords | undefined;
  /** Undefined where there are none. */
  readonly passkeys: Passkeys | undefined;
  readonly challenges: Challenges;
  readonly attempts: Attempts;
  readonly presence: Presence;
  /** Whose a cookie is. */
  readonly sessions: Pick<Sessions, "identify">;
  /** Drops what this process remembers of a member's sessions. */
  readonly forget: (memberId: string) => void;
  /** Address of the page behind a link to a new password: `https://pets.example.org/reset`. */
  readonly resetAddress: string;
}
