/** Adds a rule at run time. It is written as in a file, and takes precedence over all others. */
import { useState } from 'preact/hooks';
import { ApiError, draft, model, toast } from '../../core/index.js';
import { Button, Field, submits } from '../../parts/index.js';
import { problemsOf, type Problem } from './problems.js';

const example = `when: message.send
pick: { first: 1 }
then: { respond: { status: 503, retry_after: 2s } }
`;

export function AddRule() {
  const { api, key } = model.value;
  const text = draft(`scenario-rule/${key}`, example);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const add = async () => {
    try {
      await api.send('post', '/_sandbox/rules', text.value, 'application/yaml');
      setProblems([]);
      text.value = example;
      toast('good', 'The rule is active and takes precedence over all others.');
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const found = problemsOf(error);
      setProblems(found);
      if (found.length === 0) toast('bad', error.message);
    }
  };
  return (
    <form class="add-rule" onSubmit={submits(add)}>
      <Field label="A new rule, in YAML" hint="One rule, as in a scenario file, without the leading dash.">
        <textarea
          class="mono"
          rows={4}
          spellcheck={false}
          autocapitalize="off"
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
            setProblems([]);
          }}
        />
      </Field>
      {problems.length > 0 && (
        <ul class="add-rule-problems small-text breaks" role="alert">
          {problems.map(({ line, message, suggestion, allowed }, at) => (
            <li key={at}>
              <span class="strong">Line {line}:</span> {message}
              {suggestion !== undefined && <> Did you mean {suggestion}?</>}
              {suggestion === undefined && allowed !== undefined && <> Allowed: {allowed}.</>}
            </li>
          ))}
        </ul>
      )}
      <Button kind="small" type="submit">
        Add rule
      </Button>
    </form>
  );
}
