/** A state as a word and a colour; the word alone is sufficient. */
const tones: Readonly<Record<string, Tone>> = {
  accepted: 'wait',
  sent: 'wait',
  delivered: 'good',
  read: 'good',
  received: 'good',
  failed: 'bad',
  pending: 'wait',
  approved: 'good',
  rejected: 'bad',
  paused: 'warn',
  deleted: 'off',
  active: 'good',
  retrying: 'warn',
  held: 'warn',
  dropped: 'bad',
  verified: 'good',
  expired: 'off',
  locked: 'bad',
};

type Tone = 'good' | 'bad' | 'warn' | 'wait' | 'off';

interface Props {
  readonly status: string;
  /** Replaces the usual tone of the status. */
  readonly tone?: Tone;
}

export function StatusBadge({ status, tone = tones[status] ?? 'off' }: Props) {
  return <span class={`badge tiny-text ${tone}`}>{status}</span>;
}

/** An HTTP status, or the error that replaced it. */
export function HttpBadge({ status }: { status: number | null }) {
  if (status === null) return <span class="badge tiny-text bad">no response</span>;
  const tone: Tone = status < 300 ? 'good' : status < 500 ? 'warn' : 'bad';
  return <span class={`badge tiny-text ${tone}`}>{status}</span>;
}

/** The status of a message, as on phones: one tick for sent, two for delivered, two in colour for read. */
const tickWords: Readonly<Record<string, string>> = {
  accepted: 'Accepted, not yet on the channel',
  sent: 'Sent',
  delivered: 'Delivered',
  read: 'Read',
  failed: 'Failed',
};

export function Ticks({ status }: { status: string }) {
  const label = tickWords[status] ?? status;
  return (
    <span class={`ticks faint ${status}`} role="img" aria-label={label} title={label}>
      <svg
        viewBox="0 0 18 12"
        width="18"
        height="12"
        fill="none"
        stroke="currentColor"
        stroke-width="1.7"
        aria-hidden="true"
      >
        {status === 'accepted' && (
          <path d="M9 2.200V6l2.600 1.600M9 6m-4.600 0a4.600 4.600 0 1 0 9.200 0a4.600 4.600 0 1 0-9.200 0" />
        )}
        {status === 'failed' && <path d="M9 2.200v4.500M9 9.500h.01M9 6m-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0" />}
        {status === 'sent' && <path d="M4.500 6.500 7.500 9.500 14 3" />}
        {(status === 'delivered' || status === 'read') && <path d="M1.500 6.500 4.500 9.500 11 3M8 9l.5.5L15.500 3" />}
      </svg>
    </span>
  );
}
