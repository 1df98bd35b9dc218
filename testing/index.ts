export { blobsContract, type BlobsUnderTest } from "./blobs-contract.ts";
export { manualClock, type ManualClock } from "./clock.ts";
export type { ContractCase } from "./contract-case.ts";
export { imagesContract, type ImagesUnderTest } from "./images-contract.ts";
export { limiterContract, type LimiterUnderTest } from "./limiter-contract.ts";
export { mailStoreContract } from "./mail-store-contract.ts";
export type { MailStoreUnderTest } from "./mail-store-contract.ts";
export { memberStoreContract, type MemberStoreUnderTest } from "./member-store-contract.ts";
export {
  projectStoreContract,
  type ProjectStoreCase,
  type ProjectStores,
} from "./project-store-contract.ts";
export { sqlContract } from "./sql-contract.ts";
export { storeContract, type StoreCase } from "./store-contract.ts";
export { auditStoreContract, type AuditStoreUnderTest } from "./audit-store-contract.ts";
export { enquiryStoreContract, type EnquiryStoreUnderTest } from "./enquiry-store-contract.ts";
export { requestStoreContract, type RequestStoreUnderTest } from "./request-store-contract.ts";
export { tokenStoreContract, type TokenStoreUnderTest } from "./token-store-contract.ts";
export { webhookStoreContract, type WebhookStoreUnderTest } from "./webhook-store-contract.ts";
