/** Creates a customer: a number with the behaviour to test, a name, and the first message. */
import { useState } from 'preact/hooks';
import { act, compactPhone, freeNumber, go, here, isPhone, model, sandboxInfo } from '../../core/index.js';
import { Field, FormDialog, PhoneField } from '../../parts/index.js';

export function NewCustomer({ onClose }: { readonly onClose: () => void }) {
  const { api, customers } = model.value;
  const [phone, setPhone] = useState(() => freeNumber((each) => customers.get(each) !== undefined, sandboxInfo()));
  const [name, setName] = useState('');
  const [words, setWords] = useState('');
  const [writes, setWrites] = useState(true);
  const [error, setError] = useState<string | null>(null);

  const begin = async () => {
    const number = compactPhone(phone);
    if (!isPhone(number)) {
      setError(`Invalid number "${phone}". Expected a plus, then 7 to 15 digits, such as +12025550110.`);
      return;
    }
    const done = writes
      ? await act(
          api.post('/_sandbox/inbound', {
            body: {
              from: number,
              ...(name !== '' && { profile_name: name }),
              ...(words !== '' && { type: 'text' as const, text: words }),
            },
          }),
        )
      : await act(api.put('/_sandbox/customers/{phone}/window', { path: { phone: number }, body: { open: true } }));
    if (!done) return;
    onClose();
    go(here('handset', [number]));
  };

  return (
    <FormDialog title="New customer" onClose={onClose} does="Create customer" onSubmit={begin}>
      <PhoneField
        label="Number"
        error={error}
        value={phone}
        onChange={(value) => {
          setPhone(value);
          setError(null);
        }}
      />
      <fieldset class="choice">
        <legend>Start with</legend>
        <label>
          <input type="radio" name="begins" checked={writes} onChange={() => setWrites(true)} /> a message from the
          customer
        </label>
        <label>
          <input type="radio" name="begins" checked={!writes} onChange={() => setWrites(false)} /> an open window,
          without a message
        </label>
      </fieldset>
      {writes && (
        <>
          <Field label="Name" hint="Generated if empty.">
            <input
              type="text"
              autocomplete="off"
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          </Field>
          <Field label="First message" hint="Generated if empty.">
            <textarea rows={2} value={words} onInput={(event) => setWords(event.currentTarget.value)} />
          </Field>
        </>
      )}
    </FormDialog>
  );
}
