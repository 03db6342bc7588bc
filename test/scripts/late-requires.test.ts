/** Packages of the CommonJS kind, rewritten so that they load each other late (docs/decisions/008). */
import { createRequire } from 'node:module';
import { readdirSync, readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { withLateRequires } from '../../scripts/bundle/late-requires.js';

/** Runs a rewritten module. @returns what it exports, and the names of what it loads, as it loads it */
function run(text: string, packages: Record<string, unknown>) {
  const loaded: string[] = [];
  const module = { exports: {} as Record<string, unknown> };
  const require = (name: string) => {
    loaded.push(name);
    return packages[name];
  };
  runInNewContext(withLateRequires(text), { module, exports: module.exports, require });
  return { exports: module.exports, loaded };
}

describe('a module', () => {
  it('loads another one where it uses it', () => {
    const text = `
      var mime = require('mime');
      const { twice } = { twice: require('twice').twice };
      var deep = require('deep').a.b;
      exports.type = function (name) { return mime.lookup(name) + deep };
      exports.four = function () { return twice(2) };`;
    const twice = (n: number) => 2 * n;
    const { exports, loaded } = run(text, {
      mime: { lookup: (name: string) => `type/${name}` },
      twice: { twice },
      deep: { a: { b: '!' } },
    });
    expect(loaded).toStrictEqual(['twice']);
    expect((exports['type'] as (name: string) => string)('x')).toBe('type/x!');
    expect(loaded).toStrictEqual(['twice', 'mime', 'deep']);
    expect((exports['four'] as () => number)()).toBe(4);
  });

  it('hands another one on when it is asked for it', () => {
    const text = `
      var parser = require('parser');
      exports = module.exports = function () { return 1 };
      exports.json = parser.json;
      exports.files = require('files');
      exports.kind = parser.kind || 'none';`;
    const { exports, loaded } = run(text, { parser: { json: 'json', kind: 'k' }, files: 'files' });
    expect(loaded).toStrictEqual(['parser']);
    expect({ ...exports }).toStrictEqual({ json: 'json', files: 'files', kind: 'k' });
    expect(loaded).toStrictEqual(['parser', 'parser', 'files']);
  });

  it.each([
    ['a parameter of that name', 'var send = require("send"); exports.to = function (send) { return send };'],
    ['an assignment', 'var send = require("send"); send = 1; exports.to = function () { return send };'],
    ['a short property', 'var send = require("send"); exports.to = function () { return { send } };'],
    ['a constructor', 'var Send = require("send"); exports.to = function () { return new Send() };'],
    ['what a call made', 'var send = require("send")("name"); exports.to = function () { return send };'],
    ['what Node brings', 'var path = require("node:path"); exports.to = function () { return path.sep };'],
  ])('is left alone where there is %s', (_what, text) => {
    expect(withLateRequires(text)).toBe(text);
  });

  it('keeps the name that a function gives itself', () => {
    const text = `
      var send = require('send');
      exports.send = function send(n) { return n === 0 ? 'own' : send(n - 1) };
      exports.other = function () { return send() };`;
    const { exports } = run(text, { send: () => 'package' });
    expect((exports['send'] as (n: number) => string)(2)).toBe('own');
    expect((exports['other'] as () => string)()).toBe('package');
  });
});

it('finds the heavy packages of Express at the top of none of its modules', () => {
  const folder = createRequire(import.meta.url)
    .resolve('express')
    .replace(/index\.js$/, 'lib/');
  const texts = readdirSync(folder).map((file) => withLateRequires(readFileSync(folder + file, 'utf8')));
  expect(texts.length).toBeGreaterThan(4);
  const atTheTop = texts.flatMap((text) => [
    ...text.matchAll(/^(?:var|const|exports\.\w+ =).*require\('([\w-]+)'\)/gm),
  ]);
  const names = atTheTop.map(([, name]) => name);
  expect(names).toContain('depd');
  for (const heavy of ['body-parser', 'mime-types', 'qs', 'send', 'serve-static', 'accepts', 'type-is']) {
    expect(names).not.toContain(heavy);
  }
});
