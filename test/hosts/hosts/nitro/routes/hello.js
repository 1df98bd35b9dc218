import { defineHandler } from "nitro";

export default defineHandler(() => "hello");
