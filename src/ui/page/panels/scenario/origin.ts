/** Where the text in the editor comes from: a known file, the active scenario, or nowhere yet. */
import { useEffect, useState } from 'preact/hooks';
import { isAway, tellRefusal, type Api } from '../../core/api.js';
import { model } from '../../core/current.js';

/** What a new text begins with: the least that can be activated and does something. */
export const firstText = `version: 1
name: mine
description: The first send is rejected with 503; a retry succeeds.
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
    because: A rejected send has to be retried.
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

/**
 * @param again reads a file anew when it changes, as after saving
 * @returns the text as it stands there, and goes on to stand there; null until it is there
 */
export function useOriginText({ id, file, fromActive }: Origin, again: unknown): string | null {
  const { api, scenario, stream } = model.value;
  const { state: connected } = stream.connection.value;
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    if (file === null) return undefined;
    let ended = false;
    void textOf(api, file).then((found) => {
      if (found !== null && !ended) setText(found);
    });
    return () => {
      ended = true;
    };
  }, [api, id, connected, again]);
  if (file !== null) return text;
  return (fromActive ? scenario.value?.source : null) ?? firstText;
}

/** Null when the sandbox is away: the connection says so. */
async function textOf(api: Api, file: string): Promise<string | null> {
  try {
    return (await api.get('/_sandbox/scenarios/{name}', { path: { name: file } })).source;
  } catch (error) {
    if (isAway(error)) return null;
    tellRefusal(error);
    return '';
  }
}
