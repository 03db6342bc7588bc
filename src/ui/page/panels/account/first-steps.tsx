/** Four steps from an empty account to a first delivery. Each is ticked automatically when it is done. */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { exampleOf, here, model } from '../../core/index.js';
import { CopyButton, HelpLink, Icon } from '../../parts/index.js';
import '../../styles/first-steps.css';

export function FirstSteps() {
  const account = model.value;
  const { key, site, requests, webhooks, messages, advances } = account;
  useEffect(() => {
    requests.ensure();
    webhooks.ensureAll();
    messages.ensure();
  }, [account]);
  const done = [requests.rows.length > 0, webhooks.rows.length > 0, messages.rows.length > 0, advances.everMoved.value];
  const send = exampleOf(site, 'POST', '/v1/messages', { to: '+12025550110', type: 'text', text: 'Hello' });
  return (
    <section class="card first-steps grid gap-75 small-text" aria-label="First steps">
      <h3>
        First steps <span class="tab-count tiny-text">{done.filter(Boolean).length} of 4</span>
      </h3>
      <ol>
        <Step done={done[0] === true} title="Point your application here">
          <p>
            Base URL <span class="mono">{location.origin}</span> <CopyButton text={location.origin} label="base URL" />,
            API key <span class="mono">{key}</span> <CopyButton text={key} label="API key" />. Calls appear in{' '}
            <a href={here('requests')}>Requests</a>.
          </p>
        </Step>
        <Step done={done[1] === true} title="Register a webhook">
          <p>
            Your application can do it, or you do it in <a href={here('webhooks', ['endpoints'])}>Endpoints</a>. A local
            receiver can use plain HTTP.
          </p>
        </Step>
        <Step done={done[2] === true} title="Send a message">
          <p>
            A customer has to write first: start in <a href={here('handset')}>Handset</a>, then send a reply.{' '}
            <CopyButton text={send} label="as curl" words />
          </p>
        </Step>
        <Step done={done[3] === true} title="Advance the clock">
          <p>
            Type a duration such as 24h in the clock above: status changes, retries and expiries happen immediately.
          </p>
        </Step>
      </ol>
      <p>
        <HelpLink page="getting-started.md">Getting started</HelpLink> ·{' '}
        <HelpLink page="concepts.md">Concepts</HelpLink> · <HelpLink page="README.md">All documentation</HelpLink> ·{' '}
        <HelpLink page="">API reference</HelpLink> · <a href={here('scenario', ['magic'])}>Magic numbers</a> ·{' '}
        <a href={here('scenario', ['library'])}>Scenarios</a>
      </p>
    </section>
  );
}

function Step({ done, title, children }: { done: boolean; title: string; children: ComponentChildren }) {
  return (
    <li class={done ? 'done' : ''}>
      <span class="step-mark middle">{done && <Icon name="check" size={14} />}</span>
      <div>
        <p class="strong">
          {title}
          {done && <span class="for-readers"> (done)</span>}
        </p>
        {!done && children}
      </div>
    </li>
  );
}
