import { keyFingerprint } from "../acme/keys.ts";
import { readChain, type ReadChain } from "../acme/inspect.ts";
import { isSkewed, skewInWords } from "../model/clock-skew.ts";
import { faultOfChain, type ChainFault } from "../model/certificate.ts";
import type { Domain } from "../model/domain.ts";
import type { OpenOrder } from "../model/order-state.ts";
import { renewalAt, fraction, signerAheadMs } from "../model/renewal.ts";
import { firstPollAt } from "../model/apply-certificate.ts";
import { newCertificateId } from "../model/target.ts";
import { done, refused, type Result } from "../../lib/base/result.ts";
import type { PipelineContext } from "./context.ts";
import { save, type Work } from "./work.ts";

/** Identifies the row that a certificate's private key is encrypted for. */
export function certificateIdentity(id: string): string {
  return `certificate ${id}`;
}

/**
 * Reads a chain and checks whether it may be served for `name` with our key. Its dates must be right by one of `clocks`;
 * without any, they are not checked.
 */
export function examineCertificate(
  chainPem: string,
  privateKeyPem: string,
  name: string,
  clocks: readonly number[],
): Result<ReadChain, Pick<ChainFault, "message" | "validFrom">> {
  const read = readChain(chainPem);
  if (!read.ok) {
    const message = `The CA sent a certificate chain that cannot be used: ${read.failure}.`;
    return refused({ message });
  }
  const chain = read.value;
  const publicKey = keyFingerprint(privateKeyPem);
  const faultAt = (now?: number) => faultOfChain(chain, { names: [name], publicKey, now });
  // The last clock is the one that is furthest ahead.
  const faults = clocks.length === 0 ? [faultAt()] : clocks.toSorted((a, b) => a - b).map(faultAt);
  const fault = faults.at(-1);
  return fault === undefined || faults.includes(undefined) ? done(chain) : refused(fault);
}

/** Activates an examined certificate and closes its order, in one commit. Undefined as in `save`. */
export async function activate(
  context: PipelineContext,
  work: Work,
  order: OpenOrder,
  {
    chain,
    privateKeyPem,
    earlyMs = 0,
  }: {
    readonly chain: ReadChain;
    readonly privateKeyPem: string;
    /** By how much it is not valid yet by our clocks. */
    readonly earlyMs?: number;
  },
): Promise<Domain | undefined> {
  const { seal, random, clock, log, authorities } = context;
  const { pem: chainPem, certificates } = chain;
  const [{ notBefore, notAfter }] = certificates;
  const { kind } = authorities.find(({ id: one }) => one === order.authority) ?? {};
  const isAlone = certificates.length === 1 && kind === "acme";
  if (isAlone) log.warn("the CA sent a certificate without its issuer's", { name: order.name });
  if (earlyMs > 0) {
    log.warn(`clock_skew: ${skewInWords(earlyMs)}, whose certificate is not valid yet`, {
      name: order.name,
      fix: "set the clock of this machine, by NTP for example",
    });
  }
  const arrivedAt = clock.now();
  const ownAt = clock.host.now();
  const timeKnown = clock.aheadMs !== undefined;
  const arrival = { notBefore, notAfter, arrivedAt, ownAt, timeKnown };
  const aheadMs = signerAheadMs(arrival);
  const id = newCertificateId(random);
  const certificate = {
    id,
    domainId: order.domainId,
    chainPem,
    sealedKey: seal.close(privateKeyPem, certificateIdentity(id)),
    notAfter,
    createdAt: arrivedAt,
  };
  const { challenge, authority, authorizationUrls } = order;
  return save(
    context,
    work,
    {
      kind: "issued",
      certificate: {
        id,
        authority,
        notBefore,
        notAfter,
        renewAt: renewalAt(arrival, fraction(random)),
        renewal: { checkAt: firstPollAt(arrivedAt, fraction(random)) },
        ...(isSkewed(ownAt - arrivedAt) && { ownSince: ownAt }),
        ...(aheadMs !== 0 && { signerAheadMs: aheadMs }),
      },
      authorizationUrls,
      ...(challenge === undefined ? {} : { challenge }),
      alone: isAlone,
    },
    [
      { kind: "certificate.add", certificate },
      { kind: "order.close", order },
    ],
  );
}
