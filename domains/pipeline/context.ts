import type { Random } from "../../lib/base/id.ts";
import type { Actor } from "../../lib/model/actor.ts";
import type { Log } from "../../lib/base/log.ts";
import type { AuthorityTime } from "../acme/authority-time.ts";
import type { ChallengeKind, Domain } from "../model/domain.ts";
import type { CertificateAuthority, ExternalAccount } from "../ports/authority.ts";
import type { DomainStore } from "../ports/domain-store.ts";
import type { Gatekeeper } from "../ports/projects.ts";
import type { Rehearse } from "../ports/certificates.ts";
import type { Leases } from "../ports/leases.ts";
import type { Look } from "../ports/look.ts";
import type { Verifier } from "../ports/verifier.ts";
import type { Seal } from "../storage/seal.ts";
import type { DriftBreaker } from "./drift-breaker.ts";
import type { IssuerLog } from "./issuer.ts";
import type { CheckFromOutside } from "../outside/outside-check.ts";
import type { Observe } from "../ports/observation.ts";

/**
 * Opens a TLS connection for `name` to our own listener; true if its certificate is presented. `now` is the instant
 * at which the certificate must be valid; default: the probe's own clock.
 */
export type Probe = (name: string, signal: AbortSignal, now?: number) => Promise<boolean>;

/** The options of a pipeline, what it has learned, and for whom it works. */
export type PipelineContext = PipelineOptions & {
  /** Who requested the work: the service itself, unless a caller waits for it. */
  readonly actor: Actor;
  readonly challengeMemory: ChallengeMemory;
  readonly issuerLog: IssuerLog;
  readonly driftBreaker: DriftBreaker;
  /** Per CA, the end of its queue of new orders. */
  readonly orderQueues: Map<string, Promise<unknown>>;
};

export interface PipelineOptions {
  readonly store: DomainStore;
  readonly leases: Leases;
  /** Preferred first: `chooseIssuer` decides which one gets a new order. Open orders stay with theirs. */
  readonly authorities: readonly [CertificateAuthority, ...CertificateAuthority[]];
  readonly verifier: Verifier;
  /** Default: looks see nothing. */
  readonly look?: Look;
  readonly gatekeeper: Gatekeeper;
  readonly probe: Probe;
  readonly rehearse: Rehearse;
  /** Default: no check from outside. */
  readonly outside?: CheckFromOutside;
  readonly seal: Seal;
  readonly clock: AuthorityTime;
  readonly random: Random;
  readonly log: Log;
  /** Challenges that this installation supports. */
  readonly challenges: readonly [ChallengeKind, ...ChallengeKind[]];
  /** Returns a digest of the account options for an authority. A changed digest justifies another attempt. */
  readonly issuerDigest: (authority: Pick<CertificateAuthority, "application">) => string;
  readonly application: {
    readonly email?: string | undefined;
    readonly externalAccount?: ExternalAccount | undefined;
  };
  /** Called with every saved domain. */
  readonly onSaved: (domain: Domain) => void;
  /** Called with each domain whose overdue certificate was announced. Default: nothing. */
  readonly onWarned?: ((domain: Domain) => void) | undefined;
  /** Called after each DNS check and each ended order. Default: nothing. */
  readonly observe?: Observe | undefined;
  /** Whether the time may take something away, such as a name that was never verified. Default: always. */
  readonly mayEnd?: () => boolean;
}

/** Which challenge works for this installation, as far as known. */
interface ChallengeMemory {
  /** The challenge to try first: the last one that worked, unless the domain has experience of its own. */
  preferredFor(domain: Domain): ChallengeKind;
  worked(kind: ChallengeKind): void;
}

/** Creates an empty record. */
export function createChallengeMemory(): ChallengeMemory {
  let last: ChallengeKind | undefined;
  return {
    preferredFor: ({ certificate, issuance: { challenge, failures } }) =>
      certificate === undefined && failures === 0 ? (last ?? challenge) : challenge,
    worked: (kind) => {
      last = kind;
    },
  };
}
