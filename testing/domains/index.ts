export { authorityContract, type AuthorityUnderTest } from "./authority-contract.ts";
export { domainStoreContract } from "./domain-store-contract.ts";
export type { DomainStoreUnderTest } from "./rows.ts";
export { leasesContract, type LeasesUnderTest } from "./leases-contract.ts";
export { startSandbox, type Sandbox, type SandboxOptions } from "./sandbox/sandbox.ts";
