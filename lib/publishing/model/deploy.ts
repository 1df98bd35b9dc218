import type { Problem } from "../../base/problem.ts";
import type { SiteFile } from "./site-file.ts";

export const deployStates = [
  "uploading",
  "processing",
  "ready",
  "live",
  "superseded",
  "failed",
] as const;
export type DeployState = (typeof deployStates)[number];

/** An immutable version of a project's site. */
export interface Deploy {
  /** 20 characters of `a-z0-9`, the first a letter: unguessable, and fit to be part of a host name. */
  readonly id: string;
  readonly projectId: string;
  readonly state: DeployState;
  readonly source: "archive" | "starter";
  /** What changed, in the words of whoever sent it; at most 200 code points. */
  readonly message?: string;
  /** Who sent it, as a token's or person's name. */
  readonly author: string;
  /** Files of the site, `petstore.site.json` included. 0 until it is ready. */
  readonly files: number;
  /** Their sizes together, uncompressed. */
  readonly bytes: number;
  /** Never removed by retention. */
  readonly pinned: boolean;
  /** Why it failed. */
  readonly failure?: Problem;
  readonly createdAt: number;
  /** Last sign of life while it is being made: one that is silent for long was interrupted. */
  readonly touchedAt: number;
  readonly readyAt?: number;
  /** When it last became live. */
  readonly activatedAt?: number;
  readonly supersededAt?: number;
}

/** What a deploy consists of. */
export interface Manifest {
  /** By path, each once. */
  readonly files: readonly ManifestFile[];
  /** What `petstore.site.json` says; empty where there is none. */
  readonly site: SiteFile;
}

export interface ManifestFile {
  /** Absolute, decoded, NFC: `/animals/7/photo.jpg`. */
  readonly path: string;
  /** Hex; names the blob. */
  readonly sha256: string;
  readonly size: number;
  /** Media type, with charset for text. */
  readonly type: string;
  /** The name holds a hash of the content, so that it may be kept for ever. */
  readonly immutable: boolean;
  /** Made when it was taken in, where that was worth it. */
  readonly encodings: readonly EncodedFile[];
}

/** The same file, compressed: a blob of its own. */
export interface EncodedFile {
  readonly encoding: "br" | "gzip";
  readonly sha256: string;
  readonly size: number;
}

/** How far a deploy has come, told while it is being made. */
export interface DeployProgress {
  readonly deployId: string;
  readonly state: DeployState;
  readonly files: number;
  readonly bytes: number;
}
