// Draws the pictures of examples/site: `node scripts/draw-example.mjs`. Requires Chromium, like the browser tests.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import { both, eye, mouth, nose, picture, withPage } from "./drawing.mjs";

const SITE = join(import.meta.dirname, "../examples/site");

const animals = {
  1: {
    sky: ["#f4c58f", "#e79a6b"],
    hill: "#c9714a",
    body: `<path d="M250 720c0-150 90-220 230-220s230 70 230 220z" fill="#c98b4e"/>
      <path d="M390 720c0-110 30-170 90-170s90 60 90 170z" fill="#f6e6cf"/>
      ${both('<path d="M330 170c-90-30-150 40-160 140-8 90 20 170 70 172 66 3 110-120 128-220z" fill="#9a5f32"/>')}
      <path d="M480 130c120 0 200 74 206 190 8 150-70 270-206 270S266 470 274 320c6-116 86-190 206-190z" fill="#d79a5b"/>
      <path d="M480 150c-34 40-42 110-36 180-60 30-88 80-84 130 6 70 60 112 120 112s114-42 120-112c4-50-24-100-84-130 6-70-2-140-36-180z" fill="#fbf1e1"/>
      ${both(eye(392, 322, 19))}${nose(430, 42)}${mouth(472)}
      <path d="M452 506c0 50 8 72 28 72s28-22 28-72c-8 12-22 12-28 2-6 10-20 10-28-2z" fill="#e58787"/>`,
  },
  2: {
    sky: ["#c3d9d3", "#8fb8b0"],
    hill: "#5f8f86",
    body: `<path d="M270 720c0-140 80-200 210-200s210 60 210 200z" fill="#6d6f78"/>
      ${both('<path d="M300 330 274 118c-2-22 16-30 32-16l150 120z" fill="#7b7e88"/><path d="M324 268l-16-104 84 70z" fill="#d9a3a0"/>')}
      <path d="M480 190c140 0 220 84 220 196 0 118-92 194-220 194s-220-76-220-194c0-112 80-196 220-196z" fill="#8a8d97"/>
      <path d="M480 192v84m-52-80 8 66m96-66-8 66" stroke="#5d5f69" stroke-width="16" stroke-linecap="round" fill="none"/>
      <ellipse cx="480" cy="484" rx="104" ry="78" fill="#f1eee9"/>
      ${both('<ellipse cx="384" cy="374" rx="42" ry="46" fill="#d9d36b"/><ellipse cx="386" cy="374" rx="17" ry="38" fill="#1d1a17"/><circle cx="394" cy="356" r="8" fill="#fff"/><path d="M372 484 250 460m124 46-122 16" stroke="#f7f5f1" stroke-width="5" stroke-linecap="round"/>')}
      ${nose(446, 24, "#c77f7d")}${mouth(468, "#5b4a46")}`,
  },
  3: {
    sky: ["#d6dff0", "#a4b6d8"],
    hill: "#6f83ad",
    body: `<path d="M280 720c0-130 80-190 200-190s200 60 200 190z" fill="#f1ebe3"/>
      ${both('<path d="M388 330c-70-60-112-200-84-276 12-32 46-28 66 8 38 66 62 170 66 240z" fill="#f6f1ea"/><path d="M394 290c-46-52-76-140-66-200 4-22 22-20 34 2 26 50 42 120 46 176z" fill="#e9bdb6"/>')}
      <path d="M480 262c112 0 178 70 178 164S580 586 480 586 302 520 302 426s66-164 178-164z" fill="#fbf8f3"/>
      <path d="M302 420c0-90 60-156 160-158-50 60-30 150-64 206-30 40-80 30-96-48z" fill="#b9835a"/>
      ${both(eye(396, 410, 20))}${nose(464, 20, "#d98f8b")}${mouth(482, "#8b6a5a")}`,
  },
  4: {
    sky: ["#f0dca8", "#dcb86b"],
    hill: "#b08a3e",
    body: `<path d="M240 720c0-150 100-210 240-210s240 60 240 210z" fill="#2f2b2c"/>
      <path d="M400 720c0-90 26-150 80-150s80 60 80 150z" fill="#b56f3b"/>
      ${both('<path d="M318 250 262 84c-6-22 12-32 30-20l146 106z" fill="#2a2627"/><path d="M324 210l-30-94 80 62z" fill="#8d5a47"/>')}
      <path d="M480 140c132 0 204 88 204 206 0 140-84 240-204 240S276 486 276 346c0-118 72-206 204-206z" fill="#383334"/>
      <path d="M480 392c84 0 126 52 120 104-6 56-58 88-120 88s-114-32-120-88c-6-52 36-104 120-104z" fill="#c98549"/>
      ${both('<ellipse cx="384" cy="276" rx="32" ry="18" fill="#c98549" transform="rotate(-14 384 276)"/>')}
      ${both(eye(394, 336, 19))}${nose(432, 40, "#171314")}${mouth(474, "#5a331c")}`,
  },
  5: {
    sky: ["#cfe6c4", "#98c48c"],
    hill: "#5d9460",
    body: `<path d="M330 640c-40-60-60-150-40-260 22-120 96-210 196-210s176 90 184 200c8 130-60 300-190 300-80 0-120-10-150-30z" fill="#e9c93b"/>
      <path d="M330 420c50-60 150-40 166 40 18 92-50 170-140 176-50-30-80-150-26-216z" fill="#7fae57"/>
      <path d="M356 440c34 70 70 110 118 130m-128-60c24 40 46 64 84 84" stroke="#5c8a3f" stroke-width="9" stroke-linecap="round" fill="none"/>
      ${eye(560, 288, 20)}<path d="M640 300c60-8 90 26 84 74-34 4-70-10-92-34z" fill="#d8763f"/>
      <ellipse cx="588" cy="360" rx="30" ry="22" fill="#e99a54"/>
      <path d="M190 668h600" stroke="#7a5433" stroke-width="26" stroke-linecap="round"/>
      <path d="M430 652v30m60-32v32" stroke="#d8763f" stroke-width="18" stroke-linecap="round"/>`,
  },
  6: {
    sky: ["#efd0cf", "#dba3a4"],
    hill: "#b57276",
    body: `<path d="M280 720c0-130 80-190 200-190s200 60 200 190z" fill="#e2a05c"/>
      ${both('<path d="M308 330 282 130c-2-22 18-30 34-14l142 122z" fill="#d98c45"/><path d="M330 282l-14-98 80 68z" fill="#f2c6b4"/>')}
      <path d="M480 200c136 0 216 82 216 190 0 116-90 190-216 190s-216-74-216-190c0-108 80-190 216-190z" fill="#e9a85f"/>
      <path d="M480 202v74m-54-70 10 58m98-58-10 58M268 400l70 8m-62 50 66-8m350-50-70 8m62 50-66-8" stroke="#c97b35" stroke-width="15" stroke-linecap="round" fill="none"/>
      <path d="M480 400c60 0 110 40 106 92-4 50-50 86-106 86s-102-36-106-86c-4-52 46-92 106-92z" fill="#fdf3e4"/>
      ${both('<path d="M344 390c24-34 66-34 88 0" fill="none" stroke="#4b2f1c" stroke-width="12" stroke-linecap="round"/><path d="M376 492 256 474m122 40-120 14" stroke="#fffaf2" stroke-width="5" stroke-linecap="round"/>')}
      ${nose(448, 24, "#cf7f78")}${mouth(470, "#7a4a33")}`,
  },
};

await withPage(async (page) => {
  for (const [id, animal] of Object.entries(animals)) {
    await page.setContent(
      `<!doctype html><style>body{margin:0}svg{display:block}</style>${picture(animal)}`,
    );
    await mkdir(join(SITE, "animals", id), { recursive: true });
    await page.screenshot({
      path: join(SITE, "animals", id, "photo.jpg"),
      type: "jpeg",
      quality: 82,
    });
  }
});
