import type { JSX } from "preact";

/** Strokes in a square of 24. */
const PATHS = {
  overview: "M4 13h6V4H4zm10 7h6V4h-6zM4 20h6v-4H4z",
  animals:
    "M12 13c2.5 0 5 3 5 5 0 1.5-1.2 2-2.5 2-1 0-1.5-.5-2.5-.5s-1.5.5-2.5.5C8.2 20 7 19.5 7 18c0-2 2.5-5 5-5zM6 10v1m4-5v1.5M14 6v1.5M18 10v1",
  orders: "M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6",
  enquiries: "M4 6h16v12H4zM4 7l8 6 8-6",
  keys: "M14.5 9.5a4 4 0 1 0-4 4c.6 0 1.2-.1 1.7-.4L14 15h2v2h2v2h3v-3l-6.4-6.4z",
  usage: "M4 20V10m5.3 10V4m5.4 16v-8M20 20V7",
  webhooks: "M4 12h11m-4-5l5 5-5 5M20 5v14",
  projects: "M4 6h16v12H4zM4 10h16M7 8h.01",
  people:
    "M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zm-6 8c0-3 2.7-5 6-5s6 2 6 5M16 5.3a3 3 0 0 1 0 5.5M18 14.5c1.8.7 3 2.3 3 4.5",
  accounts:
    "M4 20V6l8-3 8 3v14M9 20v-4h6v4M9 9h.01M12 9h.01M15 9h.01M9 12.5h.01M12 12.5h.01M15 12.5h.01",
  system: "M4 5h16v6H4zM4 13h16v6H4zM7.5 8h.01M7.5 16h.01",
  settings: "M4 7h10m4 0h2M4 17h2m4 0h10M16 5v4M8 15v4",
  docs: "M5 4h9l5 5v11H5zM14 4v5h5M8 13h8M8 16.5h5",
  help: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M12 17h.01",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  check: "M5 12.5l4.5 4.5L19 7",
  earlier: "M14 6l-6 6 6 6",
  later: "M10 6l6 6-6 6",
  cross: "M6 6l12 12M18 6L6 18",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  pin: "M9 4h6l-1 6 3 3v2H7v-2l3-3zM12 15v5",
  more: "M6 12h.01M12 12h.01M18 12h.01",
  menu: "M4 7h16M4 12h16M4 17h16",
  away: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
  upload: "M12 16V4m-5 5l5-5 5 5M4 20h16",
  activity: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 2",
  clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 2",
  info: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v5M12 8h.01",
  warn: "M12 4l9 16H3zM12 10v4.5M12 17.5h.01",
  domain:
    "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c2.5 2.6 3.8 5.6 3.8 9s-1.3 6.4-3.8 9c-2.5-2.6-3.8-5.6-3.8-9S9.5 5.6 12 3z",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM20 20l-4-4",
  refresh: "M20 11a8 8 0 1 0-2.3 6.3M20 5v6h-6",
  trash: "M4 7h16M9 7V4h6v3M6.5 7l1 13h9l1-13",
  edit: "M4 20h4L19 9l-4-4L4 16z",
} as const;

export type IconName = keyof typeof PATHS;

/** A decorative icon. Without text beside it, its container needs a label. */
export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  return (
    <svg
      class="icon"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width={name === "more" ? 2.6 : 1.7}
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The logo. Hidden from screen readers. */
export function Mark(): JSX.Element {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <g fill="var(--on-accent)">
        <ellipse cx="9" cy="14" rx="2.4" ry="3.2" />
        <ellipse cx="13.4" cy="9.4" rx="2.4" ry="3.4" />
        <ellipse cx="18.6" cy="9.4" rx="2.4" ry="3.4" />
        <ellipse cx="23" cy="14" rx="2.4" ry="3.2" />
        <path d="M16 14.5c3.4 0 7 4.2 7 7.2 0 2.2-1.6 3.3-3.5 3.3-1.4 0-2.2-.6-3.5-.6s-2.1.6-3.5.6C10.6 25 9 23.9 9 21.7c0-3 3.6-7.2 7-7.2z" />
      </g>
    </svg>
  );
}
