const paths = {
  chat: 'M4 6.5A2.5 2.5 0 0 1 6.5 4h11A2.5 2.5 0 0 1 20 6.5v7a2.5 2.5 0 0 1-2.5 2.5H11l-4.5 4v-4A2.5 2.5 0 0 1 4 13.5z',
  template: 'M5 4h14v16H5zM8.5 8.5h7M8.5 12h7M8.5 15.5h4',
  key: 'M14.5 9.5m-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0M10.9 13.1 4 20M7 17l2.5 2.5',
  webhook:
    'M12 3v6M12 9 6.5 18M12 9l5.5 9M12 9m-2.2 0a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0-4.4 0M6.5 18m-2.2 0a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0-4.4 0M17.5 18m-2.2 0a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0-4.4 0',
  requests: 'M4 7h12M13 4l3 3-3 3M20 17H8M11 14l-3 3 3 3',
  scenario: 'M5 5h6v6H5zM13 13h6v6h-6zM11 8h5v5',
  clock: 'M12 12m-8.5 0a8.5 8.5 0 1 0 17 0a8.5 8.5 0 1 0-17 0M12 7v5l3.5 2',
  play: 'M8 5.5v13l10-6.5z',
  pause: 'M8 5v14M16 5v14',
  more: 'M12 5.500m-.5 0a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0M12 12m-.5 0a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0M12 18.500m-.5 0a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0',
  copy: 'M9 9h10v11H9zM15 9V4H5v11h4',
  check: 'M5 12.5 10 17.5 19 7',
  close: 'M6 6l12 12M18 6 6 18',
  plus: 'M12 5v14M5 12h14',
  search: 'M10.5 10.5m-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0M15 15l5 5',
  back: 'M14.5 5 7.5 12l7 7',
  down: 'M6 9.5l6 6 6-6',
  send: 'M4 12 20 4l-5 16-3.5-6.5z',
  dice: 'M5 5h14v14H5zM9 9h.01M15 9h.01M12 12h.01M9 15h.01M15 15h.01',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.01',
  download: 'M12 4v11M7.5 10.5 12 15l4.5-4.5M5 20h14',
  file: 'M7 3h7l4 4v14H7zM14 3v4h4',
  alert: 'M12 4 21 19.5H3zM12 10v4.5M12 17h.01',
  sun: 'M12 12m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M5.6 18.4 7 17M17 7l1.4-1.4',
  moon: 'M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z',
  reply: 'M10 6 4.5 11.5 10 17M5 11.5h9a5 5 0 0 1 5 5V18',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.7L12 6.300M14 10a4 4 0 0 0-5.700 0l-3 3a4 4 0 0 0 5.700 5.700L12 17.700',
  person: 'M12 8m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0M4.500 20a7.500 7.500 0 0 1 15 0',
  menu: 'M4 7h16M4 12h16M4 17h16',
  mail: 'M4 6h16v12H4zM4 7l8 6 8-6',
  camera: 'M4 8h4l1.500-2.500h5L16 8h4v11H4zM12 13m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0',
  restart: 'M5 12a7 7 0 1 1 2 5M5 18v-4h4',
  help: 'M12 12m-8.5 0a8.5 8.5 0 1 0 17 0a8.5 8.5 0 1 0-17 0M9.5 9.500a2.500 2.500 0 1 1 3.500 2.300c-.7.3-1 .8-1 1.700M12 16.500h.01',
  bolt: 'M13 3 5 13.500h6L10 21l8-10.500h-6z',
} as const;

export type IconName = keyof typeof paths;

/** Hidden from screen readers: the text next to it, or the label of its button, has the meaning. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      class="icon"
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      stroke-width="1.8"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  );
}
