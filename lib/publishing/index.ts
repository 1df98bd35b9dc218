export { tarGz } from "./archive/write-tar.ts";
export type { FileToPack } from "./archive/write-tar.ts";
export type { Deploy, DeployProgress, DeployState } from "./model/deploy.ts";
export { areaAt, hostTable, serviceAt } from "./hosts.ts";
export type { Area, Host, HostOptions, Service } from "./hosts.ts";
export type { Publishing, VisitContext } from "./publishing.ts";
export { unknownPage } from "./serving/plain-page.ts";
export type { Found, Site, Sites } from "./site.ts";
