import { fromPunycode } from "./punycode.ts";

/**
 * A name in A-labels and lower case; undefined when a letter of it cannot be in one. Of plain ASCII only the case
 * changes.
 */
export function toAscii(name: string): string | undefined {
  return /^[\x21-\x7e]+$/.test(name) ? name.toLowerCase() : mapped(name);
}

/** `name`, in A-labels, as people write it; labels that are no valid IDN stay as they are. */
export function unicodeOf(name: string): string {
  const labels = name.split(".").map((label) => {
    if (!label.startsWith("xn--")) return label;
    const text = fromPunycode(label.slice(4));
    // What does not come back as the same label is nobody's way to write it.
    return text !== undefined && mapped(text) === label ? text : label;
  });
  return labels.join(".");
}

/** As UTS #46 maps it, by the one converter that every runtime has. */
function mapped(name: string): string | undefined {
  // URL would decode or drop these, or take them for the end of the name.
  if (/[\s%/\\?#@:[\]\p{Cc}\p{Cf}]/u.test(name)) return undefined;
  return URL.canParse(`http://${name}/`) ? new URL(`http://${name}/`).hostname : undefined;
}
