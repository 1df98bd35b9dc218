import type { OpenOrder } from "../model/order-state.ts";
import { awaitCertificate, download, finalize, judge } from "./obtain-steps.ts";
import { answer, awaitProof, choose, makeOrder } from "./prove-steps.ts";
import type { StepTools, Taken } from "./taken.ts";

/**
 * Takes the step that an order is at: one request that changes something at the CA, and what must be known for it.
 * It can be taken again if what came of it was lost.
 */
export function takeStep(tools: StepTools, open: OpenOrder): Promise<Taken> {
  const { state } = open;
  switch (state.step) {
    case "keyed":
      return makeOrder(tools, open);
    case "ordered":
      return choose(tools, open, state.url);
    case "presented":
      return answer(tools, open, state);
    case "answered":
      return awaitProof(tools, open, state);
    case "proven":
      return finalize(tools, open, state.url);
    case "finalized":
      return awaitCertificate(tools, state.url);
    case "issued":
      return download(tools, state);
    case "downloaded":
      return Promise.resolve(judge(tools, open, state.chainPem));
  }
}
