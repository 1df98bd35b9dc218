import { andThen } from "../../base/eventual.ts";
import { actions } from "./late-actions.ts";
import {
  ProfileInputSchema,
  ProfilePatchSchema,
  ProfileSchema,
  profileExample,
  profileShown,
} from "../profile-schema.ts";
import type { Also } from "../../storage/change.ts";
import type { CatalogueContext } from "../commit.ts";
import type { ProfileUpdate, ShownProfile } from "../profiles.ts";
import { profileHasChanged } from "../refusals.ts";
import { operation, rowOf, type CatalogueCall, type Reader } from "./operation.ts";

const path = "/pets/:pet/profile";

const shown = rowOf({
  schema: ProfileSchema,
  example: profileExample,
  show: (row: ShownProfile, to: Reader) => profileShown(row, to),
});

type CallFor<Body> = CatalogueCall<Body, unknown, "pet">;

/** Returns what updates a profile; `keep` says what stays of the one before. */
export const updating =
  (keep: ProfileUpdate["keep"]) =>
  (
    context: CatalogueContext,
    { catalogueId, ids, body, precondition }: CallFor<ProfileUpdate["changes"]>,
    also: Also<ShownProfile>,
  ) =>
    andThen(actions(), ({ updateProfile }) =>
      updateProfile(
        context,
        catalogueId,
        { petId: ids.pet, keep, changes: body, precondition },
        also,
      ),
    );

export const reading = {
  method: "GET",
  path,
  summary: "Get a profile",
  description:
    "What is known about an animal besides its fields as a pet, and its photos. Members that are not known are absent. The profile has its own `ETag`.",
  success: "The profile.",
  run: (context: CatalogueContext, { catalogueId, ids }: CallFor<unknown>) =>
    andThen(actions(), ({ readProfile }) => readProfile(context, catalogueId, ids.pet)),
} as const;

export const replacing = {
  method: "PUT",
  path,
  summary: "Replace a profile",
  conditional: profileHasChanged,
  success: "The profile.",
} as const;

export const changing = {
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
});

const replaceProfile = operation({
  ...replacing,
  public: { operationId: "replacePetProfile", scope: "pets:write", stability: "beta" },
  description:
    "Replaces the profile: members that are not sent become unknown. Photos, and what only staff see, stay.",
  body: ProfileInputSchema,
  output: shown,
  refusals: ["invalid_value"],
  run: updating("staff"),
});

const changeProfile = operation({
  ...changing,
  public: { operationId: "updatePetProfile", scope: "pets:write", stability: "beta" },
  body: ProfilePatchSchema,
  output: shown,
  refusals: ["invalid_value"],
  run: updating("all"),
});

export const profileOperations = [getProfile, replaceProfile, changeProfile] as const;
