import { MAX_ID } from "../../base/id.ts";
import { done, type Result } from "../../base/result.ts";
import type { Problem } from "../../base/problem.ts";
import { named, object, oneOf, string, type Schema } from "../../base/schema.ts";
import { choice, instant, listOf, shape, text, whole, type ValueOf } from "../../base/shape.ts";
import { entityTag } from "../../http/conditional.ts";
import { conditionsOf } from "../../http/preconditions.ts";
import { endpoint, Reply } from "../../http/endpoint.ts";
import { choiceParameter, idIn, idParameter, limitParameter } from "../../http/parameters.ts";
import { actorShape } from "../../management/actor-views.ts";
import { inAccount } from "../../management/endpoint.ts";
import { inCatalogue } from "../../management/in-catalogue.ts";
import type { ManagementServices } from "../../management/management.ts";
import { pageOf } from "../../management/next-link.ts";
import { membersOf } from "../../model/audit-types.ts";
import type { Principal } from "../../accounts/principal.ts";
import { textPatterns } from "../../model/text.ts";
import {
  enquiryHasChanged,
  readEnquiry,
  removeEnquiry,
  updateEnquiry,
  type ManageContext,
} from "../manage.ts";
import {
  enquiryStates,
  faultOfLines,
  MAX_KEPT,
  MAX_NOTES,
  type Enquiry,
  type EnquiryState,
} from "../model.ts";

const id = whole({ format: "int64", minimum: 1, maximum: MAX_ID });

const enquiryShape = shape(
  "Enquiry",
  {
    id,
    projectId: text("The ID of the project on whose site the visitor asked."),
    site: text("The title of the site at that time."),
    language: text("The language of the site (BCP 47)."),
    petId: id,
    petName: text("The animal's name at that time."),
    name: text("The visitor's name."),
    email: text("The visitor's email address. It is not verified."),
    message: text("Plain text of one or several lines."),
    state: choice(enquiryStates),
    createdAt: instant(),
    updatedAt: instant(),
  },
  {
    phone: text("The visitor's phone number."),
    notes: text("Notes of the staff."),
    changedBy: actorShape,
  },
);

const enquiriesShape = listOf("Enquiries", enquiryShape);

const counted = whole({ minimum: 0, maximum: MAX_KEPT });
const countsShape = shape("EnquiryCounts", { new: counted, answered: counted, closed: counted });

/** An enquiry as the management API sends it. */
export type EnquiryView = ValueOf<typeof enquiryShape>;

const example = {
  id: 12,
  projectId: "prj_3kT9vW2mXq7L",
  site: "Happy Tails",
  language: "en",
  petId: 7,
  petName: "Rex",
  name: "Kim Petersen",
  email: "kim@example.com",
  message: "Does Rex get along with cats?",
  state: "new",
  createdAt: "2026-11-20T09:30:00.000Z",
  updatedAt: "2026-11-20T09:30:00.000Z",
};

const [visible, pattern] = textPatterns("lines");

const EnquiryPatchSchema: Schema<{
  readonly state?: EnquiryState | undefined;
  readonly notes?: string | undefined;
}> & { readonly name: string } = named(
  "EnquiryPatch",
  object(
    {},
    {
      state: oneOf(enquiryStates, { description: "Any of the three, in any order." }),
      notes: string(
        (notes) => (notes === "" ? undefined : faultOfLines(notes, MAX_NOTES)),
        {
          maxLength: MAX_NOTES,
          anyOf: [
            { type: "string", maxLength: 0 },
            { type: "string", pattern, allOf: [{ type: "string", pattern: visible }] },
          ],
          description: `Notes of the staff, at most ${MAX_NOTES} characters. An empty text removes them.`,
          examples: ["Has two cats. Visit on Friday."],
        },
        { measures: true },
      ),
    },
  ),
);

const all = { tag: "animals", access: inAccount("staff") } as const;
const one = { ...all, path: "/accounts/:account/:environment/enquiries/:enquiry" } as const;

type Services = Pick<ManagementServices, "store" | "showActor">;

/** The operations of staff on enquiries. Viewers have none: enquiries are personal data. */
export function enquiryEndpoints(context: ManageContext) {
  return [
    endpoint({
      ...all,
      operationId: "listEnquiries",
      method: "GET",
      path: "/accounts/:account/:environment/enquiries",
      summary: "List enquiries",
      description: "What visitors of the sites have asked about animals, newest first.",
      query: {
        state: choiceParameter("Only enquiries in this state.", enquiryStates),
        petId: idParameter("Only enquiries about this animal."),
        after: idParameter("Only enquiries older than the one with this ID."),
        limit: limitParameter({ maximum: 1_000, fallback: 100 }),
      },
      success: {
        status: 200,
        description: "One page. `Link` leads to the next one, if any.",
        schema: enquiriesShape,
        example: [example],
        headers: ["Link"],
      },
      refusals: ["not_found"],
      run: (call, services) =>
        inCatalogue(call, services.store, async (catalogueId, root) => {
          const { state, petId, after, limit } = call.query;
          const page = { limit: limit + 1, order: "desc", ...(after && { after }) } as const;
          const found = await context.enquiryStore.list(catalogueId, { state, petId }, page);
          const query = { state, petId, limit };
          const { rows, headers } = pageOf(call, `${root}/enquiries`, found, query);
          const views = await Promise.all(rows.map((row) => view(row, call.principal, services)));
          return done(new Reply(views, { headers }));
        }),
    }),
    endpoint({
      ...all,
      operationId: "countEnquiries",
      method: "GET",
      path: "/accounts/:account/:environment/enquiries/counts",
      summary: "Count enquiries by state",
      description: "How many enquiries are new, answered and closed.",
      success: {
        status: 200,
        description: "The current counts.",
        schema: countsShape,
        example: { new: 2, answered: 5, closed: 31 },
      },
      refusals: ["not_found"],
      run: (call, services) =>
        inCatalogue(call, services.store, async (catalogueId) =>
          done(new Reply(await context.enquiryStore.counts(catalogueId))),
        ),
    }),
    endpoint({
      ...one,
      operationId: "getEnquiry",
      method: "GET",
      summary: "Get an enquiry",
      description: "The enquiry, with its `ETag` for `If-Match`.",
      success: { status: 200, description: "The enquiry.", schema: enquiryShape, example },
      refusals: ["not_found"],
      run: (call, services) =>
        inCatalogue(call, services.store, async (catalogueId) =>
          shown(
            await readEnquiry(context, catalogueId, idIn(call, "enquiry")),
            call.principal,
            services,
          ),
        ),
    }),
    endpoint({
      ...one,
      operationId: "updateEnquiry",
      records: ({ params, body }) => ({
        type: "enquiry.updated",
        data: { enquiry: { id: Number(params["enquiry"]) } },
        changed: membersOf(body),
      }),
      method: "PATCH",
      summary: "Update an enquiry",
      description: "Changes the state or the notes. Omitted members stay unchanged.",
      body: EnquiryPatchSchema,
      conditional: true,
      success: {
        status: 200,
        description: "The updated enquiry.",
        schema: enquiryShape,
        example: { ...example, state: "answered", notes: "Visit on Friday." },
        headers: ["ETag"],
      },
      refusals: ["not_found"],
      run: (call, services) =>
        inCatalogue(call, services.store, async (catalogueId) => {
          const precondition = conditionsOf(call.request, enquiryHasChanged);
          const where = { catalogueId, id: idIn(call, "enquiry") };
          const change = { ...call.body, precondition };
          const updated = await updateEnquiry(context, call.actor, where, change);
          return shown(updated, call.principal, services);
        }),
    }),
    endpoint({
      ...one,
      operationId: "deleteEnquiry",
      records: ({ params }) => ({
        type: "enquiry.removed",
        data: { enquiry: { id: Number(params["enquiry"]) } },
      }),
      method: "DELETE",
      summary: "Delete an enquiry",
      description: "Removes the enquiry permanently, such as when the visitor asks for it.",
      conditional: true,
      success: { status: 204, description: "The enquiry was deleted." },
      refusals: ["not_found"],
      run: (call, services) =>
        inCatalogue(call, services.store, (catalogueId) =>
          removeEnquiry(
            context,
            call.actor,
            { catalogueId, id: idIn(call, "enquiry") },
            conditionsOf(call.request, enquiryHasChanged),
          ),
        ),
    }),
  ] as const;
}

async function shown(
  result: Result<Enquiry, Problem>,
  reader: Principal,
  services: Services,
): Promise<Result<Reply<EnquiryView>, Problem>> {
  if (!result.ok) return result;
  const { value } = result;
  return done(new Reply(await view(value, reader, services), { etag: entityTag(value) }));
}

/** Returns an enquiry as staff see it, with the present name of the person who changed it last. */
async function view(
  { catalogueId: _catalogue, version: _version, changedBy, ...rest }: Enquiry,
  reader: Principal,
  { showActor }: Services,
): Promise<EnquiryView> {
  const actor = changedBy && (await showActor(changedBy, reader));
  return { ...rest, ...(actor === undefined ? {} : { changedBy: actor }) };
}
