import { count, describedAs, flag, list, orNull, shape, text } from "../../base/shape.ts";

const path = text("Absolute: `/animals/7/photo.jpg`.");
const bytes = count();
const file = shape("NamedFile", { path, bytes });
const changedFile = shape("ChangedFile", { path, bytes, bytesBefore: count() });
const counts = shape("DiffCounts", {
  added: count(),
  changed: count(),
  removed: count(),
  same: count(),
});
const atMost = { maxItems: 200 };

export const deployDiffShape = shape("DeployDiff", {
  against: orNull(text("Id of the deploy that it was compared with.")),
  added: list(file, atMost),
  changed: list(changedFile, atMost),
  removed: list(file, atMost),
  counts: describedAs(counts, "Numbers of all files, including those not listed."),
  more: flag("There are more files than are listed."),
});

export const deployDiffExample: Readonly<Record<string, unknown>> = {
  against: "k3x9bq2mz7lt0a8fj2kq",
  added: [{ path: "/animals/7/photo.jpg", bytes: 48_213 }],
  changed: [{ path: "/index.html", bytes: 5_120, bytesBefore: 4_872 }],
  removed: [],
  counts: { added: 1, changed: 1, removed: 0, same: 38 },
  more: false,
};
