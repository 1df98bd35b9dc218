import { invalid, quoted } from "../archive/refused.ts";
import { foldedPath } from "../model/site-path.ts";

/** The paths of a site as they come, so that no two of them can be taken for one. */
export interface SiteNames {
  /** Refuses a path that is there, but for upper and lower case, or that is a directory. */
  addFile(path: string): void;
  /** Refuses a path that is a file, or lies below one. */
  addDirectory(path: string): void;
}

interface Taken {
  readonly kind: "file" | "directory";
  readonly path: string;
}

export function siteNames(): SiteNames {
  /** By folded path, the directories on the way to a file too. */
  const taken = new Map<string, Taken>();

  const addDirectory = (path: string): void => {
    const folded = foldedPath(path);
    for (let end = folded.length; end > 0; end = folded.lastIndexOf("/", end - 1)) {
      const place = folded.slice(0, end);
      const before = taken.get(place);
      // Whoever added it has added all above it.
      if (before?.kind === "directory") return;
      if (before !== undefined) {
        throw invalid(`${quoted(before.path)} is a file, and a directory in ${quoted(path)}.`);
      }
      taken.set(place, { kind: "directory", path });
    }
  };

  return {
    addDirectory,
    addFile: (path) => {
      const folded = foldedPath(path);
      const before = taken.get(folded);
      if (before?.path === path && before.kind === "file") {
        throw invalid(`${quoted(path)} is there twice.`);
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
      taken.set(folded, { kind: "file", path });
    },
  };
}
