import { everyOrigin } from "../http/cors.ts";
import { createClosing } from "../base/closing.ts";
import { SECOND_MS, systemClock, type Clock } from "../base/clock.ts";
import type { Eventual } from "../base/eventual.ts";
import { systemRandom, type Random } from "../base/id.ts";
import { isolatedLog } from "../base/hook.ts";
import type { Log } from "../base/log.ts";
import type { TakeTurn } from "../base/rounds.ts";
import {
  aBoolean,
  aCount,
  aFunction,
  aStore,
  aText,
  checkOptions,
  having,
  listOf,
  optional,
  serviceOptions,
} from "../base/options.ts";
import type { StoredPet } from "../catalogue/model.ts";
import { bodyReader } from "../http/body.ts";
import type { Jobs } from "../jobs.ts";
import { photoFiles } from "../photos/files.ts";
import type { Store } from "../storage/store.ts";
import { forActors, type ForActors } from "../model/actor.ts";
import { createProjects } from "./actions/projects.ts";
import type { Blobs } from "./blobs.ts";
import { type Compress, ingest } from "./ingest/ingest.ts";
import { publishingJobs } from "./jobs.ts";
import { createUnfinishedDeploys } from "./unfinished-deploys.ts";
import type { EnquiryDesk } from "./enquiry-desk.ts";
import { createPreviews } from "./previews.ts";
import type { ProjectStore } from "./project-store.ts";
import type { Projects } from "./projects.ts";
import { trustedTurns } from "../base/store-clock.ts";
import { createVisits, type VisitContext } from "./serving/visit.ts";
import type { Sites } from "./site.ts";
import { createSites } from "./sites.ts";
import type { Markdown } from "./storefront.ts";
import type { PhotoHost } from "../catalogue/photo-address.ts";
import { photoHosts, type AddressOfProject } from "./photo-host.ts";
import { shownAnywhere } from "./shown-anywhere.ts";
import { createStorefront } from "./storefront/create.ts";

/** Options of publishing. */
export interface PublishingOptions {
  /** The store of the petstore. */
  readonly store: Store;
  /** A store in the same database as `store`. */
  readonly projectStore: ProjectStore;
  /** Where the files of sites are kept, such as `directoryBlobs({ path })`. */
  readonly blobs: Blobs;
  /** Default: files are stored and served uncompressed. */
  readonly compress?: Compress | undefined;
  /** Default: plain text paragraphs. */
  readonly markdown?: Markdown | undefined;
  /** `desk` of createEnquiries over the same store. Default: sites have no enquiry form. */
  readonly enquiries?: EnquiryDesk | undefined;
  /** Returns where visitors reach a project. Default: `photoHost` finds none. */
  readonly addressOfProject?: AddressOfProject | undefined;
  /** Slugs reserved in addition to the built-in ones: the host's own names below the sites domain. Default: none. */
  readonly reserved?: readonly string[] | undefined;
  /**
   * True if no other process uses the store. Unfinished deploys of earlier processes then end when the jobs start. Default
   * false: they end after a minute without activity.
   */
  readonly alone?: boolean | undefined;
  /**
   * How long cached sites are served while the store cannot be read, since other processes may have changed them. Default:
   * not at all.
   */
  readonly staleRoutesForMs?: number | undefined;
  /** Divides purging and the collection of blobs among several processes. Default: each of them does both. */
  readonly takeTurn?: TakeTurn | undefined;
  /** Default: the store's. */
  readonly clock?: Clock | undefined;
  /** Fills an array with random bytes. Default: Web Crypto. */
  readonly random?: Random | undefined;
  /** Receives what an operator should know, such as failed jobs. Default: errors go to the console, each once. */
  readonly log?: Log | undefined;
}

/** Projects, their deploys, and their sites. */
export interface Publishing {
  /** Those of the host, and with `as` those of others. */
  readonly projects: ForActors<Projects>;
  readonly sites: Sites;
  /** Returns whether any site of the account shows the animal; true if it has no site. Pass it to `createPetstore`. */
  isShown(pet: StoredPet, catalogueId: number): Promise<boolean>;
  /**
   * Returns the host of the photos of a catalogue: that of the account's oldest project with a site. It is remembered for
   * a second. Pass it to `createPetstore`.
   */
  photoHost(catalogueId: number): Eventual<PhotoHost | undefined>;
  /** Responds to a visitor. Never rejects and never throws. The host must handle reserved paths. */
  visit(request: Request, context: VisitContext): Eventual<Response>;
  /** Picks up changes of other processes, ends interrupted deploys, and removes old deploys and unused blobs. */
  readonly jobs: Jobs;
  /** Interrupts deploys in progress and stops the jobs. The caller must close the stores and blobs. */
  close(): Promise<void>;
}

/** How long `close` waits for deploys in progress to record that they were interrupted. */
const CLOSE_WITHIN_MS: number = 5 * SECOND_MS;

/**
 * Creates the publishing service over a store. Opens nothing and starts nothing. Throws a `TypeError` for invalid
 * options.
 */
export function createPublishing(options: PublishingOptions): Publishing {
  checkOptions("createPublishing", options, {
    store: aStore,
    projectStore: having("a project store, such as sqlProjectStore() makes", "commit"),
    blobs: having("a store of files, such as directoryBlobs() makes", "put", "open"),
    compress: optional(aFunction),
    markdown: optional(aFunction),
    enquiries: optional(having("the desk of createEnquiries", "submit")),
    addressOfProject: optional(aFunction),
    reserved: optional(listOf(aText)),
    alone: optional(aBoolean),
    staleRoutesForMs: optional(aCount(1)),
    ...serviceOptions,
  });
  const {
    store,
    projectStore,
    blobs,
    compress,
    markdown,
    enquiries,
    addressOfProject = () => undefined,
    reserved = [],
    alone = false,
    staleRoutesForMs = 0,
    takeTurn,
    clock = store.clock ?? systemClock,
    random = systemRandom,
  } = options;
  const log = isolatedLog(options.log);
  const sites = createSites({
    store,
    projects: projectStore,
    staleForMs: staleRoutesForMs,
    clock,
  });
  const unfinished = createUnfinishedDeploys();
  const stopping = createClosing();
  const shared = {
    store,
    projectStore,
    blobs,
    compress,
    ingest,
    clock,
    random,
    log,
    reserved,
    unfinished,
    stopping,
    forget: (projectId: string) => {
      sites.forget("project", projectId);
    },
  };
  const projects = forActors((actor) =>
    createProjects({ ...shared, commit: (changes) => projectStore.commit(changes, actor) }),
  );
  const storefront = createStorefront({
    store,
    blobs,
    clock,
    markdown,
    enquiries,
  });
  const jobs = publishingJobs({
    store,
    projectStore,
    blobs,
    sites,
    alone,
    takeTurn: trustedTurns(store, log, takeTurn),
    clock,
    log,
  });
  return {
    projects,
    sites,
    isShown: shownAnywhere({ store, projects: projectStore.projects, sites, clock }),
    photoHost: photoHosts({
      store,
      projects: projectStore.projects,
      sites,
      addressOfProject,
      clock,
    }),
    visit: createVisits({
      photos: photoFiles({ store, blobs, cors: everyOrigin }),
      sites,
      previews: createPreviews({ sites, store, deploys: projectStore.deploys }),
      blobs,
      storefront,
      bodies: bodyReader(clock, stopping),
      log,
      clock,
    }),
    jobs,
    close: async () => {
      stopping.close();
      await jobs.stop();
      const closed = new AbortController();
      const enough = clock.sleep(CLOSE_WITHIN_MS, closed.signal).catch(() => undefined);
      await Promise.race([unfinished.idle(), enough]);
      closed.abort();
    },
  };
}
