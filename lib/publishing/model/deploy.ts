import type { Problem } from "../../base/problem.ts";
import type { SiteFile } from "./site-file.ts";
import { MINUTE_MS, SECOND_MS } from "../../base/clock.ts";

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

/** How often a deploy that is being made gives a sign of life. */
export const TOUCH_EVERY_MS: number = 15 * SECOND_MS;

/** One that was silent for so long was interrupted. */
export const INTERRUPTED_AFTER_MS: number = MINUTE_MS;

/** Longer than that nobody may take to send one. Well below the age at which blobs that nobody needs are removed. */
export const MAX_MAKING_MS: number = 30 * MINUTE_MS;

/** Being made at the same time, of one project. */
export const MAX_MAKING_OF_PROJECT = 3;

/** Being made at the same time by one process. */
export const MAX_MAKING_OF_PROCESS = 20;

const next: Readonly<Record<DeployState, readonly DeployState[]>> = {
  uploading: ["processing", "failed"],
  processing: ["ready", "failed"],
  ready: ["live"],
  live: ["superseded"],
  superseded: ["live"],
  failed: [],
};

/** Whether a deploy may go from one state to the other. */
export function canBecome(from: DeployState, to: DeployState): boolean {
  return next[from].includes(to);
}

/** All of it is there: it is live, was live, or could be. */
export function isWhole(state: DeployState): boolean {
  return state === "ready" || state === "live" || state === "superseded";
}

/** It is being made. */
export function isMaking(state: DeployState): boolean {
  return state === "uploading" || state === "processing";
}

/** So many finished deploys of a project are kept, failed ones included. */
export const KEPT_DEPLOYS = 20;

/** Pinned ones are kept besides; of a project at most so many. */
export const MAX_PINNED = 20;

/** Which of a project's deploys, newest first, go: what is live, pinned or still being made stays however old it is. */
export function surplusDeploys(deploys: readonly Deploy[]): readonly Deploy[] {
  return deploys
    .filter(({ state }) => !isMaking(state))
    .slice(KEPT_DEPLOYS)
    .filter(({ state, pinned }) => state !== "live" && !pinned);
}

/** The blobs that a deploy consists of, each once, however many files have that content. */
export function blobNames({ files }: Manifest): readonly string[] {
  const all = files.flatMap(({ sha256, encodings }) => [
    sha256,
    ...encodings.map((encoded) => encoded.sha256),
  ]);
  return [...new Set(all)];
}
