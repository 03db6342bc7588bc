/** A signing secret. It is hidden at first, because screens are shared. */
import { useState } from 'preact/hooks';
import { Button, CopyButton } from '../../parts/index.js';

export function Secret({ secret }: { readonly secret: string }) {
  const [shown, setShown] = useState(false);
  return (
    <span class="secret">
      <span class="mono">{shown ? secret : `whsec_${'•'.repeat(12)}`}</span>
      <Button kind="quiet small" aria-pressed={shown} onClick={() => setShown(!shown)}>
        {shown ? 'Hide secret' : 'Show secret'}
      </Button>
      <CopyButton text={secret} label="secret" />
    </span>
  );
}
