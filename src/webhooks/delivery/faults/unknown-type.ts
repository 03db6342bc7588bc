/** An event of a kind that does not exist yet: receivers must answer 2xx and go on (contract §5). */
export function ofUnknownType(body: string): string {
  const event = JSON.parse(body) as { type: string };
  return JSON.stringify({ ...event, type: unknownKind(event.type) });
}

/** What such an event is called, in its body as in its header. */
export function unknownKind(type: string): string {
  return `${type}.not_known_yet`;
}
