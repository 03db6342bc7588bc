/** One code in large digits, and its details. */
import { here, model, type Otp } from '../../core/index.js';
import { BackLink, CopyButton, Explanation, Icon, Pair, RelativeTime } from '../../parts/index.js';
import { Attempts, CodeFigures, CodeState, Life, LifeBar } from './code-words.js';

export function CodeDetail({ otp, search }: { readonly otp: Otp; readonly search: string }) {
  const { otp_id: id, to, code, template, message_id: message, created_at: at, explain } = otp;
  const sentWith = model.value.templates.rows.find(({ name }) => name === template);
  return (
    <article class="detail" aria-label={`Code for ${to}`}>
      <header class="detail-head row">
        <BackLink href={here('codes', [], { q: search })} label="All codes" />
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
        <p class="code-facts small-text figures">
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
          <Pair name="Sent">
            <RelativeTime at={at} />
          </Pair>
          <Pair name="Handset">
            <a href={here('handset', [to, message])}>Message to {to}</a>
          </Pair>
          <Pair name="Story">
            <a href={here('story', ['code', id])}>From send to verification</a>
          </Pair>
          <Pair name="Template">
            <a href={sentWith ? here('templates', [sentWith.id]) : here('templates', [], { q: template })}>
              {template}
            </a>
          </Pair>
          <Pair name="Requests">
            <a href={here('requests', [], { q: id })}>Sends and verifications</a>
          </Pair>
          <Pair name="Id">
            <span class="mono">{id}</span> <CopyButton text={id} label="otp_id" />
          </Pair>
        </dl>
      </section>
      <section class="card" aria-label="Why">
        <Explanation explain={explain} />
      </section>
    </article>
  );
}
