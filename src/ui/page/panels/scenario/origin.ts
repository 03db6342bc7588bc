/** The origin of the text in the editor: a scenario file, the active scenario, or a new text. */
import { isAway, tellRefusal, type Api } from '../../core/api.js';
import { model } from '../../core/current.js';
import { useRead } from '../../core/use-record.js';

/** The initial text of a new scenario: short, valid and effective. */
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
  /** Also the name of the draft. */
  readonly id: string;
  readonly title: string;
  readonly file: string | null;
  readonly fromActive: boolean;
}

export function originOf(file: string | undefined, from: string | undefined): Origin {
  if (file !== undefined) return { id: `file/${file}`, title: file, file, fromActive: false };
  if (from === 'active') return { id: 'active', title: 'The active scenario', file: null, fromActive: true };
  return { id: 'new', title: 'A new scenario', file: null, fromActive: false };
}

/**
 * @param again a change reads the file again, for example after saving
 * @returns the text at the origin; null until it has loaded
 */
export function useOriginText({ id, file, fromActive }: Origin, again: unknown): string | null {
  const { api, scenario, stream } = model.value;
  const read = file === null ? null : () => textOf(api, file);
  const text = useRead(read, [api, id, stream.connection.value.state, again]);
  if (file !== null) return text;
  return (fromActive ? scenario.value?.source : null) ?? firstText;
}

/** Returns null if the sandbox is unreachable: the connection indicator shows that. */
async function textOf(api: Api, file: string): Promise<string | null> {
  try {
    return (await api.get('/_sandbox/scenarios/{name}', { path: { name: file } })).source;
  } catch (error) {
    if (isAway(error)) return null;
    tellRefusal(error);
    return '';
  }
}
