import { isoTime } from "../base/clock.ts";
import type { Enquiry } from "./model.ts";

/** Returns the data of an enquiry's event, without anything that the visitor typed. */
export function enquiryEvent({
  id,
  petId,
  projectId,
  createdAt,
}: Pick<Enquiry, "id" | "petId" | "projectId" | "createdAt">): Readonly<Record<string, unknown>> {
  return { enquiry: { id, petId, projectId, createdAt: isoTime(createdAt) } };
}
