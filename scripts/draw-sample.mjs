// Draws the animals of the sample shelter: `node scripts/draw-sample.mjs`. Requires Chromium, like the browser tests.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { both, eye, mouth, nose, picture, withPage } from "./drawing.mjs";

const PHOTOS = join(import.meta.dirname, "../server/sample/photos");

/** Small enough to embed all of them in the program, large enough for an animal's page. */
const SIZE = { width: 800, height: 600, quality: 0.8 };

const shoulders = (fill, chest) =>
  `<path d="M246 720c0-150 92-214 234-214s234 64 234 214z" fill="${fill}"/>
   <path d="M392 720c0-104 30-160 88-160s88 56 88 160z" fill="${chest}"/>`;

const tongue = `<path d="M454 508c0 48 8 68 26 68s26-20 26-68c-8 12-20 12-26 2-6 10-18 10-26-2z" fill="#e58787"/>`;

const collar = (fill) =>
  `<path d="M332 556c92 46 204 46 296 0l10 40c-98 50-218 50-316 0z" fill="${fill}"/>
   <circle cx="480" cy="622" r="24" fill="#f2c84b"/><circle cx="480" cy="622" r="9" fill="#c89a22"/>`;

const ears = {
  floppy: (fill) =>
    both(
      `<path d="M330 176c-92-28-150 44-160 140-8 90 22 168 72 168 66 0 108-116 126-216z" fill="${fill}"/>`,
    ),
  pointed: (fill, inner) =>
    both(
      `<path d="M312 262 258 92c-6-22 12-32 30-20l156 104z" fill="${fill}"/><path d="M322 220l-32-100 86 64z" fill="${inner}"/>`,
    ),
  folded: (fill, shade) =>
    both(
      `<path d="M300 250 250 128c-8-24 8-36 32-28l158 60z" fill="${fill}"/><path d="M252 130c-30 30-40 96-22 160 40-8 84-48 102-90z" fill="${shade}"/>`,
    ),
};

const dogHead = (fill) =>
  `<path d="M480 134c124 0 204 78 208 198 6 148-76 262-208 262S266 480 272 332c4-120 84-198 208-198z" fill="${fill}"/>`;
const dogMuzzle = (fill) =>
  `<path d="M480 384c80 0 126 50 122 106-6 60-58 92-122 92s-116-32-122-92c-4-56 42-106 122-106z" fill="${fill}"/>`;

const catHead = (fill) =>
  `<path d="M480 196c138 0 220 82 220 194 0 118-92 192-220 192s-220-74-220-192c0-112 82-194 220-194z" fill="${fill}"/>`;
const catEars = (fill, inner) =>
  both(
    `<path d="M302 326 276 120c-2-22 18-30 34-14l146 122z" fill="${fill}"/><path d="M324 276l-16-106 84 70z" fill="${inner}"/>`,
  );
const catMuzzle = (fill) => `<ellipse cx="480" cy="486" rx="104" ry="76" fill="${fill}"/>`;
const catEyes = (iris) =>
  both(
    `<ellipse cx="384" cy="376" rx="42" ry="45" fill="${iris}"/><ellipse cx="386" cy="376" rx="17" ry="37" fill="#1d1a17"/><circle cx="394" cy="358" r="8" fill="#fff"/>`,
  );
const whiskers = (stroke) =>
  both(
    `<path d="M372 488 244 462m128 46-124 18m128 4-104 54" stroke="${stroke}" stroke-width="5" stroke-linecap="round"/>`,
  );
const catFace = (pink, line) => nose(450, 24, pink) + mouth(472, line);

/** By the photos' names in the program. */
const animals = {
  bruno: {
    sky: ["#d8e6c8", "#a3c293"],
    hill: "#6f9a63",
    body:
      shoulders("#6b4329", "#8a5a38") +
      ears.floppy("#4f2f1c") +
      dogHead("#7a4d30") +
      dogMuzzle("#94643f") +
      both(`<ellipse cx="388" cy="274" rx="30" ry="15" fill="#94643f"/>`) +
      both(eye(394, 330, 20)) +
      nose(430, 42, "#2a1710") +
      mouth(472, "#3b2215") +
      tongue +
      collar("#c2513a"),
  },
  skye: {
    sky: ["#dfe9f2", "#a9c0d6"],
    hill: "#7c9ab6",
    body:
      shoulders("#5f6a77", "#f3f5f6") +
      ears.pointed("#56616e", "#d7b5ae") +
      dogHead("#66727f") +
      `<path d="M480 214c38-40 118-44 150 20 36 76 34 196-30 272-40 48-80 70-120 70s-80-22-120-70c-64-76-66-196-30-272 32-64 112-60 150-20z" fill="#f7f8f8"/>` +
      `<path d="M480 134c34 0 40 96 34 170l-34 46-34-46c-6-74 0-170 34-170z" fill="#66727f"/>` +
      both(eye(394, 326, 19, "#4f8fc4") + `<circle cx="394" cy="328" r="9" fill="#15202b"/>`) +
      nose(432, 38, "#23262b") +
      mouth(470, "#4a5058") +
      tongue,
  },
  pippa: {
    sky: ["#f6dcc4", "#e6b08a"],
    hill: "#c98a63",
    body:
      shoulders("#f2ece2", "#fffaf2") +
      ears.folded("#b9743c", "#96582a") +
      dogHead("#faf5ec") +
      `<path d="M300 214c40-58 104-84 164-78 10 90-2 196-54 246-60 22-122 0-138-52-2-44 8-84 28-116z" fill="#c07d45"/>` +
      both(eye(394, 330, 19)) +
      `<path d="M420 446c-40 6-76 34-88 84m92-58c-26 12-44 40-46 76m164-102c40 6 76 34 88 84m-92-58c26 12 44 40 46 76" fill="none" stroke="#ded2bf" stroke-width="12" stroke-linecap="round"/>` +
      nose(426, 38, "#241a17") +
      mouth(466, "#6b5646") +
      collar("#3c7f86"),
  },
  otto: {
    sky: ["#f3e0ae", "#dcb96f"],
    hill: "#b28f47",
    body:
      shoulders("#2b2526", "#a8642f") +
      ears.floppy("#1f1a1b") +
      `<path d="M480 150c104 0 172 70 178 176 6 120-34 270-178 270S296 446 302 326c6-106 74-176 178-176z" fill="#332c2d"/>` +
      `<path d="M480 372c66 0 104 48 100 112-4 70-46 106-100 106s-96-36-100-106c-4-64 34-112 100-112z" fill="#b8713a"/>` +
      both(`<ellipse cx="396" cy="270" rx="27" ry="17" fill="#b8713a"/>`) +
      both(eye(400, 326, 18, "#6b3f1d")) +
      nose(440, 40, "#141011") +
      mouth(480, "#4f2c15"),
  },
  mimi: {
    sky: ["#cfe3e8", "#93bcc6"],
    hill: "#5f93a0",
    body:
      shoulders("#d98a3f", "#f8e6cd") +
      catEars("#d5853a", "#f2c3b0") +
      catHead("#e59a4c") +
      `<path d="M480 198v78m-56-72 10 60m102-60-10 60M266 404l72 8m-64 50 68-8m352-50-72 8m64 50-68-8" stroke="#c0702b" stroke-width="16" stroke-linecap="round" fill="none"/>` +
      catMuzzle("#fdf2e2") +
      catEyes("#8dbf6a") +
      whiskers("#fffaf2") +
      catFace("#cf7f78", "#7a4a33"),
  },
  shadow: {
    sky: ["#e3d3ee", "#b093cb"],
    hill: "#7d629c",
    body:
      shoulders("#201e26", "#2c2a34") +
      catEars("#1d1b22", "#5d4a58") +
      catHead("#282630") +
      catMuzzle("#33303c") +
      catEyes("#f0c93f") +
      whiskers("#a9a4b6") +
      catFace("#6d5560", "#0f0e13"),
  },
  cleo: {
    sky: ["#f2d5da", "#d8a0ab"],
    hill: "#ae6f7c",
    body:
      shoulders("#d9c6ac", "#efe3cf") +
      catEars("#4a372d", "#7d6154") +
      catHead("#efe2cc") +
      `<path d="M480 296c78 0 128 56 124 138-4 82-56 128-124 128s-120-46-124-128c-4-82 46-138 124-138z" fill="#5b4437" opacity="0.88"/>` +
      catEyes("#6fb3e0") +
      whiskers("#fff7ea") +
      catFace("#2e211b", "#241914"),
  },
  pearl: {
    sky: ["#dcebd2", "#a8cba0"],
    hill: "#6f9f70",
    body:
      shoulders("#f1ece4", "#ffffff") +
      catEars("#e0954a", "#f2c6b8") +
      `<path d="M658 326 684 120c2-22-18-30-34-14L504 228z" fill="#3a3433"/><path d="M636 276l16-106-84 70z" fill="#e0aca0"/>` +
      catHead("#faf7f1") +
      `<path d="M262 380c4-102 78-176 190-184 10 76-18 150-70 186-40 24-84 22-120-2z" fill="#e39a52"/>` +
      `<path d="M698 380c-4-102-78-176-190-184-10 76 18 150 70 186 40 24 84 22 120-2z" fill="#403938"/>` +
      catMuzzle("#fffdf8") +
      catEyes("#c9b04f") +
      whiskers("#d8cec0") +
      catFace("#d98f8b", "#8b6a5a"),
  },
  clover: {
    sky: ["#e6e1f4", "#bdb2dc"],
    hill: "#8577ad",
    body:
      `<path d="M280 720c0-130 80-190 200-190s200 60 200 190z" fill="#a58a74"/>` +
      both(
        `<path d="M388 332c-72-60-114-202-86-278 12-32 46-28 66 8 38 66 64 170 66 240z" fill="#a98e78"/><path d="M394 292c-46-52-76-142-66-202 4-22 22-20 34 2 26 50 42 122 46 178z" fill="#e2b5ab"/>`,
      ) +
      `<path d="M480 262c112 0 180 70 180 166S582 590 480 590 300 524 300 428s68-166 180-166z" fill="#b39a84"/>` +
      `<path d="M480 300c30 60 34 130 84 190 20 60-24 96-84 96s-104-36-84-96c50-60 54-130 84-190z" fill="#f6efe6"/>` +
      both(eye(392, 410, 21)) +
      nose(466, 20, "#c9827d") +
      mouth(484, "#7a5f52") +
      `<path d="M466 522h28v30c0 8-28 8-28 0z" fill="#fff" stroke="#d9cfc3" stroke-width="4"/>`,
  },
  hubert: {
    sky: ["#f4e2c2", "#e0bd85"],
    hill: "#b38a4c",
    body:
      `<path d="${spikes(480, 420, 316, 236, 44)}" fill="#4f3c30"/>` +
      `<path d="${spikes(480, 430, 270, 198, 38)}" fill="#6b5342"/>` +
      `<path d="M480 300c128 0 196 82 190 176-6 88-84 154-190 154s-184-66-190-154c-6-94 62-176 190-176z" fill="#e9cfae"/>` +
      both(
        `<circle cx="300" cy="352" r="42" fill="#c79f7b"/><circle cx="302" cy="354" r="24" fill="#e8bfa9"/>`,
      ) +
      both(eye(398, 428, 20)) +
      `<ellipse cx="480" cy="520" rx="84" ry="66" fill="#f5e3cb"/>` +
      nose(492, 34, "#2a1d17") +
      mouth(530, "#6b4a38") +
      both(`<ellipse cx="352" cy="500" rx="30" ry="20" fill="#e7a590" opacity="0.6"/>`),
  },
  kiwi: {
    sky: ["#fde2cf", "#f3b08c"],
    hill: "#cf7f5c",
    body:
      `<path d="M330 640c-40-60-60-150-40-260 22-120 96-210 196-210s176 90 184 200c8 130-60 300-190 300-80 0-120-10-150-30z" fill="#4f9f57"/>` +
      `<path d="M486 170c100 0 176 90 184 200 1 18 1 38-1 58-60 60-300 50-376-30 24-132 98-228 193-228z" fill="#6cbf63"/>` +
      `<path d="M486 170c60 0 112 32 146 82-70 26-220 24-280-20 34-40 80-62 134-62z" fill="#e3533f"/>` +
      `<path d="M330 420c50-60 150-40 166 40 18 92-50 170-140 176-50-30-80-150-26-216z" fill="#3c7f8f"/>` +
      `<path d="M356 440c34 70 70 110 118 130m-128-60c24 40 46 64 84 84" stroke="#f2c84b" stroke-width="9" stroke-linecap="round" fill="none"/>` +
      `<circle cx="560" cy="300" r="40" fill="#f6f1e4"/>` +
      eye(562, 300, 20) +
      `<path d="M634 292c78-6 114 40 96 122-8 10-20 8-24-6-6-40-36-74-76-82z" fill="#4a3a33"/>` +
      `<path d="M632 336c34 2 56 26 56 58-30 2-54-10-66-34z" fill="#6a5348"/>` +
      `<path d="M190 668h600" stroke="#7a5433" stroke-width="26" stroke-linecap="round"/>` +
      `<path d="M430 652v30m60-32v32" stroke="#8a7a70" stroke-width="18" stroke-linecap="round"/>`,
  },
  sheldon: {
    sky: ["#d2ece6", "#97cabd"],
    hill: "#5f9c8c",
    body:
      `<path d="M178 610c-10-190 120-340 302-340s312 150 302 340z" fill="#7c6137"/>` +
      `<path d="M216 600c0-160 108-294 264-294s264 134 264 294z" fill="#96783f"/>` +
      `<path d="M480 320l78 56-26 96H428l-26-96zM372 396l-84 60 6 108 106-20 16-62zm216 0 84 60-6 108-106-20-16-62zM436 492h88l24 76H412z" fill="#b7974f" stroke="#7c6137" stroke-width="8" stroke-linejoin="round"/>` +
      both(
        `<path d="M150 646c10-50 60-72 110-60 34 10 50 44 44 84H160c-10 0-12-12-10-24z" fill="#8fa65c"/>`,
      ) +
      `<path d="M180 606c160 34 440 34 600 0v44c-160 26-440 26-600 0z" fill="#6b532e"/>` +
      `<path d="M480 430c88 0 142 58 140 132-2 70-56 118-140 118s-138-48-140-118c-2-74 52-132 140-132z" fill="#a3bb6c"/>` +
      both(eye(420, 540, 18)) +
      `<path d="M464 588h4m24 0h4" stroke="#5c7036" stroke-width="9" stroke-linecap="round"/>` +
      `<path d="M420 620c34 32 86 32 120 0" fill="none" stroke="#5c7036" stroke-width="8" stroke-linecap="round"/>` +
      both(`<ellipse cx="378" cy="588" rx="24" ry="15" fill="#e0a48a" opacity="0.55"/>`),
  },
};

/** Returns a ring of points around an ellipse. */
function spikes(x, y, rx, ry, count) {
  const points = Array.from({ length: count * 2 }, (_, index) => {
    const angle = (index / count) * Math.PI;
    const reach = index % 2 === 0 ? 1 : 0.86;
    return `${(x + Math.cos(angle) * rx * reach).toFixed(0)} ${(y + Math.sin(angle) * ry * reach).toFixed(0)}`;
  });
  return `M${points.join("L")}z`;
}

await mkdir(PHOTOS, { recursive: true });
await withPage(async (page) => {
  for (const [name, animal] of Object.entries(animals)) {
    const data = await page.evaluate(
      async ({ svg, width, height, quality }) => {
        const image = new Image();
        image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
        await image.decode();
        const canvas = Object.assign(document.createElement("canvas"), { width, height });
        canvas.getContext("2d").drawImage(image, 0, 0, width, height);
        return canvas.toDataURL("image/webp", quality).split(",")[1];
      },
      { svg: picture(animal), ...SIZE },
    );
    await writeFile(join(PHOTOS, `${name}.webp`), Buffer.from(data, "base64"));
  }
});
