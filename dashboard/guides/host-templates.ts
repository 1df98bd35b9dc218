import type { GuideHost } from "./host.ts";

/**
 * A page that tells addresses of its host, filled in anew for each: anybody can call us by any number of names, and to
 * write a whole page costs as much as a hundred requests of the API.
 */
export function hostTemplates(write: (host: GuideHost) => string): (host: GuideHost) => string {
  const templates = new Map<string, readonly string[]>();
  return (host) => {
    const key = `${host.dashboard} ${MARKS.map((name) => markOf(name, host)).join(" ")}`;
    let pieces = templates.get(key);
    if (pieces === undefined) {
      const marked = Object.fromEntries(MARKS.map((name) => [name, markOf(name, host)]));
      pieces = write({ ...host, ...marked }).split(MARK);
      templates.set(key, pieces);
    }
    // Between any two pieces stands the name of what goes there.
    return pieces.map((piece, index) => (index % 2 === 0 ? piece : valueOf(piece, host))).join("");
  };
}

const MARKS = ["origin", "production", "staging", "help"] as const;
const MARK = /http:\/\/\[?(origin|production|staging|help)\.mark\]?/;

/** Brackets stay, for shells want them in quotes. */
function markOf(name: (typeof MARKS)[number], host: GuideHost): string {
  return host[name].includes("[") ? `http://[${name}.mark]` : `http://${name}.mark`;
}

function valueOf(piece: string, host: GuideHost): string {
  return MARKS.map((name) => (name === piece ? host[name] : "")).join("");
}
