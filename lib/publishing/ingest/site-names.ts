import { invalid, quoted } from "../archive/refused.ts";
import { foldedPath } from "../model/site-path.ts";

/** Collects the paths of a site and refuses ambiguous ones. */
export interface SiteNames {
  /** Refuses a path that exists already, ignoring case, or is a directory. */
  addFile(path: string): void;
  /** Refuses a path that is a file or lies below one. */
  addDirectory(path: string): void;
}

interface Place {
  readonly kind: "file" | "directory";
  readonly path: string;
}

export function siteNames(): SiteNames {
  /** The places by folded path, including the parent directories of files. */
  const places = new Map<string, Place>();

  const addDirectory = (path: string): void => {
    const folded = foldedPath(path);
    for (let end = folded.length; end > 0; end = folded.lastIndexOf("/", end - 1)) {
      const place = folded.slice(0, end);
      const before = places.get(place);
      // Its parents were added with it.
      if (before?.kind === "directory") return;
      if (before !== undefined) {
        throw invalid(`${quoted(before.path)} is a file, and a directory in ${quoted(path)}.`);
      }
      places.set(place, { kind: "directory", path });
    }
  };

  return {
    addDirectory,
    addFile: (path) => {
      const folded = foldedPath(path);
      const before = places.get(folded);
      if (before?.path === path && before.kind === "file") {
        throw invalid(`${quoted(path)} appears twice.`);
      }
      if (before?.kind === "directory") {
        throw invalid(`${quoted(path)} is a file, and a directory in ${quoted(before.path)}.`);
      }
      if (before !== undefined) {
        throw invalid(
          `${quoted(path)} and ${quoted(before.path)} differ by upper and lower case alone.`,
        );
      }
      const above = folded.lastIndexOf("/");
      if (above > 0) addDirectory(path.slice(0, path.lastIndexOf("/")));
      places.set(folded, { kind: "file", path });
    },
  };
}
