import { describe, expect, it } from 'vitest';
import { isInsideContainer } from '../../src/webhooks/sender/send-failure.js';

const nothing = () => false;

describe('isInsideContainer', () => {
  it.each(['/.dockerenv', '/run/.containerenv'])('knows %s', (mark) => {
    expect(isInsideContainer({}, (path) => path === mark)).toBe(true);
  });

  it('knows a cluster by its environment', () => {
    expect(isInsideContainer({ KUBERNETES_SERVICE_HOST: '10.0.0.1' }, nothing)).toBe(true);
  });

  it('is not fooled by an empty variable or an ordinary machine', () => {
    expect(isInsideContainer({ KUBERNETES_SERVICE_HOST: '' }, nothing)).toBe(false);
    expect(isInsideContainer({ HOME: '/root' }, (path) => path === '/etc/passwd')).toBe(false);
  });
});
