/**
 * The calls of a business as forms: their fields, the requests that they make, and how to fill them from a recorded
 * request.
 */
import { callOf } from '../../core/snippets.js';
import { eventTypes } from '../webhooks/filter.js';
import type { FieldSpec, Form, Values } from './form.js';
import { chosenTemplate, keyOf, templateHint, templateOptions, variableLabel, variablesOf } from './template-choice.js';

/** A number reserved for fiction without magic behaviour. */
const someone = '+12025550110';
/** Browsers send no body with these methods. */
const bodiless = ['GET', 'HEAD'];

const to = { name: 'to', label: 'To', kind: 'phone' } as const;

const templateForm = (id: string, title: string, recipients: FieldSpec, defaultTo: string, list: boolean): Form => ({
  id,
  title,
  does: list ? 'Send batch' : 'Send template',
  defaults: { to: defaultTo },
  fields: (values, templates) => {
    const chosen = chosenTemplate(values, templates);
    return [
      recipients,
      {
        name: 'template',
        label: 'Template',
        kind: 'choice',
        property: 'template.name',
        hint: templateHint(chosen),
        initial: chosen ? keyOf(chosen) : '',
        options: templateOptions(values, templates),
      },
      ...variablesOf(values, chosen).map((initial, at): FieldSpec => ({
        name: `variable ${at + 1}`,
        label: variableLabel(chosen?.text ?? '', at + 1),
        kind: 'text',
        property: `template.variables[${at}]`,
        initial,
      })),
    ];
  },
  call: (values, templates) => {
    const chosen = chosenTemplate(values, templates);
    const [name = '', language = ''] = (chosen ? keyOf(chosen) : (values['template'] ?? '')).split(' ');
    const { to: recipient = '' } = values;
    return callOf('POST', '/v1/messages', {
      to: list ? lines(recipient) : recipient,
      type: 'template',
      template: { name, language, variables: variablesOf(values, chosen) },
    });
  },
  read: ({ to: recipient, template }) => {
    const { name, language, variables } = Object(template) as Record<string, unknown>;
    return {
      to: [recipient].flat().join('\n'),
      template: `${String(name)} ${String(language)}`,
      ...texts(Object.fromEntries([variables ?? []].flat().map((value, at) => [`variable ${at + 1}`, value]))),
    };
  },
});

export const forms: readonly [Form, ...Form[]] = [
  {
    id: 'text',
    title: 'Text',
    does: 'Send text',
    defaults: { to: someone, text: 'Your parcel is at the door.' },
    fields: () => [to, { name: 'text', label: 'Text', kind: 'area' }],
    call: ({ to: recipient, text }) => callOf('POST', '/v1/messages', { to: recipient, type: 'text', text }),
    read: texts,
  },
  templateForm('template', 'Template', to, someone, false),
  templateForm('batch', 'Batch', { name: 'to', label: 'To', kind: 'phones' }, `${someone}\n+12025550111`, true),
  {
    id: 'code',
    title: 'Code',
    does: 'Send code',
    defaults: { to: someone, length: '', expiry_seconds: '', template: '' },
    fields: (_, templates) => [
      to,
      { name: 'length', label: 'Length', kind: 'number', hint: '4 to 8 digits. Default: 6.' },
      { name: 'expiry_seconds', label: 'Expires after (seconds)', kind: 'number', hint: '1 to 86400. Default: 300.' },
      {
        name: 'template',
        label: 'Template',
        kind: 'text',
        hint: 'Approved authentication template. Default: the most recently approved one.',
        options: templates.flatMap(({ name, category, status }) =>
          category === 'authentication' ? [[name, status] as const] : [],
        ),
      },
    ],
    call: ({ to: recipient, length = '', expiry_seconds: seconds = '', template = '' }) =>
      callOf('POST', '/v1/otp/send', {
        to: recipient,
        ...(length !== '' && { length: Number(length) }),
        ...(seconds !== '' && { expiry_seconds: Number(seconds) }),
        ...(template !== '' && { template }),
      }),
    read: texts,
  },
  {
    id: 'verify',
    title: 'Verification',
    does: 'Verify code',
    defaults: { otp_id: '', code: '' },
    fields: () => [
      { name: 'otp_id', label: 'Code id (otp_id)', kind: 'text' },
      { name: 'code', label: 'Code', kind: 'text', hint: 'As the customer typed it.' },
    ],
    call: ({ otp_id: id, code }) => callOf('POST', '/v1/otp/verify', { otp_id: id, code }),
    read: texts,
  },
  {
    id: 'submission',
    title: 'New template',
    does: 'Submit template',
    defaults: { name: 'order_shipped', category: 'utility', language: 'en', body: 'Your order {{1}} has shipped.' },
    fields: () => [
      { name: 'name', label: 'Name', kind: 'text' },
      {
        name: 'category',
        label: 'Category',
        kind: 'choice',
        options: ['utility', 'marketing', 'authentication'].map((each) => [each, each]),
      },
      { name: 'language', label: 'Language', kind: 'text', hint: 'For example en, en_US or pt-BR.' },
      {
        name: 'body',
        label: 'Body',
        kind: 'area',
        hint: 'Variables are {{1}}, {{2}} and so on. Authentication needs no body. To add buttons, edit the raw request.',
      },
    ],
    call: ({ name, category, language, body = '' }) =>
      callOf('POST', '/v1/templates', { name, category, language, ...(body !== '' && { body }) }),
    read: ({ body = '', ...rest }) => texts({ ...rest, body }),
  },
  {
    id: 'endpoint',
    title: 'Endpoint',
    does: 'Register endpoint',
    defaults: { url: 'https://sink.sandbox/app', events: eventTypes.join('\n') },
    fields: () => [
      {
        name: 'url',
        label: 'URL',
        kind: 'text',
        hint: 'Your receiver, such as https://localhost:3000/hook. A local receiver may use plain HTTP.',
        options: [['https://sink.sandbox/app', 'Built-in receiver']],
      },
      { name: 'events', label: 'Events', kind: 'events', options: eventTypes.map((each) => [each, each]) },
    ],
    call: ({ url, events = '' }) => callOf('POST', '/v1/webhooks', { url, events: lines(events) }),
    read: ({ url, events }) => ({ ...texts({ url }), events: [events].flat().join('\n') }),
  },
  {
    id: 'raw',
    title: 'Raw',
    does: 'Send request',
    defaults: {
      method: 'POST',
      path: '/v1/messages',
      headers: 'authorization: Bearer ***\ncontent-type: application/json',
      body: JSON.stringify({ to: someone, type: 'text', text: 'Hello' }, null, 2),
    },
    fields: ({ method = '', body = '' }) => [
      {
        name: 'method',
        label: 'Method',
        kind: 'choice',
        options: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'].map((each) => [each, each]),
      },
      { name: 'path', label: 'Path', kind: 'text', hint: 'Includes the query. Example: /v1/templates.' },
      {
        name: 'headers',
        label: 'Headers',
        kind: 'code',
        hint: 'One per line, as name: value. *** stands for the key of this account.',
      },
      { name: 'body', label: 'Body', kind: 'code', hint: bodyHint(method, body) },
    ],
    call: ({ method = '', path = '', headers = '', body = '' }) => {
      if (!path.startsWith('/'))
        return `Invalid path "${path}". Expected a path that starts with /, such as /v1/messages.`;
      const pairs = lines(headers).map((line) => /^([^\s:]+)\s*:\s*(.*)$/.exec(line)?.slice(1) ?? line);
      const wrong = pairs.find((pair) => typeof pair === 'string');
      if (wrong !== undefined) return `Invalid header "${wrong}". Expected name: value.`;
      return {
        method,
        path,
        headers: Object.fromEntries(pairs.map(([name = '', value = '']) => [name.toLowerCase(), value])),
        body: body === '' || bodiless.includes(method) ? null : body,
      };
    },
  },
];

export function formOf(id: string | undefined): Form {
  return forms.find((form) => form.id === id) ?? forms[0];
}

function lines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Returns the properties of a body that are not objects. */
function texts(body: Readonly<Record<string, unknown>>): Values {
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
    ),
  );
}

function bodyHint(method: string, body: string): string {
  if (bodiless.includes(method)) return `A ${method} request has no body.`;
  if (body === '') return 'Leave empty to send no body.';
  try {
    JSON.parse(body);
    return 'Valid JSON.';
  } catch (error) {
    return `Not JSON; sent unchanged. ${error instanceof Error ? error.message : ''}`;
  }
}
