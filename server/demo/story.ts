import type { EnteredRecord } from "../../testing/domains/sandbox/registrar-zone.ts";
import type { Profile } from "../../lib/management/index.ts";
import { OLD_ADDRESS } from "./mistakes.ts";

// The month that the demo's shelter has behind it. Everything is made up.

export const SHELTER = "Brightside Animal Shelter";

/** The domain that the shelter has at the registrar. Names below localhost lead to this machine in every browser. */
export const ZONE = "brightside.localhost";
/** The domain to add in the demo. */
export const DOMAIN_TO_ADD = `www.${ZONE}`;
/** A domain of the second project, which leads to an old site. */
export const STRAY_DOMAIN = `fosters.${ZONE}`;

/** What the shelter's domain has at the registrar from the start. */
export const FIRST_RECORDS: readonly EnteredRecord[] = [
  { label: "@", type: "A", value: OLD_ADDRESS },
  { label: "@", type: "MX", value: `10 mail.${ZONE}` },
  { label: "mail", type: "A", value: "203.0.113.25" },
  { label: "fosters", type: "CNAME", value: "sites.old-host.localhost" },
];

/** The people of the shelter. The first is the operator as whom the visitor signs in. */
export const people = {
  ada: { name: "Ada Byrne", email: "ada@brightside.example" },
  grace: { name: "Grace Okafor", email: "grace@brightside.example" },
  linus: { name: "Linus Berg", email: "linus@brightside.example" },
  mary: { name: "Mary Clarke", email: "mary@brightside.example" },
} as const;

export const MAIN_PROJECT = { name: "Brightside", slug: "brightside" } as const;
export const SECOND_PROJECT = { name: "Foster homes", slug: "fosters" } as const;

/** The settings of the main site. */
export const SITE = {
  title: "Brightside",
  heading: "Someone is waiting for you",
  intro: "Dogs, cats and small animals looking for a home. They live in a computer, and so do we.",
  email: "hello@brightside.example",
  phone: "+44 20 7946 0018",
  hours: "Tuesday to Sunday, 11 to 17",
  accent: "#2f6f4f",
} as const;

/** What the sample animals' profiles say, by their names. */
export const profiles: Readonly<Record<string, Profile>> = {
  Bruno: {
    sex: "male",
    neutered: true,
    birth: { date: "2019-04-01", precision: "month" },
    breed: { text: "Labrador", mixed: true },
    size: "large",
    goodWith: { children: "yes", dogs: "yes", cats: "yes" },
    fee: "£ 180",
    microchip: "276098106123451",
  },
  Mimi: {
    sex: "female",
    neutered: true,
    birth: { date: "2023-05-01", precision: "month" },
    breed: { text: "European Shorthair" },
    colour: "red tabby",
    goodWith: { children: "yes", dogs: "unknown", cats: "yes" },
    fee: "£ 90",
    staffNotes: "Eats only from the blue bowl.",
  },
  Skye: {
    sex: "female",
    birth: { date: "2024-02-10", precision: "day" },
    breed: { text: "Border Collie" },
    size: "medium",
    goodWith: { children: "yes", dogs: "yes", cats: "no" },
    fee: "£ 180",
  },
  Clover: { sex: "male", birth: { date: "2025-05-01", precision: "year" }, fee: "£ 35" },
  Shadow: {
    sex: "female",
    neutered: true,
    birth: { date: "2021-01-01", precision: "year" },
    colour: "black",
    goodWith: { children: "unknown", dogs: "no", cats: "yes" },
    fee: "£ 90",
  },
  Otto: {
    sex: "male",
    birth: { date: "2022-08-01", precision: "month" },
    breed: { text: "Dachshund", mixed: true },
    size: "small",
    fee: "£ 160",
  },
  Hubert: { sex: "male", specialNeeds: "A quiet garden without a robot mower" },
  Pippa: {
    sex: "female",
    neutered: true,
    birth: { date: "2016-06-01", precision: "year" },
    breed: { text: "Terrier", mixed: true },
    size: "small",
    goodWith: { children: "yes", dogs: "yes" },
    specialNeeds: "Sees little on her left side",
    fee: "£ 120",
  },
  Cleo: {
    sex: "female",
    neutered: true,
    birth: { date: "2022-03-01", precision: "year" },
    breed: { text: "Siamese", mixed: true },
    goodWith: { dogs: "no", cats: "no" },
    fee: "£ 90",
  },
  Kiwi: { sex: "male", breed: { text: "Budgerigar" }, colour: "green", fee: "£ 15" },
  Pearl: { sex: "female", neutered: true, colour: "tortoiseshell", fee: "£ 90" },
  Sheldon: { sex: "male", breed: { text: "Hermann's tortoise" }, fee: "£ 60" },
};

/** Animals that stayed only for some days. All numbers are days ago. */
export const shortStays: readonly {
  readonly name: string;
  readonly category: "Dogs" | "Cats";
  readonly arrived: number;
  readonly adopted: number;
  readonly returned?: number;
}[] = [
  { name: "Biscuit", category: "Dogs", arrived: 28, adopted: 22 },
  { name: "Luna", category: "Cats", arrived: 27, adopted: 19 },
  { name: "Max", category: "Dogs", arrived: 24, adopted: 16, returned: 11 },
  { name: "Nala", category: "Cats", arrived: 18, adopted: 8 },
  { name: "Toby", category: "Dogs", arrived: 12, adopted: 5 },
];

/** Sample animals that were reserved and adopted, in days ago. */
export const adoptions: readonly {
  readonly name: string;
  readonly reserved: number;
  readonly adopted?: number;
  readonly adopter?: { readonly name: string; readonly contact: string };
}[] = [
  {
    name: "Otto",
    reserved: 17,
    adopted: 15,
    adopter: { name: "Rosa Lindqvist", contact: "rosa@mail.example" },
  },
  { name: "Cleo", reserved: 8 },
  {
    name: "Pearl",
    reserved: 7,
    adopted: 6,
    adopter: { name: "Jonas Weber", contact: "jonas@mail.example, +49 30 5550100" },
  },
  { name: "Skye", reserved: 3 },
];

/** Further deploys of the main site. */
export const deploys: readonly {
  readonly daysAgo: number;
  readonly hour: number;
  readonly message: string;
  readonly footer: string;
}[] = [
  {
    daysAgo: 19,
    hour: 9,
    message: "Autumn: shorter opening hours",
    footer: "From November on we close at 16.",
  },
  {
    daysAgo: 6,
    hour: 15,
    message: "Thank the foster families",
    footer: "Everything here is made up, but the hedgehog has a point.",
  },
];

/** API keys. `from` and `to` are days ago; a key that is not used until today was revoked. */
export const keys = [
  { name: "Website", environment: "production", requestsADay: 1_900, from: 27, to: 0 },
  { name: "Kiosk in the entrance", environment: "production", requestsADay: 420, from: 26, to: 10 },
  { name: "Trial of the app", environment: "staging", requestsADay: 60, from: 25, to: 0 },
] as const;

/** Where events are sent to. */
export const webhooks = [
  {
    daysAgo: 9,
    to: "website",
    description: "Refresh the list of animals",
    types: ["pet.created", "pet.status_changed", "pet.deleted", "photo.added"],
  },
  {
    daysAgo: 6,
    to: "newsletter",
    description: "Newsletter about adoptions",
    types: ["order.placed"],
  },
] as const;

/** What visitors asked on the site. `state` and `notes` are what the staff made of it. */
export const enquiries: readonly {
  readonly daysAgo: number;
  readonly animal: string;
  readonly name: string;
  readonly email: string;
  readonly message: string;
  readonly state?: "answered" | "closed";
  readonly notes?: string;
}[] = [
  {
    daysAgo: 18,
    animal: "Otto",
    name: "Rosa Lindqvist",
    email: "rosa@mail.example",
    message: "Hello,\n\nwe have a garden and a rainy Saturday free. May we meet Otto?",
    state: "closed",
    notes: "Came by on Saturday and took him home.",
  },
  {
    daysAgo: 8,
    animal: "Pearl",
    name: "Jonas Weber",
    email: "jonas@mail.example",
    message: "Is Pearl used to balconies? Ours has a net.",
    state: "closed",
  },
  {
    daysAgo: 9,
    animal: "Cleo",
    name: "Priya Nair",
    email: "priya@mail.example",
    message: "I work from home and the sofa is large. Would Cleo be happy with one person?",
    state: "answered",
    notes: "Invited for Thursday.",
  },
  {
    daysAgo: 4,
    animal: "Skye",
    name: "Tom and Eve Hardy",
    email: "hardy@mail.example",
    message: "We run ten miles most mornings. Does Skye pull on the lead?",
    state: "answered",
  },
  {
    daysAgo: 2,
    animal: "Mimi",
    name: "Leonie Fuchs",
    email: "leonie@mail.example",
    message: "Good evening,\n\ndoes she get along with children? Ours are six and nine.",
  },
  {
    daysAgo: 1,
    animal: "Hubert",
    name: "Sam Doyle",
    email: "sam@mail.example",
    message: "We have hedges, leaves, and no mower at all.",
  },
];
