/** The template as shown on a phone, with sample values that can be edited. */
import { useId } from 'preact/hooks';
import { draft, here, model, type Template } from '../../core/index.js';
import { Button, Icon } from '../../parts/index.js';
import { templateButtons } from '../handset/actions.js';
import { filledPieces, sampleValues } from './sample.js';

export function Preview({ template }: { readonly template: Template }) {
  const samples = sampleValues(template);
  const written = draft<Readonly<Record<number, string>>>(`template-sample/${model.value.key}/${template.id}`, {});
  const values = samples.map((sample, at) => written.value[at] ?? sample);
  const id = useId();
  const buttons = templateButtons(template.buttons);
  return (
    <section class="card" aria-label="Preview">
      <h3>Preview</h3>
      <div class="preview">
        <div class="phone" role="group" aria-label="On a phone">
          <div class="phone-bubble">
            <p class="phone-text breaks" dir="auto">
              {filledPieces(template.text, values).map(({ text, variable }, at) =>
                variable === null ? text : <mark key={at}>{text}</mark>,
              )}
            </p>
          </div>
          {buttons.map(({ id: key, title, kind, target }) => (
            <p key={key} class="phone-button line breaks" title={target ?? undefined}>
              <Icon
                name={kind === 'tap' ? 'reply' : kind === 'url' ? 'link' : kind === 'copy_code' ? 'copy' : 'person'}
                size={14}
              />
              {title}
            </p>
          ))}
        </div>
        <div class="samples">
          {values.length === 0 && <p class="faint">No variables.</p>}
          {values.map((value, at) => (
            <div key={at} class="sample">
              <label for={`${id}-${at}`} class="mono">
                {`{{${at + 1}}}`}
              </label>
              <input
                id={`${id}-${at}`}
                type="text"
                autocomplete="off"
                dir="auto"
                value={value}
                onInput={(event) => {
                  written.value = { ...written.value, [at]: event.currentTarget.value };
                }}
              />
            </div>
          ))}
          <p class="samples-foot">
            <a
              class="button small"
              href={here('send', ['template'], {
                template: `${template.name} ${template.language}`,
                ...Object.fromEntries(values.map((value, at) => [`variable ${at + 1}`, value])),
              })}
            >
              <Icon name="send" size={14} /> Send template
            </a>
            {Object.keys(written.value).length > 0 && (
              <Button
                kind="quiet small"
                onClick={() => {
                  written.value = {};
                }}
              >
                Restore samples
              </Button>
            )}
          </p>
        </div>
      </div>
    </section>
  );
}
