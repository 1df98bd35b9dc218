import { bytes, number, plural } from "../format.ts";

/** Deploys: uploading a site, and the versions uploaded so far. */
export const deploys = {
  liveNow: "Live deploy",
  nothing: "No live deploy yet",
  nothingText:
    "Upload your own site below, or start with the storefront. It shows your animals immediately.",
  starter: {
    action: "Publish storefront",
    title: "Go back to the storefront?",
    text: "Visitors will see the storefront instead of your pages, photos and texts. You can roll back at any time.",
  },
  by: (author: string) => `by ${author}`,
  size: (files: number, size: number) =>
    `${plural(files, { one: "1 file", other: `${number(files)} files` })}, ${bytes(size)}`,
  open: "Open site",
  preview: "Open preview",
  rollBack: {
    action: "Roll back deploy",
    title: "Roll back to the previous deploy?",
    text: "The previous deploy becomes live again. Nothing is deleted: you can publish this deploy again.",
    done: (what: string) => `Rolled back. Now live: ${what}`,
  },

  send: "New deploy",
  drop: "Drop a folder, .tar.gz or .zip file here",
  dropHint: "Up to 5,000 files and 250 MB.",
  dropNow: "Drop to check it",
  chooseFolder: "Choose folder",
  chooseArchive: "Choose archive",
  looking: (found: number) =>
    plural(found, {
      one: "Checking: 1 file",
      other: `Checking: ${number(found)} files`,
    }),
  packedArchive: (size: number) => `Archive, ${bytes(size)}`,
  leftOut: (count: number) =>
    plural(count, {
      one: "1 item skipped because it does not belong on a site:",
      other: `${number(count)} items skipped because they do not belong on a site:`,
    }),
  andMore: (count: number) => `and ${number(count)} more`,
  noIndex: "There is no index.html, so the storefront is the home page.",
  message: "Message",
  messageHint: "Optional. Describes this deploy in the list.",
  when: "After the upload",
  activate: "Publish immediately",
  activateHint: "The new site replaces the old one in a single step.",
  onlyPreview: "Preview first, publish later",
  sendNow: "Upload site",
  packing: "Packing",
  sending: "Uploading",
  processing: "Processing",
  sent: (sent: number, total: number) => `${bytes(sent)} of ${bytes(total)}`,
  stop: "Stop upload",
  nowLive: "The deploy is live.",
  nowReady: "The deploy is ready. You can preview and publish it.",
  refused: "The upload was rejected. Visitors still see the previous deploy, if there is one.",

  goneTitle: "Files of the live site disappear",
  goneText: "The live site has files that this deploy lacks. Visitors would no longer find:",
  goneFiles: (count: number) => plural(count, { one: "1 file", other: `${number(count)} files` }),
  gonePhotos: (animals: number) =>
    plural(animals, {
      one: "the photo of 1 animal",
      other: `the photos of ${number(animals)} animals`,
    }),
  goneTexts: (animals: number) =>
    plural(animals, {
      one: "the text of 1 animal",
      other: `the texts of ${number(animals)} animals`,
    }),
  goneSettings: "the site settings in petstore.site.json",
  publishAnyway: "Publish anyway",
  addToLive: "Add to the live site",
  addToLiveHint: "Adding keeps all files of the live site and replaces those at the same path.",
  goneBefore: "Gone from the site with the previous deploy:",
  unused: (count: number) =>
    plural(count, {
      one: "The storefront does not use 1 file below animals/:",
      other: `The storefront does not use ${number(count)} files below animals/:`,
    }),
  unusedReasons: {
    folder: "The folder is not the number of an animal.",
    place: "Put it directly into the folder of an animal, such as animals/7/.",
    photo_name: "Call it photo, such as photo.jpg.",
    photo_format: "Save it as JPEG, PNG, WebP or AVIF.",
    text_name: "Call it bio.md.",
    unknown_animal: "There is no animal with this number.",
    text_too_long: "The text is larger than 64 KiB.",
    text_not_utf8: "Save the text as UTF-8.",
  },

  /** Photos and texts of animals move from the live deploy into profiles. */
  adopt: {
    open: "Move files into profiles",
    title: "Move photos and texts into profiles?",
    titleDone: "Photos and texts in profiles",
    text: (animals: number) =>
      plural(animals, {
        one: "The live deploy has a photo or a text of 1 animal. They move into its profile, where staff can change them.",
        other: `The live deploy has photos or texts of ${number(animals)} animals. They move into the profiles, where staff can change them.`,
      }),
    undo: "Visitors see the same site. Files that contradict a profile stay. Rolling back brings the files back.",
    action: "Move files",
    nothing: "The live deploy has no photos or texts of animals, such as animals/7/photo.jpg.",
    running: "Moving files",
    progress: (done: number, total: number) => `${number(done)} of ${number(total)} animals`,
    done: (count: number) =>
      plural(count, {
        one: "1 file is in a profile now.",
        other: `${number(count)} files are in profiles now.`,
      }),
    skipped: (count: number) =>
      plural(count, {
        one: "1 file stays in the deploy:",
        other: `${number(count)} files stay in the deploy:`,
      }),
  },

  list: "Deploys",
  listText: "Petstore keeps the last 20 deploys, the live deploy and pinned deploys.",
  listEmpty: "Everything you publish appears here and can be published again.",
  deploy: "Deploy",
  state: "Status",
  sentBy: "Uploaded",
  sizeColumn: "Size",
  actions: "Actions",
  states: {
    uploading: "Uploading",
    processing: "Processing",
    ready: "Ready",
    live: "Live",
    superseded: "Superseded",
    failed: "Failed",
  },
  pinned: "Pinned",
  publish: "Publish deploy",
  publishAgain: "Publish again",
  published: (what: string) => `Now live: ${what}`,
  pin: "Pin deploy",
  unpin: "Unpin deploy",
  nowPinned: "Pinned the deploy. It is kept until you unpin it.",
  nowUnpinned: "Unpinned the deploy. Newer deploys can replace it.",
  changes: "Compare with live deploy",
  files: "Show files",
  delete: {
    action: "Delete deploy",
    title: "Delete this deploy?",
    text: "Its files and its preview are permanently deleted.",
    done: "Deleted the deploy.",
  },

  compared: "Comparison with the live deploy",
  comparedText: (what: string) => `The changes visitors would see if “${what}” were live.`,
  same: "No differences: same files, same content.",
  added: "Added",
  changed: "Changed",
  removed: "Removed",
  moreChanges: "More changes are not shown.",
  filesOf: (what: string) => `Files of “${what}”`,
  filter: "Search files",
  noneFound: "No files match.",
  empty: "This deploy has no files: it is the storefront.",
};

export type DeploysWords = typeof deploys;
