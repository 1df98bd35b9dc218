export { formatServerAddress, parseServerAddress } from "./dns/server-address.ts";
export type { ServerAddress } from "./dns/server-address.ts";
