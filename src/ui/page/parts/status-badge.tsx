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
export function HttpBadge({ status }: { readonly status: number | null }) {
  if (status === null) return <span class="badge tiny-text bad">no response</span>;
  const tone: Tone = status < 300 ? 'good' : status < 500 ? 'warn' : 'bad';
  return <span class={`badge tiny-text ${tone}`}>{status}</span>;
}
