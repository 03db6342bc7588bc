/** One code in large digits, and its details. */
import { model } from '../../core/current.js';
import { here } from '../../core/location.js';
import { wide } from '../../core/media.js';
import type { Otp } from '../../core/records.js';
import { CopyButton } from '../../parts/copy-button.js';
import { Explanation } from '../../parts/explanation.js';
import { Icon } from '../../parts/icon.js';
import { RelativeTime } from '../../parts/relative-time.js';
import { Attempts, CodeFigures, CodeState, Life, LifeBar } from './code-words.js';

interface Props {
  readonly otp: Otp;
  readonly search: string;
}

export function CodeDetail({ otp, search }: Props) {
  const { otp_id: id, to, code, template, message_id: message, created_at: at, explain } = otp;
  const sentWith = model.value.templates.rows.find(({ name }) => name === template);
  return (
    <article class="detail" aria-label={`Code for ${to}`}>
      <header class="detail-head">
        {!wide.value && (
          <a class="icon-button" href={here('codes', [], { q: search })} aria-label="All codes">
            <Icon name="back" />
          </a>
        )}
        <div class="detail-title">
          <h2 class="mono">
            {to} <CodeState otp={otp} />
          </h2>
        </div>
      </header>
      <section class="card code-card" aria-label="The code">
        <p class="code-large">
          <CodeFigures code={code} />
        </p>
        <LifeBar otp={otp} />
        <p class="code-facts">
          <Life otp={otp} />
          <Attempts otp={otp} />
        </p>
        <p class="detail-actions">
          <CopyButton text={code} label="code" words />
          <a class="button quiet small" href={here('send', ['verify'], { otp_id: id, code })}>
            <Icon name="send" size={15} /> Verify code
          </a>
        </p>
      </section>
      <section class="card" aria-label="Details">
        <dl class="pairs">
          <dt>Sent</dt>
          <dd>
            <RelativeTime at={at} />
          </dd>
          <dt>Handset</dt>
          <dd>
            <a href={here('handset', [to, message])}>Message to {to}</a>
          </dd>
          <dt>Story</dt>
          <dd>
            <a href={here('story', ['code', id])}>From send to verification</a>
          </dd>
          <dt>Template</dt>
          <dd>
            <a href={sentWith ? here('templates', [sentWith.id]) : here('templates', [], { q: template })}>
              {template}
            </a>
          </dd>
          <dt>Requests</dt>
          <dd>
            <a href={here('requests', [], { q: id })}>Sends and verifications</a>
          </dd>
          <dt>Id</dt>
          <dd>
            <span class="mono">{id}</span> <CopyButton text={id} label="otp_id" />
          </dd>
        </dl>
      </section>
      <section class="card" aria-label="Why">
        <Explanation explain={explain} />
      </section>
    </article>
  );
}
