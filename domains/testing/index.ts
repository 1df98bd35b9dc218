export { authorityContract, type AuthorityUnderTest } from "./authority-contract.ts";
export { domainStoreContract, type DomainStoreUnderTest } from "./domain-store-contract.ts";
export { leasesContract, type LeasesUnderTest } from "./leases-contract.ts";
