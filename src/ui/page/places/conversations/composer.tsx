import { useRef } from 'preact/hooks';
import { callOf, callService, curlOf, draft, here, model, useRead } from '../../core/index.js';
import { Button, CopyButton, Icon, IconButton, Notice, Select, submits, TextArea } from '../../parts/index.js';
import { TextInput, useWork } from '../../parts/index.js';
import { type Draft, blank, inboundOf, isReady, outboundOf, types } from './drafts.js';
import { chosenTemplate, optionsOf, variablesOf } from './template-choice.js';
import { Variables } from './variables.js';

interface Props {
  readonly phone: string;
  readonly windowOpen: boolean;
  readonly onOpenWindow: () => void;
}

export function Composer({ phone, windowOpen, onOpenWindow }: Props) {
  const { key, api, site } = model.value;
  const written = draft<Draft>(`composer/${key}/${phone}`, blank);
  const { problem, run, forget } = useWork();
  const form = useRef<HTMLFormElement>(null);
  const templates =
    useRead('templates to send', () => api.get('/_sandbox/templates', { query: { limit: 1000, order: 'desc' } }), [
      'template',
    ]).value?.items ?? [];
  const { side, type } = written.value;
  const business = side === 'business';
  const change = (part: Partial<Draft>) => {
    written.value = { ...written.value, ...part };
    forget();
  };
  const body = outboundOf(written.value, phone, templates);
  const ready = isReady(written.value, templates);
  const send = async (generated = false) => {
    if (!ready && !generated) return;
    const said = generated ? { from: phone } : inboundOf(written.value, phone);
    const sent = await run(() =>
      business ? callService('/v1/messages', body) : api.post('/_sandbox/inbound', { body: said }),
    );
    if (sent && !generated) change({ text: '', url: '', buttonId: '', buttons: '' });
    form.current?.querySelector('textarea')?.focus();
  };
  return (
    <form ref={form} class="stack composer" aria-label="Write a message" onSubmit={submits(() => send())}>
      {business && !windowOpen && type !== 'template' && (
        <Notice tone="warn">
          <div class="row">
            <span class="grow">
              The window is closed: the service accepts only templates until the customer writes.
            </span>
            <Button kind="low" onClick={onOpenWindow} words="Open window" />
          </div>
        </Notice>
      )}
      {problem}
      <div class="row">
        <Switch
          label="Who writes"
          value={side}
          options={[
            ['customer', 'As customer'],
            ['business', 'As business'],
          ]}
          onChoose={(next) => change({ side: next, type: next === 'customer' && type === 'template' ? 'text' : type })}
        />
        <Switch
          label="Type of message"
          value={type}
          options={types.filter(([id]) => business || id !== 'template')}
          onChoose={(next) => change({ type: next })}
        />
      </div>
      <Extras written={written.value} change={change} templates={templates} />
      <div class="composer-line">
        {hasText(side, type) && (
          <TextArea
            rows={1}
            dir="auto"
            aria-label={textLabel(side, type)}
            placeholder={textLabel(side, type)}
            value={written.value.text}
            onText={(text) => change({ text })}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
              event.preventDefault();
              void send();
            }}
          />
        )}
        {business ? (
          <CopyButton kind="" text={curlOf(callOf('POST', '/v1/messages', body), site)} label="as curl" />
        ) : (
          <IconButton icon="dice" label="Send a generated message" onClick={() => void send(true)} />
        )}
        <button
          type="submit"
          class="button primary"
          aria-label={business ? 'Send as the business' : 'Send as the customer'}
          aria-disabled={!ready}
        >
          <Icon name="send" size={16} /> Send
        </button>
      </div>
    </form>
  );
}

interface SwitchProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, words: string])[];
  readonly onChoose: (value: T) => void;
}

function Switch<T extends string>({ label, value, options, onChoose }: SwitchProps<T>) {
  return (
    <div class="switch-row" role="group" aria-label={label}>
      {options.map(([id, words]) => (
        <button key={id} type="button" aria-pressed={id === value} onClick={() => onChoose(id)}>
          {words}
        </button>
      ))}
    </div>
  );
}

/** The service takes no text with the media of a business. */
function hasText(side: Draft['side'], type: Draft['type']): boolean {
  return type !== 'template' && (side === 'customer' || (type !== 'image' && type !== 'document'));
}

function textLabel(side: Draft['side'], type: Draft['type']): string {
  if (type === 'image' || type === 'document') return 'Caption (optional)';
  if (type === 'interactive') return side === 'business' ? 'Question above the buttons' : 'Title of the tapped button';
  return side === 'business' ? 'Write as the business' : 'Write as the customer';
}

interface ExtrasProps {
  readonly written: Draft;
  readonly change: (part: Partial<Draft>) => void;
  readonly templates: Parameters<typeof chosenTemplate>[1];
}

function Extras({ written, change, templates }: ExtrasProps) {
  const { side, type, template, variables } = written;
  const line = (name: 'url' | 'buttonId' | 'buttons', label: string, placeholder = label) => (
    <TextInput
      aria-label={label}
      placeholder={placeholder}
      value={written[name]}
      onText={(text) => change({ [name]: text })}
    />
  );
  if (type === 'image' || type === 'document')
    return line('url', 'File URL', side === 'customer' ? 'https://… (generated if empty)' : 'https://… (required)');
  if (type === 'interactive' && side === 'customer') return line('buttonId', 'Id of the tapped button');
  if (type === 'interactive') return line('buttons', 'Buttons, separated by commas', 'Buttons, such as: Yes, No');
  if (type !== 'template') return null;
  const chosen = chosenTemplate(template, templates);
  if (!chosen) {
    return (
      <p class="hint">
        No template is approved. Submit one under <a href={here('templates')}>Templates</a>, and approve it there.
      </p>
    );
  }
  return (
    <div class="stack tight">
      <Select
        aria-label="Template"
        value={chosen.id}
        options={optionsOf(templates)}
        onText={(next) => change({ template: next, variables: [] })}
      />
      <p class="hint" dir="auto">
        {chosen.text}
      </p>
      <Variables values={variablesOf(chosen, variables)} onChange={(next) => change({ variables: next })} />
    </div>
  );
}
