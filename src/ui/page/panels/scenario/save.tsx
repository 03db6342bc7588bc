/** Saves the text to a file, if the sandbox was started with one that it may write. */
import { useState } from 'preact/hooks';
import { act, go, here, type KnownScenario, model, sandboxInfo, toast } from '../../core/index.js';
import { Button, Field, FormDialog, HelpLink, TextInput } from '../../parts/index.js';
import { nameOf } from './editor.js';
import { useKnown } from './known.js';
import type { Origin } from './origin.js';

export function SaveButton({ origin, text, onSaved }: { origin: Origin; text: string; onSaved: () => void }) {
  const { api } = model.value;
  const [saves, setSaves] = useState(0);
  const [naming, setNaming] = useState(false);
  const known = useKnown(saves);
  const folder = sandboxInfo()?.scenarios_folder ?? null;
  const file = known?.find(({ name, writable }) => writable && name === origin.file);
  const save = async (name: string) => {
    const done = await act(api.put('/_sandbox/scenarios/{name}', { path: { name }, body: { source: text } }));
    if (!done) return;
    setNaming(false);
    setSaves(saves + 1);
    onSaved();
    toast('good', `Saved in ${done.file}.`, done.active ? ['The active scenario does not change.'] : []);
    if (name !== origin.file) go(here('scenario', ['editor', name]));
  };
  if (known === null || (file === undefined && folder === null)) return null;
  return (
    <>
      <Button
        kind="small"
        title={file?.file ?? `Into ${folder ?? ''}`}
        onClick={() => (file ? void save(file.name) : setNaming(true))}
      >
        {file ? 'Save' : 'Save as …'}
      </Button>
      {naming && (
        <SaveAs
          first={nameOf(text).replaceAll('.', '-')}
          folder={folder ?? ''}
          known={known}
          onClose={() => setNaming(false)}
          onSave={(name) => void save(name)}
        />
      )}
    </>
  );
}

interface SaveAsProps {
  readonly first: string;
  readonly folder: string;
  readonly known: readonly KnownScenario[];
  readonly onClose: () => void;
  readonly onSave: (name: string) => void;
}

function SaveAs({ first, folder, known, onClose, onSave }: SaveAsProps) {
  const isFixed = (each: string) => known.some(({ name: other, writable }) => other === each && !writable);
  const [name, setName] = useState(isFixed(first) ? `my-${first}` : first);
  const replaces = known.some(({ name: other }) => other === name);
  return (
    <FormDialog
      title="Save the scenario"
      onClose={onClose}
      does={replaces ? 'Replace' : 'Save'}
      onSubmit={() => {
        if (!isFixed(name)) onSave(name);
      }}
    >
      <Field
        label="Name"
        error={isFixed(name) ? `The scenario ${name} cannot be replaced. Choose another name.` : null}
        hint={
          replaces ? (
            `Replaces the file ${name}.`
          ) : (
            <>
              Creates {folder}/{name}.yaml. <HelpLink page="web-ui.md#scenario">Which files can be saved</HelpLink>
            </>
          )
        }
      >
        <TextInput required spellcheck={false} value={name} onText={(value) => setName(value.trim())} />
      </Field>
    </FormDialog>
  );
}
