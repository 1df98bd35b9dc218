import { expect, test } from "bun:test";

import { importing as german } from "../../../../dashboard/app/words/de/importing.ts";
import { importing as english } from "../../../../dashboard/app/words/en/importing.ts";
import { fieldNamed, importFields } from "../../../../lib/import/fields.ts";

test("a column that is named as the dashboard names a field gives this field", () => {
  for (const { fields } of [english, german]) {
    const found = importFields.map((field) => fieldNamed(fields[field])?.field);
    expect(found).toEqual([...importFields]);
  }
});
