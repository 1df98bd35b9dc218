export { tarGz } from "./archive/write-tar.ts";
export type { FileToPack } from "./archive/write-tar.ts";
export type { Deploy, DeployProgress } from "./model/deploy.ts";
export { MAX_ENTRIES, MAX_FILE_BYTES, MAX_TOTAL_BYTES } from "./archive/limits.ts";
export { areaAt, hostName, hostTable, previewLabel, serviceAt } from "./hosts.ts";
export type { Area, Host, HostOptions, Service } from "./hosts.ts";
export { unknownPage } from "./serving/plain-page.ts";
export type { Found, Site, Sites } from "./site.ts";
export { memoryBlobs } from "./memory-blobs.ts";
export { sqlProjectStore } from "./storage/sql-project-store.ts";
export type { Blobs } from "./blobs.ts";
export type { ProjectStore } from "./project-store.ts";
export { createPublishing } from "./publishing.ts";
export type { Publishing, PublishingOptions } from "./publishing.ts";
export type { AddressOfProject } from "./photo-host.ts";
export type { VisitContext } from "./serving/visit.ts";
export type { Compress } from "./ingest/ingest.ts";
export type { BlobBody, ByteRange, ListedBlob, PutOptions, StoredBlob } from "./blobs.ts";
export { isBlobName, BlobTooLarge } from "./blobs.ts";
export { deployStates } from "../model/deploy-states.ts";
export type { DeployState } from "../model/deploy-states.ts";
export type { EncodedFile, Manifest, ManifestFile } from "./model/deploy.ts";
export { onOrOff, schemes, siteLanguages } from "./model/project.ts";
export type {
  OnOrOff,
  Project,
  ProjectFilter,
  SiteLanguage,
  SiteSettings,
  Theme,
} from "./model/project.ts";
export { goneBetween } from "./model/gone.ts";
export type { Gone, LosableFile } from "./model/gone.ts";
export type { UnusedFile, UnusedReason } from "./model/animal-files.ts";
export { siteFields } from "./model/site-settings.ts";
export type { SiteChange, SiteField } from "./model/site-settings.ts";
export type { SiteFile } from "./model/site-file.ts";
export type {
  EnquiryAnswer,
  EnquiryDesk,
  EnquiryFault,
  EnquiryFaults,
  EnquiryField,
  EnquirySite,
  EnquirySubject,
  TypedEnquiry,
} from "./enquiry-desk.ts";
export type { Projects } from "./projects.ts";
export { siteEmail } from "./live-site-file.ts";
export type { Markdown } from "./storefront.ts";
export { projectSchema } from "./storage/migrations.ts";
export type { SqlProjectStoreOptions } from "./storage/sql-project-store.ts";
export type {
  DomainsRequest,
  SiteHeaders,
  SiteLinks,
  SiteRedirect,
  StorefrontSettings,
} from "./model/site-file.ts";
export type { AddressedProject, ProjectQuery } from "./project-store.ts";
export type {
  ProjectChange,
  ProjectConflict,
  ProjectOutcome,
  ProjectRefusal,
} from "./project-store.ts";
