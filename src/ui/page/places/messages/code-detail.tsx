/** One code: the figures as the customer reads them, a form that verifies it, and its story. */
import { useState } from 'preact/hooks';
import { callOf, counted, done, errorOf, errorWords, here, model, sendCall, useRead } from '../../core/index.js';
import {
  Answer,
  Button,
  Card,
  Copied,
  CopyButton,
  Detail,
  Empty,
  Loading,
  More,
  Notice,
  Pairs,
  parsed,
  submits,
  TextInput,
  Time,
  toneOf,
  Why,
} from '../../parts/index.js';
import { stateAt } from './code-state.js';
import { DeliveryRows } from './delivery-rows.js';
import { Axis, storyNouns } from './message-detail.js';
import { entriesOf, readStory } from './story.js';

export function CodeDetail({ id, back }: { id: string; back: string }) {
  const { api, clock } = model.value;
  const read = useRead(
    `code ${id}`,
    async () => {
      const [otp] = (await done(api.GET('/_sandbox/otps', { params: { query: { otp_id: id } } }))).items;
      return otp ? { otp, story: await readStory(api, otp.message_id) } : null;
    },
    storyNouns,
  ).value;
  if (read === undefined) return <Loading />;
  if (read === null) {
    return (
      <Empty title="This code does not exist">
        <p>
          The account has none with the id {id}. It may have been reset. <a href={back}>All codes</a>
        </p>
      </Empty>
    );
  }
  const { otp, story } = read;
  const { to, code, template, expires_at: expires, verified_at: verified, attempts_remaining: left } = otp;
  const state = stateAt(otp, clock.second.value);
  return (
    <Detail
      title={`Code to ${to}`}
      label={`Code to ${to}`}
      back={back}
      answer={
        <Answer
          tone={state === 'verified' ? 'good' : toneOf(state)}
          words={[
            state,
            verified === null ? null : <Time key="v" at={verified} />,
            state === 'active' ? (
              <>
                expires <Time at={expires} as="relative" />
              </>
            ) : null,
            `${counted(left, 'attempt')} left`,
          ]}
        >
          <a class="button low" href={here('conversations', [to, otp.message_id])}>
            Conversation
          </a>
        </Answer>
      }
    >
      <Why explain={otp.explain} />
      <div class="sides">
        <Card title="The code">
          <p class="code-large">
            <span class="mono">{code}</span> <CopyButton kind="low" text={code} label="code" />
          </p>
          <Verify id={id} code={code} />
        </Card>
        {story && (
          <Card title="What happened">
            <Axis entries={entriesOf(story)} />
          </Card>
        )}
      </div>
      {story && story.deliveries.length > 0 && (
        <Card title="Deliveries">
          <DeliveryRows of={story.deliveries} />
        </Card>
      )}
      <More title="Ids and links">
        <Pairs
          of={[
            ['Code id', <Copied key="id" text={id} label="otp_id" />],
            [
              'Template',
              <a key="t" href={here('templates', [], { q: template })}>
                {template}
              </a>,
            ],
            [
              'Requests',
              <a key="r" href={here('requests', [], { q: id })}>
                Calls that name it
              </a>,
            ],
          ]}
        />
      </More>
    </Detail>
  );
}

/** Verifies the code as the application does; a wrong one says how many attempts are left. */
function Verify({ id, code }: { id: string; code: string }) {
  const { key } = model.value;
  const [typed, setTyped] = useState(code);
  const [result, setResult] = useState<{ readonly good: boolean; readonly words: string } | null>(null);
  const verify = async () => {
    const response = await sendCall(callOf('POST', '/v1/otp/verify', { otp_id: id, code: typed }), key);
    const failed = errorOf(response);
    const body = parsed(response.text) as { valid?: boolean; attempts_remaining?: number } | undefined;
    if (failed) setResult({ good: false, words: errorWords(failed) });
    else if (body?.valid === true) setResult({ good: true, words: 'The code is valid.' });
    else setResult({ good: false, words: `Wrong code: ${counted(body?.attempts_remaining ?? 0, 'attempt')} left.` });
  };
  return (
    <form class="stack" onSubmit={submits(verify)}>
      <div class="row">
        <span class="grow">
          <TextInput aria-label="Code to verify" class="mono" inputMode="numeric" value={typed} onText={setTyped} />
        </span>
        <Button type="submit">Verify code</Button>
      </div>
      <div role="status">
        {result && (
          <Notice tone={result.good ? 'good' : 'bad'} icon={result.good ? 'check' : 'alert'}>
            {result.words}
          </Notice>
        )}
      </div>
    </form>
  );
}
