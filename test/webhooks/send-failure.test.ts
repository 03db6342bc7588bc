import { describe, expect, it } from 'vitest';
import { ConnectError, explainFailure, isInsideContainer, type Peer } from '../../src/webhooks/failure.js';

function failing(code: string, message = code): Error {
  return Object.assign(new Error(message), { code });
}

const web: Peer = {
  host: 'web',
  port: 443,
  addresses: [{ address: '172.18.0.3', family: 4 }],
  tls: 'local',
  authority: 'web',
  origin: 'https://web',
};
const plain: Peer = { ...web, tls: 'none', authority: 'web:443', origin: 'http://web:443' };

describe('explainFailure', () => {
  it.each([
    ['ECONNREFUSED', 'connection_refused'],
    ['EHOSTUNREACH', 'host_unreachable'],
    ['ENETUNREACH', 'host_unreachable'],
    ['ETIMEDOUT', 'host_unreachable'],
    ['ECONNRESET', 'connection_reset'],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'tls_error'],
    ['CERT_HAS_EXPIRED', 'tls_error'],
  ])('%s while connecting is %s, said in a sentence that names the host', (code, expected) => {
    const failure = explainFailure(new ConnectError(failing(code)), web, false);
    expect(failure.code).toBe(expected);
    expect(failure.message).toMatch(/https:\/\/web:443 \(172\.18\.0\.3\).*\.$/);
  });

  it.each([
    [failing('ECONNRESET'), 'connection_reset'],
    [failing('EPIPE'), 'connection_reset'],
    [failing('UND_ERR_SOCKET', 'other side closed'), 'connection_reset'],
    [failing('UND_ERR_SOCKET', 'bad upgrade'), 'invalid_response'],
    [failing('UND_ERR_HEADERS_OVERFLOW'), 'invalid_response'],
    [Object.assign(new Error('(odd)'), { name: 'HTTPParserError' }), 'invalid_response'],
    [failing('UND_ERR_INVALID_ARG', 'invalid X-A header'), 'invalid_request'],
    [failing('EWHATEVER'), 'connection_failed'],
  ])('%s during the exchange is %s', (error, expected) => {
    expect(explainFailure(error, plain, false).code).toBe(expected);
  });

  it('asks after a client certificate where TLS ends without a response, and only there', () => {
    const hintOf = (peer: Peer) => explainFailure(failing('ECONNRESET'), peer, false).hint;
    expect(hintOf(web)).toMatch(/^Does the receiver require a client certificate\?.*look for a crash/);
    expect(hintOf(plain)).toMatch(/^The receiver accepted the connection and closed it/);
  });

  it('does not send someone inside a container to host.docker.internal for a host that is no loopback', () => {
    const { hint } = explainFailure(new ConnectError(failing('ECONNREFUSED')), web, true);
    expect(hint).not.toContain('host.docker.internal');
    expect(hint).toMatch(/^No server is listening on port 443\. A URL without a port means 443/);
    expect(hint).toContain('add the port of your server');
  });
});

it.each([
  [{}, '/.dockerenv', true],
  [{}, '/run/.containerenv', true],
  [{ KUBERNETES_SERVICE_HOST: '10.0.0.1' }, '', true],
  [{ KUBERNETES_SERVICE_HOST: '' }, '', false],
  [{ HOME: '/root' }, '/etc/passwd', false],
])('isInsideContainer of %j and the file "%s" is %s', (env, file, inside) => {
  expect(isInsideContainer(env, (path) => path === file)).toBe(inside);
});
