import type { Clock } from "../base/clock.ts";
import type { Eventual } from "../base/eventual.ts";
import type { Random } from "../base/id.ts";
import type { Log } from "../base/log.ts";
import type { Jobs } from "../jobs.ts";
import type { Store } from "../storage/store.ts";
import type { Blobs } from "./blobs.ts";
import type { Compress } from "./compress.ts";
import type { Projects } from "./projects.ts";
import type { Sites } from "./site.ts";
import type { Markdown } from "./storefront.ts";

export interface PublishingOptions {
  readonly store: Store;
  readonly blobs: Blobs;
  /** Default: files are served as they came. */
  readonly compress?: Compress;
  /** Default: paragraphs of plain text. */
  readonly markdown?: Markdown;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly log?: Log;
}

/** What the host knows of a visitor's request. */
export interface VisitContext {
  /** Which project the host leads to. */
  readonly slug: string;
  /** `https://brave-otter-1f2e.example.org`: what the visitor typed. */
  readonly origin: string;
  /** Address of a project by its slug: where a renamed one redirects to. */
  readonly addressOf: (slug: string) => string;
}

/** Projects, their deploys, and the sites made of them. Opens nothing, starts nothing. */
export interface Publishing {
  readonly projects: Projects;
  readonly sites: Sites;
  /** Answers a visitor. Never rejects and never throws. Paths that are ours on every host are not asked here. */
  visit(request: Request, context: VisitContext): Eventual<Response>;
  /** Learns what other processes changed, ends interrupted deploys, removes old ones and blobs that nobody needs. */
  readonly jobs: Jobs;
  close(): Promise<void>;
}
