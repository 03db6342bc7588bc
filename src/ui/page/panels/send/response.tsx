/**
 * The response to a call from the page: its status, the reason if it was rejected, and links to the records that it
 * created.
 */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { here, model, useRecord } from '../../core/index.js';
import { ExchangeSide } from '../../parts/exchange-side.js';
import { HttpBadge, Notice } from '../../parts/index.js';
import { MadeLinks, madeWords } from '../requests/request-detail.js';
import { durationWords } from '../requests/request-list.js';
import { type Answer, errorOf, jsonOf } from './send.js';

export function Response({ answer }: { answer: Answer }) {
  const { status, headers, text, requestId, durationMs } = answer;
  const { requests } = model.value;
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => box.current?.scrollIntoView({ block: 'nearest' }), []);
  const entry = useRecord(requests, requestId ?? undefined);
  const error = errorOf(answer);
  const made = entry ? madeWords(entry) : null;
  return (
    <div class="send-response shrinks" ref={box} role="status">
      <ExchangeSide
        title="Response"
        headers={headers}
        text={text === '' ? null : text}
        value={jsonOf(text)}
        missing={status === null ? 'A fault closed the connection, or the sandbox is not running.' : 'No body.'}
      >
        <p class="response-line">
          <HttpBadge status={status} /> <span class="faint">{durationWords(durationMs)}</span>
          {requestId === null ? (
            <a href={here('requests')}>Requests</a>
          ) : (
            <a href={here('requests', [requestId])}>Open request</a>
          )}
          {entry && made !== null && (
            <span class="response-made">
              {made}: <MadeLinks call={entry} />
            </span>
          )}
        </p>
        {error && (
          <Notice tone="bad" icon="alert">
            <p>
              <span class="mono">{error.code}</span>: {error.message}
            </p>
            <ul>
              {error.details.map(({ field, message }, at) => (
                <li key={at}>
                  <span class="mono">{field}</span> {message}
                </li>
              ))}
            </ul>
          </Notice>
        )}
      </ExchangeSide>
    </div>
  );
}
