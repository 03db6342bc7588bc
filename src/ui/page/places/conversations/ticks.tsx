/** The status of a message, as on phones: one tick for sent, two for delivered, two in colour for read. */
const ticks: Readonly<Record<string, readonly [words: string, path: string]>> = {
  accepted: [
    'Accepted, not yet on the channel',
    'M9 2.200V6l2.600 1.600M9 6m-4.600 0a4.600 4.600 0 1 0 9.200 0a4.600 4.600 0 1 0-9.200 0',
  ],
  failed: ['Failed', 'M9 2.200v4.500M9 9.500h.01M9 6m-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0'],
  sent: ['Sent', 'M4.500 6.500 7.500 9.500 14 3'],
  delivered: ['Delivered', 'M1.500 6.500 4.500 9.500 11 3M8 9l.5.5L15.500 3'],
  read: ['Read', 'M1.500 6.500 4.500 9.500 11 3M8 9l.5.5L15.500 3'],
  received: ['Received', 'M14 2 6 9.500M6 4v5.500h6'],
};

export function Ticks({ status, words = false }: { status: string; words?: boolean }) {
  const [label = status, path] = ticks[status] ?? [];
  return (
    <span class={`ticks ${status}`} title={label} {...(!words && { role: 'img', 'aria-label': label })}>
      <svg
        viewBox="0 0 18 12"
        width="18"
        height="12"
        fill="none"
        stroke="currentColor"
        stroke-width="1.7"
        aria-hidden="true"
      >
        <path d={path} />
      </svg>
      {words && <span class="soft">{status}</span>}
    </span>
  );
}
