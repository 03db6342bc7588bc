/** An operation as a command that can be pasted: its examples, against a sandbox with the default address and key. */
import type { Call, Parameter } from './document.js';

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export function curlOf({ path, method, parameters, operation }: Call): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => exampleOf(parameters, name));
  const needed = parameters.filter((parameter) => parameter.in === 'query' && parameter.required === true);
  const query = needed.map(({ name }) => `${name}=${exampleOf(parameters, name)}`).join('&');
  const url = `http://127.0.0.1:4242${filled}${query === '' ? '' : `?${query}`}`;
  const [type, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const options = [
    ...(method === 'get' || (method === 'post' && media) ? [] : [`-X ${method.toUpperCase()}`]),
    ...(operation.security?.length === 0 ? [] : [`-H ${quote('Authorization: Bearer test_default')}`]),
    ...(media ? [`-H ${quote(`Content-Type: ${type === '*/*' ? 'application/json' : (type ?? '')}`)}`] : []),
    ...(media ? [`-d ${quote(JSON.stringify(media.example))}`] : []),
  ];
  return [`curl ${quote(url)}`, ...options].join(' \\\n  ');
}

function exampleOf(parameters: Parameter[], name: string): string {
  const example = parameters.find((parameter) => parameter.name === name)?.example;
  if (typeof example !== 'string') throw new Error(`The parameter ${name} needs an example that is a string.`);
  return example;
}
