import type { Office } from "../../helpers/management.ts";

/** Asks about an animal as a visitor of a site of the account. Everything that is typed contains `mark`. */
export async function askAbout(
  { store, clock, enquiries: { desk } }: Office,
  {
    accountId,
    petId,
    mark,
  }: { readonly accountId: string; readonly petId: number; readonly mark: string },
): Promise<void> {
  const catalogue = await store.catalogues.of(accountId, "production");
  if (catalogue === undefined) throw new Error(`${accountId} has no catalogue.`);
  const subject = { projectId: `prj_of_${mark}`, catalogueId: catalogue.id, petId };
  const stamp = await desk.stamp(subject);
  await clock.advance(4_000);
  const answer = await desk.submit(
    subject,
    { title: `Site of ${mark}`, language: "en", email: undefined },
    {
      name: `Kim of ${mark}`,
      email: `${mark}@visitors.example`,
      phone: `030 ${mark}`,
      message: `Message of ${mark}`,
      consent: true,
      trap: "",
      stamp,
    },
    undefined,
  );
  if (answer.kind !== "sent") throw new Error(`The enquiry was ${answer.kind}.`);
}
