import { csvRow } from "../../../../lib/base/csv.ts";
import { isoTime } from "../../../../lib/base/clock.ts";
import { done, type Result } from "../../../../lib/base/result.ts";
import type { EnquiryState } from "../../../../lib/enquiries/model.ts";
import { call, type Output, type Problem } from "../../api.ts";
import { act, actIfSure } from "../../components/form.tsx";
import { enquiriesWords } from "./words.ts";
import { inCatalogue, type Where } from "../animals/catalogue.tsx";

/** An enquiry as staff see it. */
export type Enquiry = Output<"GET /accounts/:account/:environment/enquiries">[number];

/** Returns the path parameters of an enquiry. */
export function ofEnquiry(where: Where, id: number | string) {
  return { ...inCatalogue(where), enquiry: String(id) };
}

/** Changes the state of an enquiry. */
export async function moveEnquiry(
  where: Where,
  { id }: Enquiry,
  state: EnquiryState,
  onChanged: (enquiry: Enquiry) => void,
): Promise<void> {
  const { states, moved } = enquiriesWords.words();
  const changed = await act(moved(states[state]), () =>
    call("PATCH /accounts/:account/:environment/enquiries/:enquiry", {
      ...ofEnquiry(where, id),
      body: { state },
    }),
  );
  if (changed !== undefined) onChanged(changed.value);
}

/** Deletes an enquiry, after the user has confirmed. */
export async function removeEnquiry(
  where: Where,
  enquiry: Enquiry,
  onRemoved: (enquiry: Enquiry) => void,
): Promise<void> {
  const removed = await actIfSure(
    enquiriesWords.words().remove,
    enquiry.name,
    () =>
      call(
        "DELETE /accounts/:account/:environment/enquiries/:enquiry",
        ofEnquiry(where, enquiry.id),
      ),
    { look: "danger" },
  );
  if (removed !== undefined) onRemoved(enquiry);
}

const PAGE = 1_000;

/** Reads all enquiries, newest first, and writes them as CSV. */
export async function enquiriesAsCsv(
  where: Where,
): Promise<Result<{ readonly parts: readonly string[]; readonly count: number }, Problem>> {
  const recorded = await call("POST /accounts/:account/:environment/exports", {
    ...inCatalogue(where),
    body: { what: "enquiries" },
  });
  if (!recorded.ok) return recorded;
  const parts = [csvRow(COLUMNS)];
  for (let after: number | undefined; ;) {
    const query = { limit: PAGE, ...(after === undefined ? {} : { after }) };
    const page = await call("GET /accounts/:account/:environment/enquiries", {
      ...inCatalogue(where),
      query,
    });
    if (!page.ok) return page;
    parts.push(...page.value.map(rowOf));
    after = page.value.at(-1)?.id;
    if (page.value.length < PAGE) return done({ parts, count: parts.length - 1 });
  }
}

const COLUMNS = [
  "number",
  "received",
  "status",
  "animal",
  "animalNumber",
  "site",
  "name",
  "email",
  "phone",
  "message",
  "notes",
];

function rowOf(enquiry: Enquiry): string {
  const { id, createdAt, state, petName, petId, site, name, email, phone, message, notes } =
    enquiry;
  const texts = [petName, site, name, email, phone ?? "", message, notes ?? ""].map(harmless);
  const [animal = "", ofSite = "", ...rest] = texts;
  return csvRow([id, isoTime(createdAt), state, animal, petId, ofSite, ...rest]);
}

/** Keeps a text that a stranger wrote from being a formula in a spreadsheet. */
function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
