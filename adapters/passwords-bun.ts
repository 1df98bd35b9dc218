import type { Passwords } from "../lib/members/passwords.ts";

/** One of OWASP's recommended settings: 19 MiB, two passes, one lane. */
const ARGON2 = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/** The hash of a discarded random text with the same settings, compared if there is no hash. */
const DECOY =
  "$argon2id$v=19$m=19456,t=2,p=1$Hoteqw37UMlbGlTnE6A24Hr/Xvgg18lqJvX+K597pso$45GR+uHpYnYk9ZdKv78z/wbGt44dk0ofxBNwsuotpBQ";

/** Hashes with Bun's Argon2id, off the main thread. */
export const bunPasswords: Passwords = {
  hash: (password) => Bun.password.hash(password, ARGON2),
  verify: async (hash, password) => {
    const right = await Bun.password.verify(password, hash ?? DECOY);
    return right && hash !== undefined;
  },
};
