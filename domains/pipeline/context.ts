import type { Random } from "../../lib/base/id.ts";
import type { Log } from "../../lib/base/log.ts";
import type { AuthorityTime } from "../authority-time.ts";
import type { ChallengeKind, Domain } from "../model/domain.ts";
import type { CertificateAuthority, ExternalAccount } from "../ports/authority.ts";
import type { DomainStore } from "../ports/domain-store.ts";
import type { Gatekeeper } from "../ports/projects.ts";
import type { Leases } from "../ports/leases.ts";
import type { Verifier } from "../ports/verifier.ts";
import type { Seal } from "../seal.ts";
import type { LookFromOutside } from "../outside/look.ts";
import type { Observe } from "../ports/observation.ts";

/**
 * True when a handshake with our own listener, asking for `name`, was answered with its certificate. `now` is the time
 * by which the certificate may not have ended; default: the time that the probe knows itself.
 */
export type Probe = (name: string, signal: AbortSignal, now?: number) => Promise<boolean>;

/** What a pipeline is made with, and what it has learned since. */
export type PipelineContext = PipelineOptions & {
  readonly learned: Learned;
  /** By authority, the end of the new orders that are being made with it. */
  readonly turns: Map<string, Promise<unknown>>;
};

export interface PipelineOptions {
  readonly store: DomainStore;
  readonly leases: Leases;
  /** New orders go to the first one; open ones are ended where they were begun. */
  readonly authorities: readonly [CertificateAuthority, ...CertificateAuthority[]];
  readonly verifier: Verifier;
  readonly gatekeeper: Gatekeeper;
  readonly probe: Probe;
  /** Default: nobody looks. */
  readonly outside?: LookFromOutside;
  readonly seal: Seal;
  readonly clock: AuthorityTime;
  readonly random: Random;
  readonly log: Log;
  /** Which proofs this installation can give. */
  readonly challenges: readonly [ChallengeKind, ...ChallengeKind[]];
  /** Digest of the options by which we are known to the first authority: `application`, as far as it changes. */
  readonly issuerDigest: string;
  readonly application: { readonly email?: string; readonly externalAccount?: ExternalAccount };
  /** Told of every domain that was written here, at once. */
  readonly onSaved: (domain: Domain) => void;
  /** Called after each check of the DNS and each ended order. Default: nobody watches. */
  readonly observe?: Observe;
}

/** Which way of proving works where this process runs, as far as it has seen. */
interface Learned {
  /** What is tried first for a name that has not told yet what works for it, and else what it told. */
  preferredFor(domain: Domain): ChallengeKind;
  worked(kind: ChallengeKind): void;
}

/** Knows nothing at first. */
export function createLearned(): Learned {
  let last: ChallengeKind | undefined;
  return {
    preferredFor: ({ certificate, issuance: { challenge, failures } }) =>
      certificate === undefined && failures === 0 ? (last ?? challenge) : challenge,
    worked: (kind) => {
      last = kind;
    },
  };
}
