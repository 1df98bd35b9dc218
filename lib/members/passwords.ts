/**
 * Hashing of passwords: slow and hungry on purpose, and so a matter of the runtime. What every adapter must promise:
 *
 * - `hash` makes another text each time, and it holds all that `verify` needs.
 * - `verify` is true for the password that was hashed and false for any other. Without a hash it is false, and costs
 *   as much time and memory as with one: nobody learns from it who is a member.
 */
export interface Passwords {
  hash(password: string): Promise<string>;
  verify(hash: string | undefined, password: string): Promise<boolean>;
}
