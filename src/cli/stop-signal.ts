const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

export interface StopSignal {
  /** Resolves with the first signal that asks the process to end. */
  readonly received: Promise<NodeJS.Signals>;
  /** Restores the default effect of the signals, so that a second one ends the process immediately. */
  release(): void;
}

/** Starts listening for stop signals, so that one that arrives while the server starts is not lost. */
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
