import { parseAddress } from "../../lib/model/client-address.ts";
import { unicodeOf } from "./idna.ts";

/** Why a name cannot be a custom domain. The message is for people and says what to enter. */
export interface HostnameFault {
  readonly code:
    | "empty"
    | "has_scheme"
    | "has_path"
    | "has_port"
    | "has_user"
    | "ip_address"
    | "wildcard"
    | "invalid_character"
    | "invalid_label"
    | "too_long"
    | "single_label"
    | "public_suffix"
    | "special_use"
    | "own_domain";
  readonly message: string;
}

const MAX_NAME = 253;
const MAX_LABEL = 63;
/** Longest part of the input that is repeated. */
const MAX_REPEATED = 80;

export const IP_FAULT: HostnameFault = {
  code: "ip_address",
  message: "This is an IP address. Enter a domain, for example pets.shelter.org.",
};

export const LENGTH_FAULT: HostnameFault = {
  code: "too_long",
  message: `A domain is at most ${MAX_NAME} characters long.`,
};

/** Explains a pasted URL, path, port or mail address, with the name to enter instead. */
export function faultOfPaste(entered: string): HostnameFault | undefined {
  if (parseAddress(entered.replace(/^\[|\]$/g, "")) !== undefined) return IP_FAULT;
  const scheme = /^[a-z][a-z\d+.-]*:\/\/|^\/\//i.exec(entered)?.[0] ?? "";
  const authority = /^[^/?#\\]*/.exec(entered.slice(scheme.length))?.[0] ?? "";
  const name = authority.replace(/^.*@/, "").replace(/:\d*$/, "");
  const short = name.length > MAX_REPEATED ? `${name.slice(0, MAX_REPEATED)}…` : name;
  const instead = `Enter only the name${name === "" ? "" : `: ${short}`}.`;
  if (scheme !== "") return { code: "has_scheme", message: `This is a URL. ${instead}` };
  if (authority !== entered) {
    return { code: "has_path", message: `A domain has no path. ${instead}` };
  }
  if (authority.includes("@")) {
    return { code: "has_user", message: `This looks like an email address. ${instead}` };
  }
  return authority.includes(":")
    ? { code: "has_port", message: `A domain has no port. ${instead}` }
    : undefined;
}

/** Returns what is malformed in `name`, which is in lower case. */
export function faultOfForm(name: string): HostnameFault | undefined {
  if (name === "*" || name.startsWith("*.")) {
    return {
      code: "wildcard",
      message: "Wildcards are not supported. Add each name separately.",
    };
  }
  if (parseAddress(name) !== undefined) return IP_FAULT;
  const labels = name.split(".");
  const wrong = labels.find((label) => !isLabel(label));
  if (wrong !== undefined) return faultOfLabel(wrong);
  if (name.length > MAX_NAME) return LENGTH_FAULT;
  if (labels.length < 2) {
    const message = `"${name}" is a single word. Enter a full domain, for example pets.shelter.org.`;
    return { code: "single_label", message };
  }
  // Browsers treat a name that ends in a number as an IP address (WHATWG URL §3.5).
  return /^(\d+|0x[\da-f]*)$/.test(labels.at(-1) ?? "") ? IP_FAULT : undefined;
}

/** Letters, digits and hyphens, at most 63, no hyphen at the ends (RFC 5890 §2.3.1). */
function isLabel(label: string): boolean {
  if (label.length > MAX_LABEL || !/^[a-z\d]([a-z\d-]*[a-z\d])?$/.test(label)) return false;
  // "--" in third place is reserved for encodings, of which there is one (RFC 5891 §4.2.3.1).
  if (label.slice(2, 4) !== "--") return true;
  return label.startsWith("xn--") && unicodeOf(label) !== label;
}

function faultOfLabel(label: string): HostnameFault {
  const odd = /[^a-z\d-]/u.exec(label)?.[0];
  if (odd !== undefined) {
    return { code: "invalid_character", message: `"${odd}" is not allowed in a domain.` };
  }
  if (label === "") {
    return { code: "invalid_label", message: "A part between two dots is empty." };
  }
  const message =
    label.length > MAX_LABEL
      ? `A part of the name is longer than ${MAX_LABEL} characters.`
      : `"${label}" is not allowed in a domain: hyphens must be between letters or digits, and "xn--" must be followed by Punycode.`;
  return { code: "invalid_label", message };
}
