export { createEnquiries } from "./create-enquiries.ts";
export type { Enquiries, EnquiriesOptions } from "./create-enquiries.ts";
export type {
  EnquiryChange,
  EnquiryCounts,
  EnquiryFilter,
  EnquiryRefusal,
  EnquiryStore,
  NewEnquiry,
} from "./enquiry-store.ts";
export { enquiryStates } from "./model.ts";
export type { Enquiry, EnquiryContent, EnquiryState } from "./model.ts";
export type { EnquiryView } from "./routes/enquiries.ts";
export { enquirySchema } from "./storage/rows.ts";
export { memoryEnquiryStore } from "./storage/memory-enquiry-store.ts";
export { sqlEnquiryStore } from "./storage/sql-enquiry-store.ts";
export type { SqlEnquiryStoreOptions } from "./storage/sql-enquiry-store.ts";
