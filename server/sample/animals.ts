import type { PetStatus } from "../../lib/index.ts";
import bruno from "./photos/bruno.webp" with { type: "file" };
import cleo from "./photos/cleo.webp" with { type: "file" };
import clover from "./photos/clover.webp" with { type: "file" };
import hubert from "./photos/hubert.webp" with { type: "file" };
import kiwi from "./photos/kiwi.webp" with { type: "file" };
import mimi from "./photos/mimi.webp" with { type: "file" };
import otto from "./photos/otto.webp" with { type: "file" };
import pearl from "./photos/pearl.webp" with { type: "file" };
import pippa from "./photos/pippa.webp" with { type: "file" };
import shadow from "./photos/shadow.webp" with { type: "file" };
import sheldon from "./photos/sheldon.webp" with { type: "file" };
import skye from "./photos/skye.webp" with { type: "file" };

const photos = {
  bruno,
  cleo,
  clover,
  hubert,
  kiwi,
  mimi,
  otto,
  pearl,
  pippa,
  shadow,
  sheldon,
  skye,
} as const;

type PhotoName = keyof typeof photos;

/** Reads the photo of an animal, as WebP; scripts/draw-sample.mjs drew it. */
export function photoOf(name: PhotoName): Promise<Uint8Array> {
  return Bun.file(photos[name]).bytes();
}

export interface SampleAnimal {
  readonly name: string;
  readonly category: "Dogs" | "Cats" | "Small animals" | "Birds";
  /** Its status after it is added. */
  readonly status: PetStatus;
  readonly photo: PhotoName;
  /** Markdown; the first paragraph is shown on the card. */
  readonly bio: string;
}

/** Categories that a new account lacks. */
export const sampleCategories = ["Small animals", "Birds"] as const;

/** The animals of the sample shelter, in the order of their arrival. */
export const sampleAnimals: readonly SampleAnimal[] = [
  {
    name: "Bruno",
    category: "Dogs",
    status: "available",
    photo: "bruno",
    bio: `Bruno is seven and has decided that every day is a good one. He brings a slipper to everyone who comes through the door; not necessarily their own.

He walks well on a lead, likes other dogs, and is happy with two long rounds a day and a rug in between.

- gets along with children and calm cats
- is fine on his own for half a day
- would rather take the lift`,
  },
  {
    name: "Mimi",
    category: "Cats",
    status: "available",
    photo: "mimi",
    bio: `Mimi talks. About breakfast, about the weather, about the door that is closed. She is three, very clean, and asleep on your lap by the second visit.

She should have a balcony or a garden. Another cat is fine, as long as it listens.`,
  },
  {
    name: "Skye",
    category: "Dogs",
    status: "pending",
    photo: "skye",
    bio: `Skye needs to run. She is two, clever, and opens doors by their handles, which is impressive the first time.

She suits people who are out every day, whatever the weather, and who enjoy giving a dog a job.`,
  },
  {
    name: "Clover",
    category: "Small animals",
    status: "available",
    photo: "clover",
    bio: `Clover is a house rabbit with opinions about carpets. He is one and a half, uses his litter tray, and comes when he hears the parsley.

Rabbits need company: he moves to where another one waits, or we find him a friend first.`,
  },
  {
    name: "Shadow",
    category: "Cats",
    status: "available",
    photo: "shadow",
    bio: `Black cats wait longest, and nobody knows why. Shadow is five, quiet, and sits beside you rather than on you.

She came to us as a stray and still likes to know where the way out is. Give her a week and a chair by the window.`,
  },
  {
    name: "Otto",
    category: "Dogs",
    status: "sold",
    photo: "otto",
    bio: `Otto is a dachshund in everything but the papers. He digs, he guards, he snores.

He found his people on a rainy Saturday.`,
  },
  {
    name: "Hubert",
    category: "Small animals",
    status: "available",
    photo: "hubert",
    bio: `Hubert was found in October, far too small for the winter. Now he weighs what a hedgehog should, and he is looking for a quiet garden to be released into.

Hedges, a pile of leaves and no robot mower: he asks for nothing more.`,
  },
  {
    name: "Pippa",
    category: "Dogs",
    status: "available",
    photo: "pippa",
    bio: `Pippa is ten and has the energy of a dog half her age. She loves the car, the market and everyone at both.

She sees little on her left side, so come from the right. A flat on the ground floor would be lovely.`,
  },
  {
    name: "Cleo",
    category: "Cats",
    status: "pending",
    photo: "cleo",
    bio: `Cleo looks like a duchess and plays with corks. She is four, lives indoors, and follows her people from room to room.

She does not share: one cat, one household, all of the sofa.`,
  },
  {
    name: "Kiwi",
    category: "Birds",
    status: "available",
    photo: "kiwi",
    bio: `Kiwi whistles the first half of a song that none of us knows. Whoever adopts him may find out the other half.

He needs a large aviary and a bird of his kind beside him; we are happy to help introduce them.`,
  },
  {
    name: "Pearl",
    category: "Cats",
    status: "sold",
    photo: "pearl",
    bio: `Pearl raised four kittens in a garden shed before anyone noticed. All five have homes now.`,
  },
  {
    name: "Sheldon",
    category: "Small animals",
    status: "available",
    photo: "sheldon",
    bio: `Sheldon is about forty and in no hurry. He eats dandelions, sleeps from November to March in the cold frame, and knows his way around the garden.

Tortoises grow old: please plan for who will care for him after you.`,
  },
];
