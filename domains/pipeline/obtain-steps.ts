import { createCsr } from "../acme/csr.ts";
import type { OpenOrder } from "../model/order-state.ts";
import type { Order } from "../ports/authority.ts";
import { examine } from "./activate.ts";
import { failed, moved, restart, type StepTools, type Taken } from "./taken.ts";

/** Asks for the certificate, unless that was done before. */
export async function finalize(
  { authority, account, privateKeyPem, signal }: StepTools,
  { name }: OpenOrder,
  url: string,
): Promise<Taken> {
  const order = await authority.order(account, url, signal);
  if (!order.ok) return failed(order.failure);
  if (order.value.status !== "ready") return follow(order.value);
  const csr = createCsr([name], privateKeyPem);
  const asked = await authority.finalize(account, order.value, csr, signal);
  if (!asked.ok) return failed(asked.failure);
  // It was asked for: what it has become is seen by looking again.
  return asked.value.status === "ready"
    ? moved({ state: { step: "finalized", url } })
    : follow(asked.value);
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
  { privateKeyPem, now }: StepTools,
  { name }: OpenOrder,
  chainPem: string,
): Taken {
  const examined = examine(chainPem, privateKeyPem, name, now);
  if (examined.ok) return { kind: "examined", chainPem, facts: examined.value };
  const { message, validFrom } = examined.failure;
  return validFrom === undefined ? restart(message) : { kind: "waits", retryAt: validFrom };
}
