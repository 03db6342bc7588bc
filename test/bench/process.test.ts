import { describe, expect, it } from 'vitest';
import { freePort, startServer } from '../../bench/support/process.js';
import { versionOf } from '../../bench/support/node.js';
import { refusalsOf } from '../../bench/support/refusals.js';
import { peers } from '../../bench/peers/registry.js';
import { choosePeers } from '../../bench/peers/running.js';
import { serverFile } from '../../bench/peers/installed.js';

describe('a server that is measured', () => {
  it('is ready with its first 2xx, tells its costs, and ends when told', async () => {
    const port = await freePort();
    const server = await startServer(
      { file: process.execPath, args: [serverFile('node-http.mjs'), `${port}`] },
      port,
      '/',
    );
    expect(server.startMs).toBeGreaterThan(0);
    if (process.platform === 'linux') {
      expect(server.cpuMs()).toBeGreaterThanOrEqual(0);
      expect(server.rssMb()).toBeGreaterThan(10);
    }
    const refusals = await refusalsOf(server.url, { to: '+4915200000001', template: {} });
    expect(refusals).toStrictEqual({ withoutKey: 200, wrongType: 200, missingTemplate: 200, brokenJson: 400 });
    await server.stop();
    await expect(fetch(server.url)).rejects.toThrow();
    expect(server.cpuMs()).toBeNull();
  });

  it('that ends before is reported with what it said', async () => {
    const port = await freePort();
    const args = ['-e', 'console.error("no such file"); process.exit(3)'];
    await expect(startServer({ file: process.execPath, args }, port, '/')).rejects.toThrow(
      /ended with 3\nno such file/,
    );
  });

  it('that cannot be spawned is reported', async () => {
    await expect(startServer({ file: 'no-such-program', args: [] }, 1, '/')).rejects.toThrow('ENOENT');
  });
});

describe('the peers', () => {
  it('have names of their own, and each says what it leaves out', () => {
    expect(new Set(peers.map(({ name }) => name)).size).toBe(peers.length);
    expect(peers.filter(({ leavesOut }) => leavesOut.length < 7)).toStrictEqual([]);
  });

  it('that do not exist are refused by name', () => {
    expect(() => choosePeers(['ours', 'nginx'])).toThrow('No peer is named nginx; there are ours, ours-data, express');
  });

  it('are not installed when only ours are asked for', () => {
    const { chosen, left } = choosePeers(['ours']);
    expect(chosen.map(({ name }) => name)).toStrictEqual(['ours']);
    expect(left.length).toBeGreaterThan(0);
  });
});

describe('the node that runs the servers', () => {
  it('tells its version', () => {
    expect(versionOf(process.execPath)).toBe(process.version);
  });

  it.each([['no-such-node'], ['git']])('is refused when it is none: %s', (path) => {
    expect(() => versionOf(path)).toThrow(`--node takes the path of a node; asked for its version, ${path} gave "`);
  });
});
