import type { Check } from '../check.js';
import { judgeAccepted, sendEach } from '../judging.js';

const TEXTS = [
  ['accents', 'Größe 42, naïve café, Łódź'],
  ['emoji', 'Thanks 👍🏽 👩‍👩‍👧 🇵🇱'],
  ['right to left', 'أين طلبي؟ איפה ההזמנה שלי'],
  ['CJK', '注文はどこですか 주문은 어디에'],
  ['odd spaces', 'line\u2028separator, zero\u200bwidth, e\u0301 as two'],
] as const;

export const unicodeText: Check = {
  id: 'unicode-text',
  group: 'unusual but legal',
  title: 'Takes in emoji and every script',
  level: 'must',
  why: 'Customers write as they like. A signature computed over text in another encoding, or a column for three-byte letters, loses exactly their messages.',
  sends:
    'message.received with accents, emoji, Arabic, Hebrew, CJK and unusual spaces as raw UTF-8, signed over those bytes.',
  expects: 'A 2xx, each time.',
  judged: 'Any 2xx passes.',
  async play(bench) {
    const shipments = TEXTS.map(([label, text]) => ({ label, event: bench.events.received('text', { text }) }));
    return judgeAccepted(await sendEach(bench, shipments));
  },
};
