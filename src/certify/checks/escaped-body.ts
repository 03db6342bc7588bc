import type { Check } from '../check.js';
import { judgeAccepted, sendEach } from '../judging.js';

const TEXT = 'Where is my order?';

export const escapedBody: Check = {
  id: 'escaped-body',
  group: 'unusual but legal',
  title: 'Signs the raw bytes: unusual escapes',
  level: 'must',
  why: 'JSON may write any letter as an escape. Whoever signs the parsed and rewritten object refuses such an event, and one with a line break at its end.',
  sends:
    'message.received whose text is written as \\u escapes, and another followed by a line break, signed over those bytes.',
  expects: 'A 2xx, each time.',
  judged: 'Any 2xx passes. A refusal means that something else than the raw body was signed.',
  async play(bench) {
    const letters = bench.events.received('text', { text: TEXT });
    const ending = bench.events.received('text', { text: TEXT });
    return judgeAccepted(
      await sendEach(bench, [
        { label: 'letters as escapes', event: letters, body: letters.body.replace(TEXT, escaped(TEXT)) },
        { label: 'line break at the end', event: ending, body: `${ending.body}\n` },
      ]),
    );
  },
};

function escaped(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
