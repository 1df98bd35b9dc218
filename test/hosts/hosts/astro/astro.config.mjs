import node from "@astrojs/node";
import { defineConfig } from "astro/config";

export default defineConfig({
  output: "server",
  adapter: node({ mode: "standalone" }),
  // The mount of the page is before the check, the mount behind a proxy after it.
  security: { checkOrigin: false },
});
