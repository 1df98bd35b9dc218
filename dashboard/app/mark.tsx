import type { JSX } from "preact";

/** The paw that stands for the product; says nothing to who cannot see it. */
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
