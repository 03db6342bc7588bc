/** Submits a template, as the business does. */
import { useState } from 'preact/hooks';
import { callOf, draft, errorOf, errorWords, go, here, model, sendCall } from '../../core/index.js';
import { Field, FormDialog, Notice, parsed, Select, TextArea, TextInput } from '../../parts/index.js';

const blank = { name: 'order_shipped', category: 'utility', language: 'en', body: 'Your order {{1}} has shipped.' };

export function NewTemplate({ onClose }: { onClose: () => void }) {
  const { key } = model.value;
  const written = draft(`template/${key}`, blank);
  const [error, setError] = useState<string | null>(null);
  const change = (part: Partial<typeof blank>) => {
    written.value = { ...written.value, ...part };
    setError(null);
  };
  const { name, category, language, body } = written.value;
  const submit = async () => {
    const call = callOf('POST', '/v1/templates', { name, category, language, ...(body !== '' && { body }) });
    const response = await sendCall(call, key);
    const failed = errorOf(response);
    if (failed) {
      setError(errorWords(failed));
      return;
    }
    onClose();
    go(here('templates', [(parsed(response.text) as { template_id: string }).template_id]));
  };
  return (
    <FormDialog title="New template" does="Submit template" onClose={onClose} onSubmit={submit}>
      <Field label="Name" hint="A name that ends in _reject, _never and the like decides its review.">
        <TextInput value={name} onText={(next) => change({ name: next })} />
      </Field>
      <Field label="Category">
        <Select
          value={category}
          options={['utility', 'marketing', 'authentication'].map((each) => [each, each] as const)}
          onText={(next) => change({ category: next })}
        />
      </Field>
      <Field label="Language" hint="For example en, en_US or pt-BR.">
        <TextInput value={language} onText={(next) => change({ language: next })} />
      </Field>
      <Field label="Body" hint="Variables are {{1}}, {{2}} and so on. Authentication needs no body.">
        <TextArea rows={3} dir="auto" value={body} onText={(next) => change({ body: next })} />
      </Field>
      {error !== null && <Notice tone="bad">{error}</Notice>}
    </FormDialog>
  );
}
