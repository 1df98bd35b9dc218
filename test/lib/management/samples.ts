import type { Role } from "../../../lib/accounts/principal.ts";
import type { Api } from "../../helpers/api.ts";
import { PASSWORD, type Office } from "../../helpers/management.ts";
import { belongings } from "./belongings.ts";
import type { Things } from "./tenants.ts";

/** The parts of a valid request other than its path parameters. */
export interface Sample {
  readonly body?: (things: Things) => unknown;
  /** Path parameters that replace the account's usual ones. */
  readonly things?: (things: Things) => Things;
  /** Uses a browser, signed in or not, instead of a token. */
  readonly by?: "browser" | "member";
}

const nothing: Sample = {};

/**
 * A valid request to every operation, by its name. Tests over all operations fail for an operation without a sample,
 * so every new operation needs one.
 */
export const samples: Readonly<Record<string, Sample>> = {
  getMe: nothing,
  listPlans: nothing,
  createSetupLink: nothing,
  checkSetupLink: { body: ({ setup }) => ({ token: setup }) },
  claimSetup: { body: ({ setup }) => ({ token: setup }) },
  listAccounts: nothing,
  createAccount: { body: () => ({ name: "Hedgehogs" }) },
  getAccount: nothing,
  updateAccount: { body: () => ({ name: "Renamed" }) },
  deleteAccount: nothing,
  suspendAccount: nothing,
  resumeAccount: nothing,
  listTokens: nothing,
  createToken: { body: () => ({ name: "spare" }) },
  revokeToken: { things: ({ operatorToken = "" }) => ({ token: operatorToken }) },
  listAccountTokens: nothing,
  createAccountToken: { body: () => ({ role: "viewer" }) },
  revokeAccountToken: nothing,
  listKeys: nothing,
  createKey: { body: () => ({ name: "website" }) },
  getKey: nothing,
  renameKey: { body: () => ({ name: "Renamed" }) },
  rotateKey: { body: () => ({ overlapMs: 0 }) },
  unbanKey: nothing,
  revokeKey: nothing,
  listProjects: nothing,
  listAccountProjects: nothing,
  createProject: { body: () => ({ name: "Another site" }) },
  getProject: nothing,
  updateProject: { body: () => ({ name: "Renamed" }) },
  deleteProject: nothing,
  restoreProject: { things: ({ deletedProject = "" }) => ({ project: deletedProject }) },
  listDeploys: nothing,
  createDeploy: { body: () => ({ source: "starter" }) },
  getDeploy: nothing,
  updateDeploy: { body: () => ({ pinned: true }) },
  deleteDeploy: nothing,
  listDeployFiles: nothing,
  compareDeploys: nothing,
  getSiteFile: nothing,
  activateDeploy: nothing,
  rollBack: { body: ({ deploy }) => ({ to: deploy }) },
  getSystem: nothing,
  listNodes: nothing,
  getBaseDomain: nothing,
  createSampleShelter: nothing,
  listDomains: nothing,
  explainDomain: { body: () => ({ domain: "cats.shelter.org" }) },
  listProjectDomains: nothing,
  addDomain: { body: () => ({ domain: "cats.shelter.org" }) },
  getDomain: nothing,
  verifyDomain: nothing,
  updateDomain: { body: () => ({ hstsSeconds: 60 }) },
  removeDomain: nothing,
  getDomainsConfig: nothing,
  putDomainsConfig: { body: ({ domain }) => ({ primary: domain, redirects: [] }) },
  listDomainSuggestions: nothing,
  listCertificates: nothing,
  renewCertificate: nothing,
  exportCertificate: nothing,
  revokeCertificate: { body: () => ({ reason: "superseded" }) },
  listCertificateAccounts: nothing,
  rolloverCertificateAccount: nothing,
  replaceCertificateAccount: nothing,
  renewHostCertificate: nothing,
  revokeHostCertificate: { body: () => ({ reason: "superseded" }) },
  readUsage: nothing,
  getLimits: nothing,
  listAccountEvents: nothing,
  listEvents: nothing,
  listAnimals: nothing,
  listAnimalCategories: nothing,
  createAnimal: { body: () => ({ name: "Rex", categoryId: 1 }) },
  getAnimal: nothing,
  updateAnimal: { body: () => ({ status: "pending" }) },
  deleteAnimal: nothing,
  restoreAnimal: nothing,
  listDeletedAnimals: nothing,
  createAnimalCategory: { body: () => ({ name: "Rabbits" }) },
  renameAnimalCategory: { body: () => ({ name: "Hedgehogs" }) },
  deleteAnimalCategory: nothing,
  listAnimalOrders: nothing,
  getCatalogueSummary: nothing,
  getSignIn: nothing,
  signIn: { by: "browser", body: ({ email }) => ({ email, password: PASSWORD }) },
  beginPasskeySignIn: { by: "browser" },
  signInWithPasskey: {
    by: "browser",
    body: ({ credential, signInChallenge }) => ({
      response: { id: credential, challenge: signInChallenge, counter: 1 },
    }),
  },
  setUpMember: {
    by: "browser",
    body: ({ setup }) => ({ token: setup, email: "new@example.org", password: PASSWORD }),
  },
  checkResetLink: { body: ({ reset }) => ({ token: reset }) },
  resetPassword: { by: "browser", body: ({ reset }) => ({ token: reset, password: PASSWORD }) },
  updateMe: { by: "member", body: () => ({ name: "Grace" }) },
  changePassword: {
    by: "member",
    body: () => ({ current: PASSWORD, password: "nine shy hedgehogs sleep" }),
  },
  listSessions: { by: "member" },
  signOut: { by: "member" },
  endSession: { by: "member" },
  endOtherSessions: { by: "member" },
  listPasskeys: { by: "member" },
  beginPasskey: { by: "member" },
  addPasskey: {
    by: "member",
    body: ({ challenge }) => ({ name: "Phone", response: { id: "phone", challenge } }),
  },
  removePasskey: { by: "member" },
  prove: { by: "member", body: () => ({ password: PASSWORD }) },
  beginPasskeyProof: { by: "member" },
  proveByPasskey: {
    by: "member",
    body: ({ credential, proofChallenge }) => ({
      response: { id: credential, challenge: proofChallenge, counter: 1 },
    }),
  },
  listMembers: nothing,
  createMember: { body: () => ({ email: "newcomer@example.org" }) },
  createMemberResetLink: { things: ({ operator = "" }) => ({ member: operator }) },
  removeMember: { things: ({ operator = "" }) => ({ member: operator }) },
  listAccountMembers: nothing,
  createAccountMember: { body: () => ({ email: "newcomer@example.org", role: "viewer" }) },
  updateAccountMember: { body: () => ({ role: "staff" }) },
  createAccountMemberResetLink: nothing,
  removeAccountMember: nothing,
  importAnimals: { body: () => ({ rows: [{ name: "Rex", categoryId: 1 }] }) },
};

/** Returns the path of an operation with the given resources. */
export function filled(path: string, things: Things): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const thing = things[name];
    if (thing === undefined) throw new Error(`Nothing stands for {${name}}.`);
    return encodeURIComponent(thing);
  });
}

/**
 * Returns the valid request to an operation with the given resources; `instead` overrides path parameters.
 * Throws for an operation that has no sample.
 */
export function requestTo(
  { operationId, method, path }: { operationId: string; method: string; path: string },
  things: Things,
  instead: Things = {},
): { readonly method: string; readonly path: string; readonly init: RequestInit } {
  const sample = samples[operationId];
  if (sample === undefined) throw new Error(`There is no sample of ${operationId}.`);
  const body = sample.body?.(things);
  const own = { ...things, ...sample.things?.(things), ...instead };
  return {
    method,
    path: `/manage/v1${filled(path, own)}`,
    init:
      body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { "content-type": "application/json" } },
  };
}

/** The sender of a sample in a role, and its own resources. */
export async function senderOf(
  office: Office,
  operationId: string,
  role: Role,
): Promise<{ readonly api: Api; readonly things: Things }> {
  const { by } = samples[operationId] ?? nothing;
  if (by === undefined) return { api: office.as(role), things: {} };
  if (by === "browser") return { api: office.browser().api, things: {} };
  const browser = await office.signIn(role);
  return { api: browser.api, things: await belongings(office, browser) };
}
