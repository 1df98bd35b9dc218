import { followSystemTheme } from "../../app/state/preferences.ts";
import { watchSearch } from "../../guides/search/watch.ts";
import { watchCredentials } from "./credentials.ts";
import { all, one } from "./dom.ts";
import { openPanel } from "./panel.ts";
import { watchReading, watchSamples } from "./reading.ts";

followSystemTheme();
watchSearch();
watchReading();
watchSamples();

const popover = one("#credentials", HTMLElement);
const credentials = watchCredentials(({ environment }) => {
  for (const button of all(".try .send", HTMLButtonElement)) {
    button.textContent = environment === "Management" ? "Send" : `Send to ${environment}`;
  }
});
const askForKey = (): void => {
  popover.showPopover();
  one("#key", HTMLInputElement).focus();
};
const { help: host = "", secret } = document.body.dataset;
const help = `${host}/help/errors#`;
for (const panel of all("details.try", HTMLDetailsElement)) {
  openPanel(panel, {
    credentials,
    askForKey,
    help,
    secret: secret === "PETSTORE_TOKEN" ? secret : "PETSTORE_KEY",
  });
}
for (const line of all(".credentials-line", HTMLElement)) line.hidden = false;
