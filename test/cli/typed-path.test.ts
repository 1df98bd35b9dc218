import { expect, test } from "bun:test";

import { typedPath } from "../../cli/terminal.ts";

test.each([
  ["/srv/petstore", "/srv", "./petstore"],
  ["/srv/dist/petstore", "/srv", "dist/petstore"],
  ["/srv/petstore", "/srv/data", "../petstore"],
  ["/opt/petstore", "/home/ada/shelters/north", "/opt/petstore"],
  ["/srv/my pets/petstore", "/srv", "'my pets/petstore'"],
])("the path %s, in the directory %s, is shown as %s", (path, from, typed) => {
  expect(typedPath(path, from)).toBe(typed);
});
