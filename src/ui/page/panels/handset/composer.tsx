/** The composer of the customer: text, an image, a document, a tapped button, or a generated message. */
import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import { act, draft, model } from '../../core/index.js';
import { Icon, IconButton, type IconName, submits, TextArea, TextInput } from '../../parts/index.js';

const kinds = [
  { id: 'text', label: 'Text', icon: 'chat' },
  { id: 'image', label: 'Image', icon: 'image' },
  { id: 'document', label: 'Document', icon: 'file' },
  { id: 'interactive', label: 'Button tap', icon: 'reply' },
] as const satisfies readonly { id: string; label: string; icon: IconName }[];

type Kind = (typeof kinds)[number]['id'];

interface Draft {
  readonly kind: Kind;
  readonly text: string;
  readonly url: string;
  readonly buttonId: string;
}

const blank: Draft = { kind: 'text', text: '', url: '', buttonId: '' };

export function Composer({ phone, input }: { phone: string; input: RefObject<HTMLTextAreaElement | null> }) {
  const { key, api } = model.value;
  const written = draft<Draft>(`composer/${key}/${phone}`, blank);
  const [busy, setBusy] = useState(false);
  const { kind, text, url, buttonId } = written.value;
  const change = (part: Partial<Draft>) => {
    written.value = { ...written.value, ...part };
  };
  const ready = kind === 'interactive' ? text !== '' && buttonId !== '' : kind !== 'text' || text.trim() !== '';

  const say = async (madeUp: boolean) => {
    setBusy(true);
    const body = madeUp ? { from: phone } : { from: phone, ...contentOf(written.value) };
    const result = await act(api.post('/_sandbox/inbound', { body }));
    setBusy(false);
    if (result && !madeUp) written.value = { ...blank, kind: kind === 'interactive' ? 'text' : kind };
    input.current?.focus();
  };
  const send = () => {
    if (ready && !busy) void say(false);
  };

  return (
    <form class="composer ruled-top grid gap-40 surface" aria-label="Write as the customer" onSubmit={submits(send)}>
      <div class="composer-kinds flex gap-30" role="group" aria-label="Message type">
        {kinds.map(({ id, label, icon }) => (
          <button
            key={id}
            type="button"
            class="chip inline pointer gap-35 faint nowrap round small-text"
            aria-pressed={kind === id}
            aria-label={label}
            title={label}
            onClick={() => change({ kind: id })}
          >
            <Icon name={icon} size={15} />
            <span class="chip-words">{label}</span>
          </button>
        ))}
        <button
          type="button"
          class="chip inline pointer gap-35 faint nowrap round small-text made-up"
          disabled={busy}
          title="Generate a message and send it as the customer"
          onClick={() => void say(true)}
        >
          <Icon name="dice" size={15} />
          <span>Generate message</span>
        </button>
      </div>
      {(kind === 'image' || kind === 'document') && (
        <TextInput
          type="url"
          class="composer-line"
          aria-label="File URL"
          placeholder="https://… (generated if empty)"
          value={url}
          onText={(next) => change({ url: next })}
        />
      )}
      {kind === 'interactive' && (
        <TextInput
          class="composer-line"
          aria-label="Button id"
          placeholder="Button id"
          value={buttonId}
          onText={(value) => change({ buttonId: value })}
        />
      )}
      <div class="composer-row flex gap-50">
        <TextArea
          ref={input}
          rows={1}
          dir="auto"
          aria-label={kind === 'interactive' ? 'Button title' : kind === 'text' ? 'Message' : 'Caption'}
          placeholder={placeholderOf(kind)}
          value={text}
          onText={(next) => change({ text: next })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            send();
          }}
        />
        <IconButton
          icon="send"
          label="Send"
          kind="primary"
          type="submit"
          title="Send (Enter)"
          disabled={!ready || busy}
        />
      </div>
    </form>
  );
}

function placeholderOf(kind: Kind): string {
  if (kind === 'text') return 'Write as the customer';
  return kind === 'interactive' ? 'Button title' : 'Caption (optional)';
}

function contentOf({ kind, text, url, buttonId }: Draft) {
  if (kind === 'text') return { type: kind, text };
  if (kind === 'interactive') return { type: kind, interactive: { id: buttonId, title: text } };
  return { type: kind, ...(text !== '' && { text }), ...(url !== '' && { media_url: url }) };
}
