/** The body that goes out, by the fault that was asked for. */
import type { DeliveryFault } from '../../../domain/delivery.js';
import { huge } from './huge.js';
import { reformatted } from './reformatted.js';
import { truncated } from './truncate.js';
import { ofUnknownType } from './unknown-type.js';

const bodies: Readonly<Record<DeliveryFault['body'], (body: string) => string>> = {
  exact: (body) => body,
  truncate: truncated,
  reformatted,
  unknown_type: ofUnknownType,
  huge,
};

export function bodyToSend(mode: DeliveryFault['body'], body: string): string {
  return bodies[mode](body);
}
