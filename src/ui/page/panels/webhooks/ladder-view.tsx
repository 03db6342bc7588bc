/**
 * The retry schedule as a timeline: dots for past attempts, rings for future ones, the pause, and the current account
 * time.
 */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { clockWords, type Delivery, go, model, spanWords } from '../../core/index.js';
import { placeOf, ticksOf, type Ladder } from './ladder.js';
import { ladderWords } from './ladder-words.js';
import { deliveryHref } from './place.js';

interface Props {
  readonly ladder: Ladder;
  readonly delivery: Delivery;
  /** Number of the open attempt. */
  readonly chosen: number | undefined;
}

/** Pixels. */
const margin = 14;
const height = 92;
const line = 50;
const tickApart = 46;

export function LadderView({ ladder, delivery, chosen }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(600);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setWidth(Math.max(200, element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const inner = width - 2 * margin;
  const x = (atMs: number) => margin + placeOf(ladder, atMs) * inner;
  const nowMs = model.value.clock.now.value;
  const words = ladderWords(ladder, delivery, model.value.clock.second.value ?? ladder.startMs);
  const { startMs, endMs, made, ahead, spared, deadlineMs, pausedMs, latest } = ladder;
  const stopMs = pausedMs ?? deadlineMs;
  return (
    <div class="ladder shrinks" ref={box}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={words}>
        <line class="ladder-line" x1={margin} x2={width - margin} y1={line} y2={line} />
        {ticksOf(ladder, tickApart / inner).map((ms) => (
          <g key={ms} class="ladder-tick">
            <line x1={x(startMs + ms)} x2={x(startMs + ms)} y1={line + 8} y2={line + 14} />
            <text x={x(startMs + ms)} y={line + 28} text-anchor={anchorAt(x(startMs + ms), width)}>
              +{spanWords(ms)}
            </text>
          </g>
        ))}
        {spared.map((atMs) => (
          <circle key={atMs} class="rung spared" cx={x(atMs)} cy={line} r={2.5} />
        ))}
        {ahead.map(({ number, atMs }, at) => (
          <circle
            key={number}
            class={`rung ahead${at === 0 ? ' due' : ''}`}
            cx={x(atMs)}
            cy={line}
            r={at === 0 ? 5 : 3.5}
          >
            <title>
              #{number} at {clockWords(atMs, true)}
              {at === 0 ? ', due next' : ', if it keeps failing'}
            </title>
          </circle>
        ))}
        {stopMs !== null && (
          <g class={`ladder-pause${pausedMs === null ? '' : ' paused'}`}>
            <line x1={x(stopMs)} x2={x(stopMs)} y1={line - 22} y2={line + 8} />
            <text x={x(stopMs)} y={line - 28} text-anchor={anchorAt(x(stopMs), width)}>
              {pausedMs === null ? `pause at ${clockWords(stopMs)}` : `paused ${clockWords(stopMs)}`}
            </text>
          </g>
        )}
        {latest && nowMs !== null && nowMs >= startMs && nowMs <= endMs && pausedMs === null && (
          <g class="ladder-now">
            <line x1={x(nowMs)} x2={x(nowMs)} y1={line - 14} y2={line + 6} />
            <path d={`M${x(nowMs) - 4} ${line - 19}h8l-4 5z`} />
            {!collides(x(nowMs), stopMs === null ? null : x(stopMs)) && (
              <text x={x(nowMs)} y={line - 24} text-anchor={anchorAt(x(nowMs), width)}>
                now
              </text>
            )}
          </g>
        )}
        {made.map(({ number, atMs, outcome }) => (
          <g
            key={number}
            class={`rung ${outcome}${number === chosen ? ' chosen' : ''}`}
            transform={`translate(${x(atMs)} ${line})`}
            onClick={() => go(deliveryHref(delivery.id, number))}
          >
            <title>
              #{number} at {clockWords(atMs, true)}: {outcome}
            </title>
            {number === chosen && <circle class="halo" r={9} />}
            {outcome === 'unanswered' ? (
              <rect x={-4} y={-4} width={8} height={8} transform="rotate(45)" />
            ) : (
              <circle r={5} />
            )}
          </g>
        ))}
      </svg>
      <p class="ladder-words small-text">{words}</p>
    </div>
  );
}

function anchorAt(x: number, width: number): 'start' | 'middle' | 'end' {
  if (x > width - 60) return 'end';
  return x < 60 ? 'start' : 'middle';
}

/** Whether two labels overlap. */
function collides(x: number, other: number | null): boolean {
  return other !== null && Math.abs(other - x) < 130;
}
