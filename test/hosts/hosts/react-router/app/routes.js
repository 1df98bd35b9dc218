import { route } from "@react-router/dev/routes";

export default [
  route("api/v1/*", "./routes/petstore.js"),
  route("proxied/v1/*", "./routes/proxied.js"),
  route("of/:city/v1/*", "./routes/parameter.js"),
  route("staging/v1/*", "./routes/staging.js"),
  route("hello", "./routes/hello.js"),
];
