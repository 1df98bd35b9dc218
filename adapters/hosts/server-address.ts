/** Reads the parts that the addresses of PostgreSQL and Redis have in common. `server` is its name in messages. */
export function addressParts(server: string): {
  /** A failure that does not repeat the address, because it contains the password. */
  readonly wrong: (reason: string) => TypeError;
  readonly decode: (text: string) => string;
  /** Splits `user:password`; a password may contain colons. */
  readonly accountOf: (text: string) => { readonly username: string; readonly password: string };
} {
  const wrong = (reason: string): TypeError =>
    new TypeError(`The address of the ${server} ${reason}.`);
  const decode = (text: string): string => {
    try {
      return decodeURIComponent(text);
    } catch {
      throw wrong("has an invalid percent-encoding");
    }
  };
  return {
    wrong,
    decode,
    accountOf: (text) => {
      const [name = "", ...secret] = text.split(":");
      return { username: decode(name), password: decode(secret.join(":")) };
    },
  };
}
