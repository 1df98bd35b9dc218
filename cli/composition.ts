import type { Answered, Environment, Log, Petstore, Servers, Store } from "../lib/index.ts";
import type { GuideSite } from "../dashboard/guides/serve.ts";
import type { Dashboard } from "../dashboard/serve.ts";
import type { CustomDomains } from "../domains/index.ts";
import type { Management, System } from "../lib/management/index.ts";
import type { Members } from "../lib/members/index.ts";
import type { Publishing } from "../lib/publishing/index.ts";
import type { CustomParts } from "./custom-parts.ts";
import type { SampleGround } from "./sample/make.ts";
import type { Writes } from "./writes.ts";

/** What the parts of a service have in common. */
export interface Parts {
  /** The storage's, or one that stands before it. */
  readonly store: Store;
  /** 32 bytes. A secret. */
  readonly encryptionKey: Uint8Array;
  readonly servers: Servers;
  /** Address of a project's site by its slug. */
  readonly addressOf: (slug: string) => string;
  /** Slugs that no project may have, besides those that none ever may. */
  readonly reserved: readonly string[];
  /** Of the page behind a setup link. */
  readonly setupAddress: string;
  readonly custom: CustomParts;
  /** What the program knows of itself, and what it makes samples with. */
  readonly system: (ground: SampleGround) => System;
  readonly log: Log;
  /** Called after every answer of the public API; must not throw. */
  readonly onAnswer?: (answered: Answered) => void;
}

export type Petstores = Readonly<Record<Environment, Petstore>>;

/** Everything that an installation does. */
export interface Service {
  readonly petstores: Petstores;
  readonly publishing: Publishing;
  readonly management: Management;
  readonly members: Members;
  readonly custom: CustomDomains;
}

/** Where an installation keeps what it knows. */
export interface Storage {
  readonly store: Store;
  /** Of everything that is kept in the database. */
  readonly writes: Writes;
  /** Starts nothing. */
  createService(parts: Parts): Service;
  close(): Promise<void>;
}

/** Paths of files. */
export interface StorageFiles {
  readonly database: string;
  readonly blobs: string;
}

/** How server.ts makes what the commands work with: the only knowledge of databases is there. */
export interface Composition {
  /** Rejects with `StoreUnavailable` or `NewerSchema`. */
  openStorage(
    files: StorageFiles,
    options: {
      /** Called with the path of the copy that is made of a database before its upgrade. */
      readonly onCopy: (path: string) => void;
    },
  ): Promise<Storage>;
  /** One that is gone with the process. */
  openMemory(): Promise<Storage>;
  /** What people see at the base domain. Holds nothing until somebody asks for it. */
  readonly dashboard: Dashboard;
  /** The API reference and the help. Hold nothing either until somebody asks for them. */
  readonly guides: GuideSite;
  /** What a store of this program has; one of an older version is brought up to it when it is opened. */
  readonly schemaVersion: number;
}
