export { tarGz } from "./archive/write-tar.ts";
export type { FileToPack } from "./archive/write-tar.ts";
export type { Deploy, DeployProgress, DeployState } from "./model/deploy.ts";
