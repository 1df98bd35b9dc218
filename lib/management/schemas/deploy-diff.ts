import { shape, text, type Shape } from "./shape.ts";

const count = { type: "integer", format: "int64", minimum: 0 };
const path = text("Absolute: `/animals/7/photo.jpg`.");

const file = shape("NamedFile", { path, bytes: count });
const changedFile = shape("ChangedFile", { path, bytes: count, bytesBefore: count });
const counts = shape("DiffCounts", { added: count, changed: count, removed: count, same: count });

export const deployDiffShape: Shape = shape("DeployDiff", {
  against: {
    anyOf: [{ type: "string" }, { type: "null" }],
    description: "Id of the deploy that it was compared with.",
  },
  added: { type: "array", items: file.json, maxItems: 200 },
  changed: { type: "array", items: changedFile.json, maxItems: 200 },
  removed: { type: "array", items: file.json, maxItems: 200 },
  counts: { ...counts.json, description: "Of all of them, named or not." },
  more: { type: "boolean", description: "There are more than are named." },
});

export const deployDiffExample: Readonly<Record<string, unknown>> = {
  against: "k3x9bq2mz7lt0a8fj2kq",
  added: [{ path: "/animals/7/photo.jpg", bytes: 48_213 }],
  changed: [{ path: "/index.html", bytes: 5_120, bytesBefore: 4_872 }],
  removed: [],
  counts: { added: 1, changed: 1, removed: 0, same: 38 },
  more: false,
};
