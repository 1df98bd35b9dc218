import { number, plural } from "../format.ts";
import { animalFields } from "./animal-fields.ts";

/** The page of one animal. */
export const animal = {
  save: "Save changes",
  unsaved: "You have unsaved changes.",
  discard: "Discard changes",
  saved: (name: string) => `Saved ${name}.`,
  notSet: "Not known",
  fault: "Check this value.",
  yes: "Yes",
  no: "No",
  viewer: "Your role can view this animal but not change it. Staff and owners can.",

  basics: "Basics",
  about: "About the animal",
  aboutHint: "Shown to visitors as soon as you save. Leave empty what you do not know.",
  record: "Record",
  staff: "Only for staff",
  staffHint: "Never public: not on your sites, not in feeds, and not for API keys.",

  fields: {
    ...animalFields,
    "birth.precision": "Birth date given as",
    "birth.date": animalFields.birth,
    "breed.text": animalFields.breed,
    "breed.mixed": animalFields.mixedBreed,
    "goodWith.children": animalFields.goodWithChildren,
    "goodWith.dogs": animalFields.goodWithDogs,
    "goodWith.cats": animalFields.goodWithCats,
  },
  hints: {
    fee: "A text, such as € 250.",
    text: "Markdown: **bold**, lists and links. Up to 32 KB.",
    externalId: "An import finds the animal again by this number.",
    source: "Such as asm3 or petfinder.",
    month: "Year and month, such as 2024-03.",
    year: "Year, such as 2024.",
  },
  sexes: { female: "Female", male: "Male", unknown: "Not determined" },
  sizes: {
    small: "Small",
    medium: "Medium",
    large: "Large",
    extra_large: "Extra large",
  },
  answers: { yes: "Yes", no: "No", unknown: "Not tested" },
  precisions: { day: "Exact date", month: "Month and year", year: "Year only" },
  age: (unit: "month" | "year", count: number) =>
    unit === "month"
      ? plural(count, { one: "1 month old", other: `${number(count)} months old` })
      : plural(count, { one: "1 year old", other: `${number(count)} years old` }),

  photos: {
    title: "Photos",
    count: (count: number, most: number) => `${number(count)} of ${number(most)}`,
    none: "No photos yet",
    add: "Add photos",
    drop: "Drop photos here",
    dropNow: "Drop to add these photos",
    hint: "JPEG, PNG or WebP, up to 25 MB each. The place where a photo was taken is removed.",
    choose: "Choose photos",
    camera: "Take photo",
    full: "An animal can have 12 photos. Remove one to add another.",
    photo: (position: number) => `Photo ${number(position)}`,
    main: "Main photo",
    noAlt: "No description",
    edit: "Edit photo",
    editOne: (position: number) => `Edit photo ${number(position)}`,
    earlier: (position: number) => `Move photo ${number(position)} forward`,
    later: (position: number) => `Move photo ${number(position)} back`,
    removeOne: (position: number) => `Remove photo ${number(position)}`,
    moved: (position: number, count: number) =>
      `The photo is now number ${number(position)} of ${number(count)}.`,
    added: (count: number) =>
      plural(count, { one: "Added 1 photo.", other: `Added ${number(count)} photos.` }),
    removed: "Removed the photo.",
    sending: (name: string) => `Sending ${name}`,
    making: (name: string) => `Preparing ${name}`,
    dismiss: "Dismiss",
    faults: {
      heic: "This is a HEIC photo, which browsers cannot show. Save it as JPEG, or add it on the phone that took it.",
      no_picture: "This is not a picture that can be shown. Use JPEG, PNG or WebP.",
      too_large: "This file is larger than 25 MB. Save it smaller.",
      too_many: "An animal can have 12 photos. Remove one, then add this one.",
    },
    /** Refusals of the service, whose own message says more. */
    refused: {
      invalid_picture: "This file cannot become a photo. Save it again as JPEG, PNG or WebP.",
      unsupported_media_type:
        "This kind of picture is not supported. Save it as JPEG, PNG or WebP.",
      payload_too_large: "There is no room for this photo.",
      limit_reached: "An animal can have 12 photos. Remove one, then add this one.",
      unavailable: "The server is busy or unreachable. Try again in a moment.",
    },
    alt: "Description",
    altHint: "What the photo shows, for people who cannot see it. Up to 500 characters.",
    focus: "Focus point",
    focusHint:
      "The part that must stay visible when the photo is cropped: click or tap it, or move the point with the arrow keys.",
    focusAt: (x: number, y: number) => `${number(x)} % from the left, ${number(y)} % from the top`,
    centre: "Centre it",
    savePhoto: "Save photo",
    saved: "Saved the photo.",
  },

  history: {
    title: "History",
    none: "No changes in the last 30 days",
    about: "The last changes, up to 30 days back.",
    happened: {
      "pet.created": "Added",
      "pet.updated": "Basics changed",
      "pet.available": "Available",
      "pet.pending": "Reserved",
      "pet.sold": "Adopted",
      "pet.deleted": "Deleted",
      "pet.restored": "Restored",
      "pet.profile_updated": "Profile or order of photos changed",
      "photo.added": "Photo added",
      "photo.removed": "Photo removed",
      "order.placed": "Adoption recorded",
      "order.updated": "Adoption changed",
      "order.removed": "Adoption removed as a mistake",
    },
  },
};

export type AnimalWords = typeof animal;
