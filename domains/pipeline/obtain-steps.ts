import { createCsr } from "../acme/x509.ts";
import { ownProblem } from "../model/acme-problem.ts";
import type { OpenOrder } from "../model/order-state.ts";
import type { Order } from "../ports/authority.ts";
import { examine } from "./activate.ts";
import { asked, failed, moved, type StepTools, type Taken } from "./taken.ts";

/** Asks for the certificate; `authority.finalize` reports one that was asked for before. */
export async function finalize(tools: StepTools, open: OpenOrder, url: string): Promise<Taken> {
  const { authority, account, privateKeyPem, signal } = tools;
  const { name, finalizeUrl } = open;
  if (finalizeUrl === undefined) return findOut(tools, open, url);
  const csr = createCsr([name], privateKeyPem);
  const finalized = await authority.finalize(account, { url, finalizeUrl }, csr, signal);
  if (!finalized.ok) {
    return finalized.failure.code === "order_not_ready"
      ? findOut(tools, open, url)
      : failed(finalized.failure);
  }
  const { status, retryAt } = finalized.value;
  // It was asked for: what it has become is seen by looking again.
  return status === "ready" || status === "processing"
    ? asked({ state: { step: "finalized", url } }, retryAt)
    : follow(finalized.value);
}

/** Reads an order that the CA does not find ready yet, or whose row is of an older version. */
async function findOut(
  { authority, account, signal }: StepTools,
  open: OpenOrder,
  url: string,
): Promise<Taken> {
  const order = await authority.order(account, url, signal);
  if (!order.ok) return failed(order.failure);
  const { status, finalizeUrl } = order.value;
  return status === "ready" && open.finalizeUrl === undefined
    ? moved({ state: { step: "proven", url }, finalizeUrl })
    : follow(order.value);
}

/** Asks whether it is made. */
export async function awaitCertificate(
  { authority, account, signal }: StepTools,
  url: string,
): Promise<Taken> {
  const order = await authority.order(account, url, signal);
  if (!order.ok) return failed(order.failure);
  const { value } = order;
  if (value.status === "processing") return { kind: "waits", retryAt: value.retryAt };
  return value.status === "ready" ? moved({ state: { step: "proven", url } }) : follow(value);
}

/** Where an order leads that is proven. */
function follow(order: Order): Taken {
  const { url, retryAt } = order;
  switch (order.status) {
    case "pending":
    case "ready":
      return { kind: "waits", retryAt };
    case "processing":
      return moved({ state: { step: "finalized", url } });
    case "valid": {
      const { certificateUrl } = order;
      return moved({ state: { step: "issued", url, certificateUrl } });
    }
    case "invalid":
      return failed(order.problem);
  }
}

export async function download(
  { authority, account, signal }: StepTools,
  { url, certificateUrl }: { readonly url: string; readonly certificateUrl: string },
): Promise<Taken> {
  const chain = await authority.download(account, certificateUrl, signal);
  if (!chain.ok) return failed(chain.failure);
  return moved({ state: { step: "downloaded", url, chainPem: chain.value } });
}

/** Nothing is put to use that was not looked at. */
export function judge(
  { privateKeyPem, now, timeKnown }: StepTools,
  { name }: OpenOrder,
  chainPem: string,
): Taken {
  const examined = examine(chainPem, privateKeyPem, name, timeKnown ? now : undefined);
  if (examined.ok) return { kind: "examined", chainPem, facts: examined.value };
  const { message, validFrom } = examined.failure;
  if (validFrom !== undefined) return { kind: "held", until: validFrom };
  return failed(ownProblem("certificate_unusable", message));
}
