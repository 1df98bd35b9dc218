import {
  staffProfileExample,
  StaffProfileInputSchema,
  StaffProfilePatchSchema,
  StaffProfileSchema,
  staffProfileShown,
} from "../profile-schema.ts";
import type { ShownProfile } from "../profiles.ts";
import { operation, rowOf, type Reader } from "./operation.ts";
import { changing, reading, replacing, updating } from "./profiles.ts";

/** A profile as a text of an animal and its two texts about staff: enough for every character as an escape. */
const MAX_PROFILE_BYTES: number = 512 * 1024;

const staffShown = rowOf({
  schema: StaffProfileSchema,
  example: staffProfileExample,
  show: (row: ShownProfile, to: Reader) => staffProfileShown(row, to),
});

const getStaffProfile = operation({
  ...reading,
  management: { operationId: "getAnimalProfile", role: "viewer" },
  output: staffShown,
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
  run: updating("none"),
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
  run: updating("all"),
});

/** The operations on profiles as staff see them. */
export const staffProfileOperations = [
  getStaffProfile,
  replaceStaffProfile,
  changeStaffProfile,
] as const;
