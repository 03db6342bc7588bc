/** One-time codes, as the customer reads them on the phone. */
import { here, model, type Otp, type Route, useRecord, wide } from '../../core/index.js';
import {
  BackLink,
  CopiedPair,
  CopyButton,
  EmptyState,
  Icon,
  Loading,
  Pair,
  RelativeTime,
  Split,
  WhyCard,
} from '../../parts/index.js';
import { Attempts, CodeFigures, CodeList, CodeState, Life, LifeBar } from './code-list.js';
import { chosenCodes } from './code.js';
import './codes.css';

/** `codes/ID`; `?q=` is part of a number. On a wide screen, the latest code is open by default. */
export function Codes({ route }: { route: Route }) {
  const { otps } = model.value;
  const [id] = route.path;
  const search = route.query['q'] ?? '';
  const rows = chosenCodes(otps.rows, search);
  const named = useRecord(otps, id);
  const otp = id !== undefined ? named : wide.value ? rows[0] : undefined;
  const detail = otp ? (
    <CodeDetail otp={otp} search={search} />
  ) : id === undefined ? null : named === undefined ? (
    <Loading />
  ) : (
    <EmptyState icon="key" title="This code does not exist">
      <p>The account has none with the id {id}. It may have been reset.</p>
      <a href={here('codes')}>All codes</a>
    </EmptyState>
  );
  return <Split list={<CodeList rows={rows} current={otp?.otp_id} named={id} search={search} />} detail={detail} />;
}

function CodeDetail({ otp, search }: { otp: Otp; search: string }) {
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
      <section class="card code-card grid gap-75" aria-label="The code">
        <p class="code-large">
          <CodeFigures code={code} />
        </p>
        <LifeBar otp={otp} />
        <p class="code-facts wraps small-text figures">
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
          <CopiedPair name="Id" text={id} label="otp_id" />
        </dl>
      </section>
      <WhyCard explain={explain} />
    </article>
  );
}
