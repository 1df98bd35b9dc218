import { number, plural } from "../format.ts";

/** Enquiries of visitors. */
export const enquiries = {
  title: "Enquiries",
  about: "What visitors of your sites have asked about animals.",
  state: "Status",
  states: { new: "New", answered: "Answered", closed: "Closed" },
  anyState: "All statuses",
  showAll: "Clear filters",
  from: "From",
  animal: "Animal",
  when: "Received",
  number: "Number",
  actions: "Actions",
  stateOf: (name: string) => `Status of the enquiry from ${name}`,
  open: "Open enquiry",
  openOne: (name: string) => `Open the enquiry from ${name}`,
  heading: (name: string) => `Enquiry from ${name}`,
  aboutAnimal: (animal: string, site: string) => `About ${animal}, on ${site}`,
  email: "Email",
  phone: "Phone",
  message: "Message",
  reply: "Reply by email",
  subject: (animal: string) => `Your enquiry about ${animal}`,
  notes: "Notes",
  notesHint: "Only staff and owners of this account see them.",
  save: "Save enquiry",
  saved: (name: string) => `Saved the enquiry from ${name}.`,
  moved: (state: string) => `The enquiry is now “${state}”.`,
  changedBy: (who: string, when: string) => `Last changed by ${who}, ${when}`,
  unnamed: {
    member: "a member who was removed",
    token: "a token",
    key: "an API key",
    user: "a user of your application",
    operator: "the operator",
    visitor: "a visitor",
    command: "a command on the server",
    host: "the server",
    system: "the server",
  },
  remove: {
    action: "Delete enquiry",
    title: (name: string) => `Delete the enquiry from ${name}?`,
    text: "The message and the notes are deleted permanently.",
    done: (name: string) => `Deleted the enquiry from ${name}.`,
  },
  export: "Export enquiries as CSV",
  exported: (count: number) =>
    plural(count, {
      one: "Exported 1 enquiry.",
      other: `Exported ${number(count)} enquiries.`,
    }),
  shown: (count: number, more: boolean) =>
    more
      ? `Showing the newest ${number(count)}`
      : plural(count, { one: "1 enquiry", other: `${number(count)} enquiries` }),
  emptyTitle: "No enquiries yet",
  emptyText:
    "The page of each animal on your sites leads to a form. What visitors send appears here.",
  noneFoundTitle: "No enquiries match",
  noneFoundText: "Change or clear the filters.",
  viewer: "Enquiries are personal data. Staff and owners of this account can read them.",
};

export type EnquiriesWords = typeof enquiries;
