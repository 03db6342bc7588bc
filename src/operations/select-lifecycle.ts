/** Selects the lifecycle of an accepted message: that of a rule, else one that follows from the message itself. */
import { channelError } from '../domain/channel-errors.js';
import { defaultLifecycle } from '../domain/defaults.js';
import { byDefault, type Explain } from '../domain/explain.js';
import type { MessageContent } from '../domain/message.js';
import { isTooLong, longestText } from '../domain/template.js';
import type { Decision, LifecyclePlan } from '../scenario/engine/effects.js';

interface Chosen {
  readonly plan: LifecyclePlan;
  /** Null when nothing speaks against the usual one. */
  readonly explain: Explain | null;
}

const usual: Chosen = { plan: defaultLifecycle, explain: null };

const tooLong: Chosen = {
  plan: [{ status: 'failed', offsetMs: 0, error: channelError('template_text_too_long') }],
  explain: byDefault(
    `The template filled in has more than ${longestText} characters, which the channel does not take: failed at once.`,
  ),
};

export function chosenLifecycle({ lifecycle }: Decision, { template }: MessageContent): Chosen {
  const byRule = lifecycle && { plan: lifecycle.effect, explain: lifecycle.explain };
  if (byRule && byRule.explain.by !== 'default') return byRule;
  if (template && isTooLong(template.body, template.variables)) return tooLong;
  return byRule ?? usual;
}
