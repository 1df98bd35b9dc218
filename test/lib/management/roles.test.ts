import { describe, expect, test } from "bun:test";

import type { Role } from "../../../lib/accounts/principal.ts";
import { everyEndpoint } from "../../helpers/every-endpoint.ts";
import { requestTo, samples, senderOf } from "./samples.ts";
import { openTenants } from "./tenants.ts";

interface Failure {
  readonly code: string;
}

test("every operation has a sample, and every sample an operation", () => {
  const names = everyEndpoint.map(({ operationId }) => operationId);
  expect(Object.keys(samples).toSorted()).toEqual(names.toSorted());
});

// Maintained by hand, so that changing an operation's role fails this test.

/** Operations without a credential: the body of each contains a proof. */
const forAnyone = `getSignIn signIn beginPasskeySignIn signInWithPasskey checkSetupLink claimSetup setUpMember
  checkResetLink resetPassword`;

/** Operations for every member of an account: reading it, and their own sign-in. */
const fromViewer = `getMe listPlans listAccounts getAccount listKeys getKey listProjects listAccountProjects getProject
  listDeploys getDeploy listDeployFiles compareDeploys getSiteFile readUsage getLimits listAccountEvents listAnimals
  listDeletedAnimals getAnimal listAnimalCategories listAnimalOrders getCatalogueSummary listDomains explainDomain
  listProjectDomains getDomainsConfig listDomainSuggestions getDomain listAccountMembers
  updateMe changePassword listSessions signOut endSession endOtherSessions listPasskeys beginPasskey addPasskey
  removePasskey prove beginPasskeyProof proveByPasskey`;

/** Daily work: animals, sites and domains. */
const fromStaff = `importAnimals createAnimal updateAnimal deleteAnimal restoreAnimal createAnimalCategory
  renameAnimalCategory deleteAnimalCategory createProject updateProject createDeploy updateDeploy deleteDeploy
  activateDeploy rollBack addDomain putDomainsConfig verifyDomain updateDomain`;

/** Operations with lasting effects: credentials, members and irreversible changes. */
const fromOwner = `updateAccount createKey renameKey rotateKey unbanKey revokeKey listAccountTokens createAccountToken
  revokeAccountToken deleteProject restoreProject removeDomain createAccountMember updateAccountMember
  createAccountMemberResetLink removeAccountMember`;

/** The installation: all accounts, plans, operators, certificates. */
const forOperator = `createSetupLink createAccount deleteAccount suspendAccount resumeAccount listTokens createToken
  revokeToken listEvents listCertificates renewCertificate exportCertificate listCertificateAccounts
  rolloverCertificateAccount replaceCertificateAccount listMembers createMember createMemberResetLink removeMember
  getSystem listNodes getBaseDomain createSampleShelter revokeCertificate renewHostCertificate
  revokeHostCertificate`;

const matrix: readonly (readonly [operations: string, may: readonly Role[]])[] = [
  [forAnyone, ["viewer", "staff", "owner", "operator"]],
  [fromViewer, ["viewer", "staff", "owner", "operator"]],
  [fromStaff, ["staff", "owner", "operator"]],
  [fromOwner, ["owner", "operator"]],
  [forOperator, ["operator"]],
];

const everyRole: readonly Role[] = ["viewer", "staff", "owner", "operator"];

test("the matrix contains every operation once", () => {
  const named = matrix.flatMap(([operations]) => operations.split(/\s+/));
  const names = everyEndpoint.map(({ operationId }) => operationId);
  expect(named.toSorted()).toEqual(names.toSorted());
});

test("only operations that check a secret in the body need no credential", () => {
  const open = everyEndpoint.filter(({ access }) => access.kind === "anyone");
  const expected = forAnyone.split(/\s+/).toSorted();
  expect(open.map(({ operationId }) => operationId).toSorted()).toEqual(expected);
});

describe("permissions:", () => {
  for (const endpoint of everyEndpoint) {
    const { operationId, method, success } = endpoint;
    const path = endpoint.path.replaceAll(/:(\w+)/g, "{$1}");
    const [, may = []] = matrix.find(([names]) => names.split(/\s+/).includes(operationId)) ?? [];
    for (const role of everyRole) {
      const allowed = may.includes(role);
      test(`${role} ${allowed ? "can" : "cannot"} ${operationId}`, async () => {
        const { office, ours } = await openTenants();
        const sender = await senderOf(office, operationId, role);
        const things = { ...ours.things, ...sender.things };
        const request = requestTo({ operationId, method, path }, things);
        const reply = await sender.api.raw<Failure>(request.method, request.path, request.init);
        if (allowed) expect([reply.status, reply.text]).toEqual([success.status, reply.text]);
        else expect([reply.status, reply.body.code]).toEqual([403, "insufficient_role"]);
      });
    }
  }
});

test("owners may rename their account, and only operators change its plan and limits", async () => {
  const { office, ours } = await openTenants();
  const account = `/manage/v1/accounts/${ours.accountId}`;
  const before = await office.as("owner").get(account);
  for (const body of [{ plan: "pro" }, { limits: { perMinute: 9, perDay: 9 } }]) {
    const reply = await office.as("owner").patch<Failure>(account, { name: "Kept", ...body });
    expect([reply.status, reply.body.code]).toEqual([403, "insufficient_role"]);
  }
  expect((await office.as("owner").get(account)).body).toEqual(before.body);
  const change = { plan: "enterprise", limits: { perMinute: 9, perDay: 99 }, name: "New" };
  const changed = await office.as("operator").patch(account, change);
  expect(changed.body).toMatchObject(change);
});
