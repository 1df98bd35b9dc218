import type { Role } from "../../../lib/accounts/principal.ts";
import type { Api } from "../../helpers/api.ts";
import { everyEndpoint } from "../../helpers/every-endpoint.ts";
import { PASSWORD, type Office } from "../../helpers/management.ts";
import { pngOf } from "../../helpers/pictures.ts";
import { sampleOf } from "../../helpers/sample-body.ts";
import { zipOfEntries } from "../../helpers/zips.ts";
import { belongings } from "./belongings.ts";
import type { Things } from "./tenants.ts";

/** The parts of a valid request other than its path parameters. */
interface Sample {
  readonly body?: (things: Things) => unknown;
  /** A body that is not JSON, and its type. */
  readonly file?: { readonly content: Uint8Array<ArrayBuffer>; readonly type: string };
  /** Path parameters that replace the account's usual ones. */
  readonly things?: (things: Things) => Things;
  /** Uses a browser, signed in or not, instead of a token. */
  readonly by?: "browser" | "member";
}

/** The requests that do not follow from the declaration of their operation. */
export const samples: Readonly<Record<string, Sample>> = {
  checkSetupLink: { body: ({ setup }) => ({ token: setup }) },
  claimSetup: { body: ({ setup }) => ({ token: setup }) },
  revokeToken: { things: ({ operatorToken = "" }) => ({ token: operatorToken }) },
  renameKey: { body: () => ({ name: "Renamed" }) },
  restoreProject: { things: ({ deletedProject = "" }) => ({ project: deletedProject }) },
  updateSite: { body: () => ({ title: "Brightside" }) },
  rollBack: { body: ({ deploy }) => ({ to: deploy }) },
  putDomainsConfig: { body: ({ domain }) => ({ primary: domain, redirects: [] }) },
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
  readSharedDomain: { body: ({ shared }) => ({ token: shared }) },
  checkResetLink: { body: ({ reset }) => ({ token: reset }) },
  resetPassword: { by: "browser", body: ({ reset }) => ({ token: reset, password: PASSWORD }) },
  updateMe: { by: "member", body: () => ({ name: "Grace" }) },
  listMyMails: { by: "member" },
  switchMyMails: { by: "member", body: () => ({ kind: "new_device", on: false }) },
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
  createMemberResetLink: { things: ({ operator = "" }) => ({ member: operator }) },
  removeMember: { things: ({ operator = "" }) => ({ member: operator }) },
  // Without a member that differs, these would change nothing.
  updateAccount: { body: () => ({ name: "Renamed" }) },
  updateProject: { body: () => ({ name: "Renamed" }) },
  updateAnimal: { body: () => ({ name: "Renamed" }) },
  updateAnimalOrder: { body: () => ({ status: "delivered" }) },
  replaceAnimalProfile: { body: () => ({ sex: "female" }) },
  updateAnimalProfile: { body: () => ({ sex: "female" }) },
  updateEnquiry: { body: () => ({ state: "answered" }) },
  updateWebhook: { body: () => ({ description: "Other" }) },
  replayWebhook: { body: ({ event }) => ({ event: Number(event) }) },
  getSystemWebhook: { things: ofSystem },
  updateSystemWebhook: { things: ofSystem, body: () => ({ description: "Other" }) },
  deleteSystemWebhook: { things: ofSystem },
  rotateSystemWebhook: { things: ofSystem },
  testSystemWebhook: { things: ofSystem },
  listSystemWebhookDeliveries: { things: ofSystem },
  getSystemWebhookDelivery: { things: ofSystem },
  replaySystemWebhook: { things: ofSystem, body: ({ event }) => ({ event: Number(event) }) },
  updateDomain: { body: () => ({ hstsSeconds: 300 }) },
  addAnimalPhoto: {
    file: { content: Uint8Array.from(await pngOf({ width: 1, height: 1 })), type: "image/png" },
  },
  orderAnimalPhotos: {
    body: ({ photo = "" }) => ({ order: Array.from({ length: Number(photo) }, (_, at) => at + 1) }),
  },
  updateAnimalPhoto: { body: () => ({ alt: "Rex runs" }) },
  createImport: {
    file: { content: new TextEncoder().encode("name,category\nAda,Dogs\n"), type: "text/csv" },
  },
  addImportPhotos: {
    file: {
      content: Uint8Array.from(zipOfEntries([{ name: "Ada.jpg", content: "" }])),
      type: "application/zip",
    },
  },
  mapImport: { body: () => ({ goodRows: true }) },
  cancelImport: { things: ({ otherImport = "" }) => ({ import: otherImport }) },
  undoImport: { things: ({ doneImport = "" }) => ({ import: doneImport }) },
  importAnimals: { body: () => ({ rows: [{ name: "Ada", category: "Dogs" }] }) },
  // Another category has the name of the example.
  renameAnimalCategory: { body: () => ({ name: "Hedgehogs" }) },
};

/** Returns the webhook of the installation instead of the account's. */
function ofSystem({ systemWebhook = "" }: Things): Things {
  return { webhook: systemWebhook };
}

const bodies = new Map(everyEndpoint.map(({ operationId, body }) => [operationId, body]));

/** Returns the body of a valid request: the sample's, or one made from the schema. */
function bodyOf(operationId: string, things: Things): unknown {
  const { body } = samples[operationId] ?? {};
  if (body !== undefined) return body(things);
  const schema = bodies.get(operationId);
  return schema === undefined ? undefined : sampleOf(schema.json);
}

/** Returns the path of an operation with the given resources. */
export function filled(path: string, things: Things): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const thing = things[name];
    if (thing === undefined) throw new Error(`Nothing stands for {${name}}.`);
    return encodeURIComponent(thing);
  });
}

/** Returns a valid request to an operation with the given resources; `instead` overrides path parameters. */
export function requestTo(
  { operationId, method, path }: { operationId: string; method: string; path: string },
  things: Things,
  instead: Things = {},
): { readonly method: string; readonly path: string; readonly init: RequestInit } {
  const body = bodyOf(operationId, things);
  const file = samples[operationId]?.file;
  const own = { ...things, ...samples[operationId]?.things?.(things), ...instead };
  return {
    method,
    path: `/manage/v1${filled(path, own)}`,
    init:
      file !== undefined
        ? { body: file.content, headers: { "content-type": file.type } }
        : body === undefined
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
  const { by } = samples[operationId] ?? {};
  if (by === undefined) return { api: office.as(role), things: {} };
  if (by === "browser") return { api: office.browser().api, things: {} };
  const browser = await office.signIn(role);
  return { api: browser.api, things: await belongings(office, browser) };
}
