import { askAbout } from "./ask-about.ts";
import { askUntilBanned } from "./banned.ts";
import type { DashboardRun } from "./dashboard.ts";
import { jpegOf } from "./pictures.ts";

/** Addresses of the dashboard with an example of everything. */
export interface RichShelter {
  readonly account: string;
  readonly project: string;
  /** An empty account. */
  readonly empty: string;
  /** A one-time link for a member without a password. */
  readonly link: string;
  /** A link that shows the records of the project's domain without an account. */
  readonly share: string;
}

/** The project's domain, whose DNS does not respond. */
export const DOMAIN = "pets.shelter.org";

/** The ID of a request for an animal that does not exist. */
export const REQUEST = "request-of-the-shelter-website";

interface Created {
  readonly id: string;
  readonly key: string;
}

/** Creates the sample shelter, with examples of every other state. */
export async function richShelter({ addPhoto, ask, origin }: DashboardRun): Promise<RichShelter> {
  const { account, project } = await ask<{
    readonly account: { readonly id: string };
    readonly project: { readonly slug: string };
  }>("POST", "/accounts/sample");
  const own = `/accounts/${account.id}`;
  const site = `/projects/${project.slug}`;
  const at = `${own}/production`;

  const key = (name: string, more: object = {}): Promise<Created> =>
    ask<Created>("POST", `${own}/keys`, { name, ...more });
  const greedy = await key("greedy");
  const [website, importer, revoked] = [
    await key("website of the shelter"),
    await key("importer", { scopes: ["pets:read"], allowedAddresses: ["203.0.113.0/24"] }),
    await key("old kiosk"),
    await key("trial", { environment: "staging" }),
  ];
  await ask("POST", `${own}/keys/${importer.id}/rotate`);
  await ask("DELETE", `${own}/keys/${revoked.id}`);
  const headers = { authorization: `Bearer ${website.key}` };
  await fetch(`${origin}/v1/pets`, { headers });
  await fetch(`${origin}/v1/pets/99999?include=profile`, {
    headers: { ...headers, "x-request-id": REQUEST },
  });
  await ask("POST", `${own}/webhooks`, {
    url: "https://newsletter.shelter.example/hooks/a-long-address-with-a-secret-in-it",
    description: "Newsletter",
    types: ["pet.created", "pet.status_changed"],
  });
  const banned = askUntilBanned(origin, greedy.key);
  const { url } = await ask<{ readonly url: string }>("GET", site);
  const asked = askAbout(
    { server: origin, host: new URL(url).host, petId: 2 },
    {
      name: "Maximiliane Wolkenbruch-Regenschauer",
      email: "maximiliane.wolkenbruch-regenschauer@mail.example.org",
      phone: "+49 30 123456",
      message: "Good evening,\n\ndoes she get along with cats?\nWe have two of them.",
    },
  );

  for (const name of [
    "Maximilian-Alexander von und zu Hohenlohe",
    "Donaudampfschifffahrtsgesellschaftskapitän",
    "Gone",
  ]) {
    await ask("POST", `${at}/pets`, { name, categoryId: 1 });
  }
  const [last] = await ask<readonly { readonly id: number }[]>("GET", `${at}/pets?order=newest`);
  await ask("DELETE", `${at}/pets/${last?.id}`);
  await ask("PATCH", `${at}/pets/1`, { status: "sold" });
  await ask("PATCH", `${at}/pets/2/profile`, {
    sex: "female",
    birth: { date: "2021-05-01", precision: "month" },
    breed: { text: "European Shorthair", mixed: true },
    goodWith: { children: "yes", dogs: "no" },
    text: "Mimi likes *window sills*, and people who have time.\n\n- calm\n- curious",
    staffNotes: "Eats only from the blue bowl.",
  });
  for (const width of [640, 480]) {
    await addPhoto(`${at}/pets/2/photos`, await jpegOf({ width, height: 480 }));
  }

  const starter = { source: "starter" };
  const message = "Summer: all the kittens that came in this week, with photos of each";
  await ask("POST", `${site}/deploys`, { ...starter, message });
  await ask("POST", `${site}/deploys`, { ...starter, message: "Ready", activate: false });
  const [, live] = await ask<readonly Created[]>("GET", `${site}/deploys`);
  await ask("PATCH", `${site}/deploys/${live?.id}`, { pinned: true });
  await ask("POST", `${site}/domains`, { domain: DOMAIN });
  const { token } = await ask<{ readonly token: string }>(
    "POST",
    `${site}/domains/${DOMAIN}/share`,
    {},
  );
  const gone = await ask<Created>("POST", `${own}/projects`, { name: "Gone", slug: "gone-again" });
  await ask("DELETE", `/projects/${gone.id}`);

  const email = "a.very.long.name.of.somebody@shelter.example";
  await ask("POST", `${own}/members`, { email, role: "staff" });
  await ask("POST", `${own}/tokens`, { name: "nightly import", role: "staff" });
  const [empty, suspended] = [
    await ask<Created>("POST", "/accounts", { name: "Paws & Whiskers of the Upper Valley" }),
    await ask<Created>("POST", "/accounts", { name: "Asleep" }),
  ];
  await ask("POST", `/accounts/${suspended.id}/suspend`);
  const { link } = await ask<{ readonly link: { readonly url: string } }>("POST", "/members", {
    email: "ursula@example.org",
    name: "Ursula",
  });
  await Promise.all([banned, asked]);
  return {
    account: own,
    project: site,
    empty: `/accounts/${empty.id}`,
    link: link.url,
    share: `/share#${token}`,
  };
}
