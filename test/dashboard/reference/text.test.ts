import { expect, test } from "bun:test";

import { llmsText, operationText } from "../../../dashboard/reference/text.ts";
import { place, reference } from "../../helpers/reference.ts";

const { operations, schemas } = reference;
const host = { production: place.production, help: "https://pets.example.org" };

test.each(operations)("the Markdown of $id is complete", (operation) => {
  const text = operationText(operation, schemas, host);
  expect(text).toStartWith(`# ${operation.summary}\n\n\`${operation.method} ${operation.path}\``);
  expect(text).toContain(operation.description);
  for (const { name, description } of operation.parameters) {
    expect(text).toContain(`- \`${name}\` (`);
    expect(text).toContain(description);
  }
  for (const code of operation.answers.flatMap(({ codes }) => codes)) {
    expect(text).toContain(`[\`${code}\`](https://pets.example.org/help/errors#${code})`);
  }
  expect(text).toEndWith("\n");
  expect(text).not.toMatch(/\n{3}|undefined|\[object/);
});

test("deprecation and stability follow the address", () => {
  const lineOf = (id: string): string | undefined => {
    const operation = operations.find((one) => one.id === id);
    return operation && operationText(operation, schemas, host).split("\n")[2];
  };
  expect(lineOf("getPet")).toBe(
    "`GET /pets/{petId}` · deprecated, to be removed on 5 December 2030",
  );
  expect(lineOf("listOrders")).toBe("`GET /store/orders` · experimental");
  expect(lineOf("listPets")).toBe("`GET /pets`");
});

test("llms.txt has a title, a quoted summary, and lists of described links", () => {
  const pages = [{ path: "/help/limits", title: "Limits", summary: "How many." }];
  const text = llmsText(reference, pages, place);
  const lines = text.split("\n");
  expect(lines[0]).toBe("# Petstore");
  expect(lines[2]).toStartWith("> Animals that are available for adoption.");
  expect(lines.filter((line) => line.startsWith("#"))).toEqual([
    "# Petstore",
    "## API",
    "## Help",
    "## Optional",
  ]);
  for (const line of lines.filter((one) => one.startsWith("- "))) {
    expect(line).toMatch(/^- \[[^\]]+\]\(https:\/\/pets\.example\.org\/[^)]+\): ./);
  }
  for (const { id } of operations) expect(text).toContain(`/docs/${id}.md)`);
  expect(text).toContain("- [Limits](https://pets.example.org/help/limits.md): How many.");
});
