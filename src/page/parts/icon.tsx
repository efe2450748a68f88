// The page's icons, drawn in the text colour. They are hidden from screen readers, because a text or label says the same.

const PATHS = {
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  plus: 'M8 3v10M3 8h10',
  close: 'M4 4l8 8M12 4l-8 8',
  check: 'M3 8.5l3.5 3.5L13 4.5',
  search: 'M11.5 7a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0zM10.5 10.5l3 3',
  more: 'M3 8h.5M7.75 8h.5M12.5 8h.5',
  pencil: 'M10.5 3l2.5 2.5-7.5 7.5H3v-2.5z',
  trash: 'M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.5 8.5h6l.5-8.5',
  copy: 'M6 6h7v7H6zM10 6V3H3v7h3',
  retry: 'M13 8a5 5 0 1 1-1.5-3.6M13 2.5v3h-3',
  undo: 'M3 6h6.5a3.5 3.5 0 0 1 0 7H6M5.5 3.5L3 6l2.5 2.5',
  up: 'M4.5 7V13H2.5V7zM4.5 7l2.5-4.5c1 0 1.5.7 1.3 1.7L8 6.5h4c1 0 1.5.8 1.3 1.6l-.9 3.7c-.2.8-.7 1.2-1.4 1.2H4.5',
  down: 'M4.5 9V3H2.5v6zM4.5 9l2.5 4.5c1 0 1.5-.7 1.3-1.7L8 9.5h4c1 0 1.5-.8 1.3-1.6l-.9-3.7c-.2-.8-.7-1.2-1.4-1.2H4.5',
  attach: 'M12.5 7.5L8 12a2.8 2.8 0 0 1-4-4l5-5a1.9 1.9 0 0 1 2.7 2.7L7 10.3a.9.9 0 0 1-1.3-1.3L10 4.8',
  send: 'M8 13V3M4 7l4-4 4 4',
  stop: 'M4 4h8v8H4z',
  'arrow-down': 'M8 3v10M4 9l4 4 4-4',
  'chevron-down': 'M4 6l4 4 4-4',
  'chevron-right': 'M6 4l4 4-4 4',
  'chevron-left': 'M10 4L6 8l4 4',
  file: 'M4 2.5h5l3 3v8H4zM9 2.5v3h3',
  document: 'M4 2.5h5l3 3v8H4zM9 2.5v3h3M6 8.5h4M6 11h4',
  archive: 'M2.5 3h11v3h-11zM3.5 6v7h9V6M6.5 8.5h3',
  image: 'M2.5 3.5h11v9h-11zM2.5 11l3-3 2.5 2.5L10.5 8l3 3M6 6h.01',
  table: 'M2.5 3.5h11v9h-11zM2.5 6.5h11M6 6.5v6',
  code: 'M5.5 5L2.5 8l3 3M10.5 5l3 3-3 3',
  terminal: 'M2.5 3.5h11v9h-11zM5 6.5L6.5 8 5 9.5M8.5 10h2.5',
  write: 'M8.5 2.5H4v11h8V8M12.5 2l1.5 1.5-4.5 4.5H8V6.5z',
  wrap: 'M2.5 4h11M2.5 8h8.5a2 2 0 0 1 0 4H8M9.5 10.5L8 12l1.5 1.5M2.5 12h2.5',
  side: 'M2.5 3.5h11v9h-11zM6.5 3.5v9',
  thread: 'M2.5 3.5h11v7.5h-6l-3 2.5v-2.5h-2z',
  inbox: 'M2.5 9.5l2-6h7l2 6v3.5h-11zM2.5 9.5h3.5c0 2.5 4 2.5 4 0h3.5',
  download: 'M8 2.5v7.5M5 7l3 3 3-3M3 13h10',
  external: 'M9.5 2.5h4v4M13.5 2.5L8 8M6.5 3.5h-3v9h9v-3',
  skill: 'M6 5V3.5h4V5M2.5 5h11v8h-11zM2.5 8.5h4M9.5 8.5h4M6.5 7.5h3v2.5h-3z',
  tool: 'M10 6.5L4.5 12 3 10.5 8.5 5M8.5 5a3 3 0 0 1 4-2L11 4.5l.5 1L13 5.5a3 3 0 0 1-3 1',
  branch:
    'M4.5 6v4M4.5 6a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM4.5 13a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM11.5 6a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM11.5 6c0 2.5-3 2-5.5 3.5',
  receipt:
    'M3.5 2.5l1.5 1 1.5-1 1.5 1 1.5-1 1.5 1 1.5-1v11l-1.5-1-1.5 1-1.5-1-1.5 1-1.5-1-1.5 1zM6 6.5h4M6 9.5h4',
  clock: 'M13.5 8a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0zM8 5v3l2 1.5',
  thought: 'M6 12.5h4M6.5 10.5C5 9.5 4 8.3 4 6.5a4 4 0 0 1 8 0c0 1.8-1 3-2.5 4z',
  warning: 'M8 2.5l6 10.5H2zM8 6.5v3M8 11.3h.01',
  info: 'M13.5 8a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0zM8 7.5V11M8 5.3h.01',
  question:
    'M13.5 8a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0zM6.5 6.5a1.5 1.5 0 1 1 2.2 1.4c-.5.3-.7.6-.7 1.1M8 11.3h.01',
  key: 'M9 7a3 3 0 1 1-2-2.8A3 3 0 0 1 9 7zM8.2 8.8L13 13.5M11 11.5l1.5-1.5',
  light:
    'M8 5.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5zM8 2v1M8 13v1M2 8h1M13 8h1M3.8 3.8l.7.7M11.5 11.5l.7.7M3.8 12.2l.7-.7M11.5 4.5l.7-.7',
  dark: 'M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5z',
  system: 'M2.5 3.5h11v7h-11zM6 13h4M8 10.5V13',
  keyboard: 'M2 4.5h12v7H2zM4.5 7h.01M7 7h.01M9.5 7h.01M11.5 7h.01M5 9.5h6',
  sliders:
    'M2.5 5h6M11.5 5h2M8.5 5a1.5 1.5 0 1 0 3 0 1.5 1.5 0 0 0-3 0zM2.5 11h2M7.5 11h6M4.5 11a1.5 1.5 0 1 0 3 0 1.5 1.5 0 0 0-3 0z',
  chart: 'M3 13.5v-4M8 13.5v-11M13 13.5v-7',
  pulse: 'M2 8.5h2.5l2-5.5 3 10 2-4.5H14',
  review: 'M7.5 2.5h-4v11h9V9M6 6h2M6 9h3M9.5 5l1.5 1.5L14 3',
  book: 'M8 4C6.5 3 4.5 2.8 2.5 3v9.5c2-.2 4 0 5.5 1 1.5-1 3.5-1.2 5.5-1V3c-2-.2-4 0-5.5 1zM8 4v9.5',
  scales: 'M8 2.5v11M5 13.5h6M3 4.5h10M3 4.5l-1.5 5h3zM13 4.5l-1.5 5h3z',
  text: 'M3 3.5h10M3 6.5h10M3 9.5h7M3 12.5h4',
  plug: 'M5.5 2.5V6M10.5 2.5V6M3.5 6h9v2a4.5 4.5 0 0 1-9 0zM8 12.5v2',
  globe:
    'M13.5 8a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0zM2.5 8h11M8 2.5c3.5 3.5 3.5 7.5 0 11-3.5-3.5-3.5-7.5 0-11z',
} as const

export type IconName = keyof typeof PATHS

/** The icon with this name, or if there is none, `fallback`. */
export function iconOr(name: string | null, fallback: IconName): IconName {
  // The cast is safe: the name is a key of the table.
  return name !== null && Object.hasOwn(PATHS, name) ? (name as IconName) : fallback
}

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}
