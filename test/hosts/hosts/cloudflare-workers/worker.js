import recipe from "./src/index.js";

export default {
  fetch: (request, ...rest) => {
    const { pathname } = new URL(request.url);
    if (/^\/v1(?:\/|$)/.test(pathname)) return recipe.fetch(request, ...rest);
    return pathname === "/hello" ? new Response("hello") : new Response("none", { status: 404 });
  },
};
