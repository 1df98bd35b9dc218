import { domainToUnicode } from "node:url";

/** Returns a name in A-labels and lower case, or undefined if a character is not allowed in a host name. */
export function toAscii(name: string): string | undefined {
  return /^[\x21-\x7e]+$/.test(name) ? name.toLowerCase() : mapped(name);
}

/** Returns the Unicode form of a name in A-labels. Labels that are not a valid IDN stay as they are. */
export function unicodeOf(name: string): string {
  const labels = name.split(".").map((label) => {
    if (!label.startsWith("xn--")) return label;
    const text = domainToUnicode(label);
    return mapped(text) === label ? text : label;
  });
  return labels.join(".");
}

/** Maps a name as UTS #46 does, with the converter that every runtime has. */
function mapped(name: string): string | undefined {
  // URL would decode or drop these characters, or end the host at them.
  if (/[\s%/\\?#@:[\]\p{Cc}\p{Cf}]/u.test(name)) return undefined;
  return URL.canParse(`http://${name}/`) ? new URL(`http://${name}/`).hostname : undefined;
}
