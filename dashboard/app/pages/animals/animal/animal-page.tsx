import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLocation } from "preact-iso";
import { useRef } from "preact/hooks";

import { done, type Result } from "../../../../../lib/base/result.ts";
import type { Category, Pet } from "../../../../../lib/catalogue/model.ts";
import type { StaffProfileShown } from "../../../../../lib/catalogue/profile-schema.ts";
import type { Account } from "../../../../../lib/model/account.ts";
import { trimText } from "../../../../../lib/model/text.ts";
import { call, type Problem } from "../../../api.ts";
import { AWAY, Button } from "../../../components/button.tsx";
import { Loaded, Notice, Refusal } from "../../../components/feedback.tsx";
import { useAttempt } from "../../../components/form.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Menu } from "../../../components/menu.tsx";
import { Page } from "../../../components/page.tsx";
import { toast } from "../../../components/toasts.tsx";
import { useUnsaved } from "../../../components/unsaved.ts";
import { inAccount } from "../../../state/in-account.tsx";
import { useLive } from "../../../state/live.ts";
import { mayChange } from "../../../state/me.ts";
import { inEnvironment, useEnvironment } from "../../../state/query.ts";
import { type Resource, useResource } from "../../../state/resource.ts";
import { animalsWords, animalWords, overviewWords } from "../../../words/late.tsx";
import { words } from "../../../words/words.ts";
import { NotFound } from "../../not-found.tsx";
import {
  inCatalogue,
  publicPages,
  StatusControl,
  useCategories,
  useStorefronts,
  type Where,
} from "../catalogue.tsx";
import { movePet, type PetListeners, removePet } from "../pet-changes.ts";
import { animalEvents, History } from "./history.tsx";
import { Photos } from "./photos.tsx";
import { type FormFields, PetFieldsCard, ProfileCards } from "./profile-fields.tsx";
import {
  changedFields,
  type Edits,
  fieldAt,
  petChangesOf,
  profileChangesOf,
  shownText,
} from "./profile-form.ts";

interface Animal {
  readonly pet: Pet;
  readonly profile: StaffProfileShown;
}

/** One animal with its profile, photos and history. */
export const AnimalPage = inAccount<{ readonly pet: string }>(
  animalsWords.within(animalWords.within(overviewWords.within(OneAnimal))),
);

function OneAnimal({
  account,
  pet,
}: {
  readonly account: Account;
  readonly pet: string;
}): JSX.Element {
  const environment = useEnvironment();
  const where = { account, environment };
  const key = `${environment} ${pet}`;
  const animal = useResource(key, () => loadAnimal(where, pet));
  const categories = useCategories(where);
  const storefronts = useStorefronts(where);
  if (animal.problem?.code === "not_found") return <NotFound />;
  // Shown together, so that nothing moves.
  const ready =
    categories.value === undefined || (storefronts.value ?? storefronts.problem) === undefined
      ? undefined
      : animal.value;
  return (
    <Loaded resource={{ ...animal, value: ready }} lines={16}>
      {(value) => (
        <Editor
          key={key}
          where={where}
          animal={value}
          reload={animal.reload}
          change={animal.change}
          categories={categories.value ?? []}
          pagesOf={(shown) => publicPages(storefronts.value ?? [], shown)}
        />
      )}
    </Loaded>
  );
}

async function loadAnimal(where: Where, id: string): Promise<Result<Animal, Problem>> {
  const at = { ...inCatalogue(where), pet: id };
  const [pet, profile] = await Promise.all([
    call("GET /accounts/:account/:environment/pets/:pet", at),
    call("GET /accounts/:account/:environment/pets/:pet/profile", at),
  ]);
  if (!pet.ok) return pet;
  return profile.ok ? done({ pet: pet.value, profile: profile.value }) : profile;
}

function Editor({
  where,
  animal: saved,
  reload,
  change,
  categories,
  pagesOf,
}: {
  readonly where: Where;
  readonly animal: Animal;
  readonly reload: Resource<Animal>["reload"];
  readonly change: Resource<Animal>["change"];
  readonly categories: readonly Category[];
  readonly pagesOf: (pet: Pet) => ReturnType<typeof publicPages>;
}): JSX.Element {
  const { account, environment } = where;
  const { pet, profile } = saved;
  const { route } = useLocation();
  const text = animalWords.words();
  const animals = animalsWords.words();
  const { common } = words();
  const edits = useSignal<Edits>({});
  const form = useRef<HTMLFormElement>(null);
  const { busy, problem, run } = useAttempt();
  const changed = changedFields(saved, edits.value).length > 0;
  useUnsaved(changed);

  const at = { ...inCatalogue(where), pet: String(pet.id) };
  const events = useResource("", () =>
    call("GET /accounts/:account/events", {
      account: account.id,
      query: { environment, pet: pet.id, types: animalEvents, order: "newest", limit: 50 },
    }),
  );
  const reloadAll = async (): Promise<void> => {
    await Promise.all([reload(), events.reload()]);
  };
  useLive({
    path: `/accounts/${account.id}/events?environment=${environment}&types=${animalEvents.join(",")}`,
    events: animalEvents,
    onEvents: (some) => {
      if (some.some(({ data }) => isAbout(data, pet.id))) void reloadAll();
    },
    poll: reloadAll,
  });

  const list = `/accounts/${account.id}/animals${inEnvironment(environment)}`;
  const listeners: PetListeners = {
    onChanged: () => void reload(),
    onRemoved: () => route(list),
    onRestored: ({ id }) =>
      route(`/accounts/${account.id}/animals/${id}${inEnvironment(environment)}`),
  };
  const save = async (): Promise<Result<unknown, Problem> | undefined> => {
    const fields = petChangesOf(saved, edits.peek());
    if (fields !== undefined) {
      const path = "PATCH /accounts/:account/:environment/pets/:pet";
      const changedPet = await call(path, { ...at, body: fields });
      if (!changedPet.ok) return changedPet;
    }
    const changes = profileChangesOf(saved, edits.peek());
    if (changes !== undefined) {
      const path = "PATCH /accounts/:account/:environment/pets/:pet/profile";
      const changedProfile = await call(path, { ...at, body: changes });
      if (!changedProfile.ok) return changedProfile;
    }
    await reload();
    return done(undefined);
  };
  const submit = (): void => {
    const sent = edits.peek();
    void run(save, () => {
      // What the user typed meanwhile stays.
      edits.value = Object.fromEntries(
        Object.entries(edits.peek()).filter(([field, value]) => {
          const before: Readonly<Record<string, string>> = sent;
          return before[field] !== value;
        }),
      );
      toast(text.saved(trimText(shownText(saved, sent, "name"))));
    });
  };
  const faulty = new Set((problem?.errors ?? []).map(({ pointer }) => fieldAt(pointer)));
  const fields: FormFields = {
    textOf: (field) => shownText(saved, edits.value, field),
    onInput: (field, value) => {
      edits.value = { ...edits.peek(), [field]: value };
    },
    isFaulty: (field) => faulty.has(field),
  };
  const may = mayChange.value;
  return (
    <Page
      title={pet.name}
      about={animals.numbered(pet.id)}
      crumbs={[{ label: animals.title, href: list }]}
      actions={
        <>
          <Menu
            label={common.more(pet.name)}
            items={[
              {
                label: animals.ordersOf,
                onClick: () =>
                  route(
                    `/accounts/${account.id}/orders${inEnvironment(environment, { animal: String(pet.id) })}`,
                  ),
              },
              ...(may
                ? [
                    {
                      label: animals.delete,
                      danger: true,
                      onClick: () => void removePet(where, pet, listeners),
                    },
                  ]
                : []),
            ]}
          />
          {may && (
            <Button
              look="primary"
              busy={busy}
              disabled={!changed}
              onClick={() => form.current?.requestSubmit()}
            >
              {text.save}
            </Button>
          )}
        </>
      }
    >
      {environment === "staging" && (
        <Notice tone="warn">
          <p>{common.stagingText}</p>
        </Notice>
      )}
      {!may && (
        <Notice>
          <p>{text.viewer}</p>
        </Notice>
      )}
      <div class="row">
        <StatusControl pet={pet} onMove={(to) => void movePet(where, pet, to, listeners)} />
        {pagesOf(pet).map(({ name, href }) => (
          <a key={href} class="small" href={href} {...AWAY}>
            {animals.showOn(name)} <Icon name="away" />
          </a>
        ))}
      </div>
      <Photos
        key={pet.id}
        where={where}
        petId={pet.id}
        photos={profile.photos ?? []}
        onPhotos={(revise) =>
          change((now) => ({
            ...now,
            profile: { ...now.profile, photos: revise(now.profile.photos ?? []) },
          }))
        }
      />
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <fieldset class="stack wide" disabled={!may}>
          <Refusal problem={problem} />
          <PetFieldsCard form={fields} categories={categories} />
          <ProfileCards form={fields} />
          {changed && (
            <div class="save-bar" role="region" aria-label={text.unsaved}>
              <span>{text.unsaved}</span>
              <div class="row">
                <Button disabled={busy} onClick={() => (edits.value = {})}>
                  {text.discard}
                </Button>
                <Button look="primary" type="submit" busy={busy}>
                  {text.save}
                </Button>
              </div>
            </div>
          )}
        </fieldset>
      </form>
      <History events={events} />
    </Page>
  );
}

/** Returns true for an event of the animal, its profile or a photo. */
function isAbout(event: unknown, petId: number): boolean {
  if (typeof event !== "object" || event === null || !("data" in event)) return false;
  const { data } = event;
  if (typeof data !== "object" || data === null) return false;
  const { pet, petId: id }: Readonly<Record<string, unknown>> = { ...data };
  return (
    id === petId || (typeof pet === "object" && pet !== null && "id" in pet && pet.id === petId)
  );
}
