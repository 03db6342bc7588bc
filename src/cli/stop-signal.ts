const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

export interface StopSignal {
  /** Resolves with the first signal that asks the process to end. */
  readonly received: Promise<NodeJS.Signals>;
  /** Gives the signals back their usual effect: a second one ends the process at once. */
  release(): void;
}

/** Listens for the wish to stop from now on: one that comes while the server starts must not be lost. */
export function listenForStop(): StopSignal {
  let onSignal: (signal: NodeJS.Signals) => void = () => undefined;
  const received = new Promise<NodeJS.Signals>((resolve) => {
    onSignal = resolve;
  });
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return {
    received,
    release() {
      for (const signal of SIGNALS) process.off(signal, onSignal);
    },
  };
}
