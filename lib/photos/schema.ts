import { array, integer, named, nullable, object } from "../base/schema.ts";
import { MAX_PHOTOS } from "../catalogue/model-profile.ts";
import { nameSchema } from "../model/name-schema.ts";

const MAX_ALT = 500;

/** What a photo shows. */
export const altSchema = nameSchema(MAX_ALT, {
  description: "What the photo shows, for people who do not see it.",
  examples: ["Bella lies in the grass"],
});

const percent = integer({ minimum: 0, maximum: 100 });

/** The body of a change of a photo. An absent member keeps its value. */
export const PhotoPatchSchema = named(
  "PhotoPatch",
  object(
    {},
    {
      alt: nullable(altSchema),
      focus: nullable(
        object(
          { x: percent, y: percent },
          {},
          {
            description:
              "The point that stays visible where the photo is cropped, in percent of its width and height.",
            examples: [{ x: 50, y: 30 }],
          },
        ),
      ),
      position: integer({
        minimum: 1,
        maximum: MAX_PHOTOS,
        description: "Its new place among the photos of the animal; 1 is the first.",
        examples: [1],
      }),
    },
  ),
);

/** The body of a change of the order. */
export const PhotoOrderSchema = named(
  "PhotoOrder",
  object({
    order: array(integer({ minimum: 1 }), {
      maxItems: MAX_PHOTOS,
      description: "The IDs of all photos of the animal, in their new order.",
      examples: [[2, 1]],
    }),
  }),
);
