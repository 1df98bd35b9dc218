export { blobsContract, type BlobsUnderTest } from "./blobs-contract.ts";
export { manualClock, type ManualClock } from "./clock.ts";
export type { ContractCase } from "./contract-case.ts";
export { limiterContract, type LimiterUnderTest } from "./limiter-contract.ts";
export {
  projectStoreContract,
  type ProjectStoreCase,
  type ProjectStores,
} from "./project-store-contract.ts";
export { storeContract, type StoreCase } from "./store-contract.ts";
