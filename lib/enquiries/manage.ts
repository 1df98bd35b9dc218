import { problem, type Problem } from "../base/problem.ts";
import { done, refused, retried, type Result } from "../base/result.ts";
import type { Clock } from "../base/clock.ts";
import type { Actor } from "../model/actor.ts";
import { normalLines } from "../model/text.ts";
import type { EnquiryStore } from "./enquiry-store.ts";
import type { Enquiry, EnquiryState } from "./model.ts";

/** The dependencies of the actions of staff. */
export interface ManageContext {
  readonly enquiryStore: EnquiryStore;
  readonly clock: Clock;
}

type Precondition = ((enquiry: Enquiry) => Problem | undefined) | undefined;

/** A change of an enquiry and its conditions. */
export interface EnquiryUpdate {
  readonly state?: EnquiryState | undefined;
  /** An empty text removes the notes. */
  readonly notes?: string | undefined;
  readonly precondition?: Precondition;
}

/** How often a change is retried. One of several simultaneous writers wins each round. */
const ATTEMPTS = 200;

export async function readEnquiry(
  { enquiryStore }: ManageContext,
  catalogueId: number,
  id: number,
): Promise<Result<Enquiry, Problem>> {
  const enquiry = await enquiryStore.byId(catalogueId, id);
  return enquiry === undefined ? refused(missing) : done(enquiry);
}

/** Changes the state or the notes. A change that changes nothing leaves the version. */
export function updateEnquiry(
  { enquiryStore, clock }: ManageContext,
  actor: Actor,
  where: { readonly catalogueId: number; readonly id: number },
  { state, notes, precondition }: EnquiryUpdate,
): Promise<Result<Enquiry, Problem>> {
  const { catalogueId, id } = where;
  return retried(ATTEMPTS, busy, async () => {
    const from = await enquiryStore.byId(catalogueId, id);
    if (from === undefined) return refused(missing);
    const fault = precondition?.(from);
    if (fault !== undefined) return refused(fault);
    const kept = notes === undefined ? from.notes : normalLines(notes);
    const to = {
      state: state ?? from.state,
      ...(kept === undefined || kept === "" ? {} : { notes: kept }),
    };
    if (to.state === from.state && to.notes === from.notes) return done(from);
    const at = clock.now();
    const committed = await enquiryStore.commit([{ kind: "enquiry.update", from, to, at }], actor);
    if (!committed.ok) return undefined;
    const { notes: _before, ...rest } = from;
    return done({ ...rest, ...to, version: from.version + 1, updatedAt: at, changedBy: actor });
  });
}

/** Removes an enquiry permanently. */
export function removeEnquiry(
  { enquiryStore }: ManageContext,
  actor: Actor,
  where: { readonly catalogueId: number; readonly id: number },
  precondition: Precondition,
): Promise<Result<undefined, Problem>> {
  return retried(ATTEMPTS, busy, async () => {
    const from = await enquiryStore.byId(where.catalogueId, where.id);
    if (from === undefined) return refused(missing);
    const fault = precondition?.(from);
    if (fault !== undefined) return refused(fault);
    const committed = await enquiryStore.commit([{ kind: "enquiry.remove", from }], actor);
    return committed.ok ? done(undefined) : undefined;
  });
}

const missing: Problem = problem("not_found", "There is no such enquiry.");
const busy: Problem = problem(
  "unavailable",
  "Other requests keep changing this enquiry. Try again.",
  {
    retryAfterSeconds: 1,
  },
);

/** The refusal of a change that was decided on another version. */
export const enquiryHasChanged: Problem = problem(
  "precondition_failed",
  "The enquiry has changed since the ETag in If-Match was issued. Read it again, then repeat the change.",
);
