import { done, refused } from "../lib/base/result.ts";
import { quoted, type Parse } from "./values.ts";

/** An address that a path can be put behind, without a slash at its end: `https://pets.example.org`. */
export const serverAddress: Parse<string> = (written) => {
  const url = URL.canParse(written) ? new URL(written) : undefined;
  const { protocol, origin, pathname, search, hash, username, password } = url ?? NOWHERE;
  const plain = search === "" && hash === "" && username === "" && password === "";
  return /^https?:$/.test(protocol) && plain
    ? done(origin + pathname.replace(/\/+$/, ""))
    : refused(`must be an address such as https://pets.example.org, not ${quoted(written)}`);
};

const NOWHERE = new URL("about:blank");
