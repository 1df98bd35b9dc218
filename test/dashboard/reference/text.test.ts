import { expect, test } from "bun:test";

import { operationText } from "../../../dashboard/reference/text.ts";
import { management, place, reference } from "../../helpers/reference.ts";

const { operations } = reference;
const both = [reference, management].flatMap((one) =>
  one.operations.map((operation) => [operation.id, operation, one] as const),
);

test.each(both)("the Markdown of %s is complete", (_, operation, of) => {
  const text = operationText(operation, of, place);
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
    return operation && operationText(operation, reference, place).split("\n")[2];
  };
  expect(lineOf("getPet")).toBe(
    "`GET /pets/{petId}` · deprecated, to be removed on 5 December 2030",
  );
  expect(lineOf("listOrders")).toBe("`GET /store/orders` · experimental");
  expect(lineOf("listPets")).toBe("`GET /pets`");
});

test("the Markdown names the credential that an operation needs", () => {
  const textOf = (id: string): string => {
    const operation = management.operations.find((one) => one.id === id);
    return operation === undefined ? "" : operationText(operation, management, place);
  };
  expect(textOf("listKeys")).toContain("Send a management token as");
  expect(textOf("listKeys")).toContain("https://pets.example.org/manage/v1/accounts/ACCOUNT/keys");
  expect(textOf("listKeys")).toContain("Bearer $PETSTORE_TOKEN");
  expect(textOf("signIn")).toContain("Needs no credential.");
  expect(textOf("signIn")).not.toContain("Authorization");
});
