/** Where the text in the editor comes from: a known file, the active scenario, or nowhere yet. */
import { useEffect, useState } from 'preact/hooks';
import { act, type Api } from '../../core/api.js';
import { model } from '../../core/current.js';

/** What a new text begins with: the least that can be activated and does something. */
export const firstText = `version: 1
name: mine
description: The first send is refused with 503; a retry goes through.
rules:
  - id: down-once
    when: message.send
    pick: { first: 1 }
    then: { respond: { status: 503, retry_after: 2s } }
expect:
  - at: finish
    that: messages
    where: { direction: outbound }
    min: 1
    because: A refused send has to be tried again.
`;

export interface Origin {
  /** A name of the draft, too. */
  readonly id: string;
  readonly title: string;
  readonly file: string | null;
  readonly fromActive: boolean;
}

export function originOf(file: string | undefined, from: string | undefined): Origin {
  if (file !== undefined) return { id: `file/${file}`, title: file, file, fromActive: false };
  if (from === 'active') return { id: 'active', title: 'The active scenario', file: null, fromActive: true };
  return { id: 'new', title: 'A scenario of your own', file: null, fromActive: false };
}

/** @returns the text as it stands there; null until it is there */
export function useOriginText(origin: Origin): string | null {
  const account = model.value;
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    let ended = false;
    setText(null);
    void textOf(account.api, origin).then((found) => {
      if (!ended) setText(found);
    });
    return () => {
      ended = true;
    };
  }, [account, origin.id]);
  return text;
}

async function textOf(api: Api, { file, fromActive }: Origin): Promise<string> {
  if (fromActive) return (await act(api.get('/_sandbox/scenario')))?.source ?? firstText;
  if (file === null) return firstText;
  return (await act(api.get('/_sandbox/scenarios/{name}', { path: { name: file } })))?.source ?? '';
}
