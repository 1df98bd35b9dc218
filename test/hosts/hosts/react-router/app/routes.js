import { route } from "@react-router/dev/routes";

export default [route("api/v1/*", "./routes/petstore.js"), route("hello", "./routes/hello.js")];
