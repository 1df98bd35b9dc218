import { keyFingerprint } from "../acme/keys.ts";
import { inspectChain } from "../acme/inspect.ts";
import { faultOfChain, type CertificateFacts, type ChainFault } from "../model/certificate.ts";
import type { Domain } from "../model/domain.ts";
import type { OpenOrder } from "../model/order-state.ts";
import { renewalAt, fraction } from "../model/renewal.ts";
import { firstPollAt } from "../model/apply-certificate.ts";
import { newCertificateId } from "../model/target.ts";
import { done, refused, type Result } from "../../lib/base/result.ts";
import type { PipelineContext } from "./context.ts";
import { save, type Work } from "./work.ts";

/** Identifies the row that a certificate's private key is encrypted for. */
export function certificateIdentity(id: string): string {
  return `certificate ${id}`;
}

/** Checks whether a chain may be served for `name` with our key. Without `now` its dates are not checked. */
export function examineCertificate(
  chainPem: string,
  privateKeyPem: string,
  name: string,
  now: number | undefined,
): Result<CertificateFacts, Pick<ChainFault, "message" | "validFrom">> {
  const chain = inspectChain(chainPem);
  if (chain === undefined) return refused({ message: "The CA sent an unreadable certificate." });
  const publicKey = keyFingerprint(privateKeyPem);
  const fault = faultOfChain(chain, {
    names: [name],
    publicKey,
    ...(now === undefined ? {} : { now }),
  });
  return fault === undefined ? done(chain.certificates[0]) : refused(fault);
}

/** Activates an examined certificate and closes its order, in one commit. Undefined as in `save`. */
export async function activate(
  context: PipelineContext,
  work: Work,
  order: OpenOrder,
  {
    chainPem,
    privateKeyPem,
    facts,
  }: {
    readonly chainPem: string;
    readonly privateKeyPem: string;
    readonly facts: CertificateFacts;
  },
): Promise<Domain | undefined> {
  const { seal, random, clock } = context;
  const { notBefore, notAfter } = facts;
  const arrivedAt = clock.now();
  const timeKnown = clock.aheadMs !== undefined;
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
        renewAt: renewalAt({ notBefore, notAfter, arrivedAt, timeKnown }, fraction(random)),
        renewal: { checkAt: firstPollAt(arrivedAt, fraction(random)) },
      },
      authorizationUrls,
      ...(challenge === undefined ? {} : { challenge }),
    },
    [
      { kind: "certificate.add", certificate },
      { kind: "order.close", order },
    ],
  );
}
