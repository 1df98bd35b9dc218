import { MINUTE_MS, SECOND_MS } from "../../base/clock.ts";
import type { Problem } from "../../base/problem.ts";
import type { DeployState } from "../../model/deploy-states.ts";
import type { SiteFile } from "./site-file.ts";

/** An immutable version of a project's site. Instants are in milliseconds since the Unix epoch. */
export interface Deploy {
  /** 20 characters of `a-z0-9`, the first a letter: unguessable, and fit to be part of a host name. */
  readonly id: string;
  readonly projectId: string;
  readonly state: DeployState;
  readonly source: "archive" | "starter";
  /** The author's description of the change, at most 200 code points. */
  readonly message?: string;
  /** The name of the token or person that sent it. */
  readonly author: string;
  /** Number of files, including `petstore.site.json`. 0 until the deploy is ready. */
  readonly files: number;
  /** Total uncompressed size of the files. */
  readonly bytes: number;
  /** True if retention never removes it. */
  readonly pinned: boolean;
  /** The reason for its failure. */
  readonly failure?: Problem;
  readonly createdAt: number;
  /** Last sign of activity while unfinished. An old one means that the deploy was interrupted. */
  readonly touchedAt: number;
  readonly readyAt?: number;
  /** When it last became live. */
  readonly activatedAt?: number;
  readonly supersededAt?: number;
}

/** The contents of a deploy. */
export interface Manifest {
  /** The files by path, each once. */
  readonly files: readonly ManifestFile[];
  /** The contents of `petstore.site.json`; empty without one. */
  readonly site: SiteFile;
}

/** A file of a deploy. */
export interface ManifestFile {
  /** Absolute, decoded, NFC: `/animals/7/photo.jpg`. */
  readonly path: string;
  /** Hex; names the blob. */
  readonly sha256: string;
  /** The size in bytes. */
  readonly size: number;
  /** Media type, with charset for text. */
  readonly type: string;
  /** The name contains a hash of the content, so clients may cache the file forever. */
  readonly immutable: boolean;
  /** Compressed at ingest, where that saves enough. */
  readonly encodings: readonly EncodedFile[];
  /** Set for an animal's description that is not UTF-8, which the storefront cannot show. */
  readonly notUtf8?: boolean;
}

/** A compressed copy of a file, in its own blob. */
export interface EncodedFile {
  readonly encoding: "br" | "gzip";
  readonly sha256: string;
  /** The size in bytes. */
  readonly size: number;
}

/** The progress of a deploy. */
export interface DeployProgress {
  readonly deployId: string;
  readonly state: DeployState;
  readonly files: number;
  readonly bytes: number;
}

/** How often an unfinished deploy is touched. */
export const TOUCH_EVERY_MS: number = 15 * SECOND_MS;

/** An unfinished deploy that was not touched for this long counts as interrupted. */
export const INTERRUPTED_AFTER_MS: number = MINUTE_MS;

/** The longest that an upload may take. Well below the age at which unused blobs are removed. */
export const MAX_UNFINISHED_MS: number = 30 * MINUTE_MS;

/** The most unfinished deploys of a project. */
export const MAX_UNFINISHED_OF_PROJECT = 3;

/** The most unfinished deploys of a process. */
export const MAX_UNFINISHED_OF_PROCESS = 20;

const next: Readonly<Record<DeployState, readonly DeployState[]>> = {
  uploading: ["processing", "failed"],
  processing: ["ready", "failed"],
  ready: ["live"],
  live: ["superseded"],
  superseded: ["live"],
  failed: [],
};

/** Returns whether a deploy may change from one state to the other. */
export function canBecome(from: DeployState, to: DeployState): boolean {
  return next[from].includes(to);
}

/** Returns whether a deploy is complete: live, formerly live, or ready to go live. */
export function isWhole(state: DeployState): boolean {
  return state === "ready" || state === "live" || state === "superseded";
}

/** Returns whether a deploy is in progress. */
export function isUnfinished(state: DeployState): boolean {
  return state === "uploading" || state === "processing";
}

/** Finished deploys kept per project, including failed ones. */
export const KEPT_DEPLOYS = 20;

/** Pinned deploys kept per project, in addition. */
export const MAX_PINNED = 20;

/** Selects the deploys to remove from a project's deploys, newest first. Live, pinned and unfinished ones stay. */
export function surplusDeploys(deploys: readonly Deploy[]): readonly Deploy[] {
  return deploys
    .filter(({ state }) => !isUnfinished(state))
    .slice(KEPT_DEPLOYS)
    .filter(({ state, pinned }) => state !== "live" && !pinned);
}

/** Returns the names of a deploy's blobs, each once. */
export function blobNames({ files }: Manifest): readonly string[] {
  const all = files.flatMap(({ sha256, encodings }) => [
    sha256,
    ...encodings.map((encoded) => encoded.sha256),
  ]);
  return [...new Set(all)];
}
