import { followSystemTheme } from "../../app/state/preferences.ts";
import { watchCredentials } from "./credentials.ts";
import { all, one } from "./dom.ts";
import { openPanel } from "./panel.ts";
import { watchFilter, watchReading, watchSamples } from "./reading.ts";

followSystemTheme();
watchFilter();
watchReading();
watchSamples();

const popover = one("#credentials", HTMLElement);
const credentials = watchCredentials(({ environment }) => {
  for (const button of all(".try .send", HTMLButtonElement)) {
    button.textContent = `Send to ${environment}`;
  }
});
const askForKey = (): void => {
  popover.showPopover();
  one("#key", HTMLInputElement).focus();
};
const help = `${document.body.dataset["help"] ?? ""}/help/errors#`;
for (const panel of all("details.try", HTMLDetailsElement)) {
  openPanel(panel, { credentials, askForKey, help });
}
one(".credentials-line", HTMLElement).hidden = false;
