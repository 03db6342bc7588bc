/** The list of events, which can be filtered by every field of their data. */
import { type Event, eventBody } from '../../domain/event.js';
import { type Fields, glob, type List, plainLanguage, plainPhone, searchIn } from './filters.js';
import { show } from './show.js';

const inData = (name: string) => (row: Event) => row.data[name] as string | undefined;

/** Filters by the data of an event, with the prefix `data.` or without it. */
const dataFields: Fields<Event> = {
  message_id: { of: inData('message_id') },
  wamid: { of: inData('wamid') },
  from: { of: inData('from'), ...plainPhone },
  to: { of: inData('to'), ...plainPhone },
  status: { of: inData('status') },
  text: { of: inData('text'), ...glob },
  media_url: { of: inData('media_url') },
  profile_name: { of: inData('profile_name'), ...glob },
  otp_id: { of: inData('otp_id') },
  template_id: { of: inData('template_id') },
  name: { of: inData('name'), ...glob },
  language: { of: inData('language'), ...plainLanguage },
  category: { of: inData('category') },
  rejection_reason: { of: inData('rejection_reason'), ...glob },
};

export const eventList: List<Event> = {
  table: 'events',
  show: show.event,
  fields: {
    id: { of: (row) => row.id },
    type: { of: (row) => row.type },
    ...dataFields,
    error: { of: (row) => (row.data['error'] as { code?: string } | null | undefined)?.code },
    'data.type': { of: inData('type') },
    ...Object.fromEntries(Object.entries(dataFields).map(([name, field]) => [`data.${name}`, field])),
    search: searchIn((row) => [eventBody(row)]),
  },
};
