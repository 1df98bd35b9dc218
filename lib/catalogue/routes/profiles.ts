import {
  ProfileInputSchema,
  ProfilePatchSchema,
  ProfileSchema,
  profileExample,
  profileShown,
  StaffProfileInputSchema,
  StaffProfilePatchSchema,
  StaffProfileSchema,
  staffProfileExample,
  staffProfileShown,
} from "../profile-schema.ts";
import { onlyStaff } from "../model-profile.ts";
import { profileHasChanged, readProfile, updateProfile, type ShownProfile } from "../profiles.ts";
import { operation, rowOf, type Reader } from "./operation.ts";

const path = "/pets/:pet/profile";

/** A profile as a text of an animal and its two texts about staff: enough for every character as an escape. */
const MAX_PROFILE_BYTES: number = 512 * 1024;

const shown = rowOf({
  schema: ProfileSchema,
  example: profileExample,
  show: (row: ShownProfile, to: Reader) => profileShown(row, to),
});
const staffShown = rowOf({
  schema: StaffProfileSchema,
  example: staffProfileExample,
  show: (row: ShownProfile, to: Reader) => staffProfileShown(row, to),
});

const reading = {
  method: "GET",
  path,
  summary: "Get a profile",
  description:
    "What is known about an animal besides its fields as a pet, and its photos. Members that are not known are absent. The profile has its own `ETag`.",
  success: "The profile.",
} as const;

const replacing = {
  method: "PUT",
  path,
  summary: "Replace a profile",
  conditional: profileHasChanged,
  success: "The profile.",
} as const;

const changing = {
  method: "PATCH",
  path,
  summary: "Update a profile",
  description:
    "Changes the members that are sent; null removes one. `breed` and `goodWith` are changed member by member in the same way.",
  conditional: profileHasChanged,
  success: "The profile.",
} as const;

const getProfile = operation({
  ...reading,
  public: { operationId: "getPetProfile", scope: "pets:read", stability: "beta" },
  output: shown,
  run: (context, { catalogueId, ids }) => readProfile(context, catalogueId, ids.pet),
});

const replaceProfile = operation({
  ...replacing,
  public: { operationId: "replacePetProfile", scope: "pets:write", stability: "beta" },
  description:
    "Replaces the profile: members that are not sent become unknown. Photos, and what only staff see, stay.",
  body: ProfileInputSchema,
  output: shown,
  refusals: ["invalid_value"],
  run: (context, { catalogueId, ids, body, precondition }, also) =>
    updateProfile(
      context,
      catalogueId,
      { petId: ids.pet, keep: onlyStaff, changes: body, precondition },
      also,
    ),
});

const changeProfile = operation({
  ...changing,
  public: { operationId: "updatePetProfile", scope: "pets:write", stability: "beta" },
  body: ProfilePatchSchema,
  output: shown,
  refusals: ["invalid_value"],
  run: (context, { catalogueId, ids, body, precondition }, also) =>
    updateProfile(
      context,
      catalogueId,
      { petId: ids.pet, keep: (from) => from, changes: body, precondition },
      also,
    ),
});

const getStaffProfile = operation({
  ...reading,
  management: { operationId: "getAnimalProfile", role: "viewer" },
  output: staffShown,
  run: (context, { catalogueId, ids }) => readProfile(context, catalogueId, ids.pet),
});

const replaceStaffProfile = operation({
  ...replacing,
  management: {
    operationId: "replaceAnimalProfile",
    role: "staff",
    maxBodyBytes: MAX_PROFILE_BYTES,
  },
  description: "Replaces the profile: members that are not sent become unknown. Photos stay.",
  body: StaffProfileInputSchema,
  output: staffShown,
  refusals: ["invalid_value"],
  run: (context, { catalogueId, ids, body, precondition }, also) =>
    updateProfile(
      context,
      catalogueId,
      { petId: ids.pet, keep: () => ({}), changes: body, precondition },
      also,
    ),
});

const changeStaffProfile = operation({
  ...changing,
  management: {
    operationId: "updateAnimalProfile",
    role: "staff",
    maxBodyBytes: MAX_PROFILE_BYTES,
  },
  body: StaffProfilePatchSchema,
  output: staffShown,
  refusals: ["invalid_value"],
  run: (context, { catalogueId, ids, body, precondition }, also) =>
    updateProfile(
      context,
      catalogueId,
      { petId: ids.pet, keep: (from) => from, changes: body, precondition },
      also,
    ),
});

export const profileOperations = [
  getProfile,
  replaceProfile,
  changeProfile,
  getStaffProfile,
  replaceStaffProfile,
  changeStaffProfile,
] as const;
