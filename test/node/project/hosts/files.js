import { registerHooks } from "node:module";

// Prints the files that importing an entry point opens.
const files = [];
registerHooks({
  load: (url, context, next) => {
    if (url.startsWith("file:")) files.push(url);
    return next(url, context);
  },
});
await import(process.argv[2]);
console.log(JSON.stringify(files));
