import { differencesOf } from '../../dialect/index.js';
import { isoTime } from '../../domain/instant.js';
import { channelErrors } from '../../domain/errors.js';
import {
  keptBody,
  maxAttemptsKept,
  maxCopies,
  maxDeliveries,
  maxEndpoints,
  longestRule,
  longestScenario,
  maxEvents,
  maxMessages,
  maxRules,
  maxSinkRequests,
  maxSinks,
  maxSnapshotMemory,
  maxSnapshotBytes,
  maxSnapshots,
} from '../../domain/limits.js';
import { longestKey } from '../../accounts/registry.js';
import { magicNumbers, magicTemplates, type Magic } from '../../rules/magic-numbers.js';
import { bodyLimitBytes } from '../body.js';
import { explorationPath } from '../pages/files.js';
import { maxConnections } from '../server.js';
import type { ControlHandlers } from './handler.js';

export const info: ControlHandlers = {
  getInfo: ({ service, account }) => {
    const folder = service.scenarios.newFilesFolder();
    const { startedAtMs, uptimeMs, host, port, dataDir, maxAccounts, maxSockets } = service.facts();
    return {
      name: 'messaging-sandbox',
      version: service.version,
      started_at: isoTime(startedAtMs),
      uptime_ms: Math.round(uptimeMs),
      host,
      port,
      mode: dataDir === null ? 'memory' : 'data',
      ...(dataDir !== null && { data_dir: dataDir }),
      ...(folder !== null && { scenarios_folder: folder }),
      ...(service.explorationReport.html !== null && { exploration: explorationPath }),
      node: process.version,
      dialect: differencesOf(account.dialect),
      limits: {
        body_bytes: bodyLimitBytes,
        snapshot_bytes: maxSnapshotBytes,
        journal: account.maxJournal,
        messages: maxMessages,
        deliveries: maxDeliveries,
        events: maxEvents,
        accounts: maxAccounts,
        key_chars: longestKey,
        sockets: maxSockets,
        connections: maxConnections,
        sinks: maxSinks,
        sink_requests: maxSinkRequests,
        snapshots: maxSnapshots,
        snapshot_memory_bytes: maxSnapshotMemory,
        webhooks: maxEndpoints,
        rules: maxRules,
        rule_chars: longestRule,
        attempts: maxAttemptsKept,
        copies: maxCopies,
        kept_body_chars: keptBody,
        scenario_chars: longestScenario,
      },
      magic_numbers: magicNumbers.map(showMagic),
      magic_templates: magicTemplates.map(showMagic),
      errors: channelErrors.map(({ code, channelCode, message }) => {
        return { name: code, channel_code: channelCode, message };
      }),
    };
  },

  getControlDocument: ({ service }) => service.documents.control,
  // Relative to its own URL, so it names the running sandbox on any port and host.
  getApiDocument: ({ service }) => ({
    ...service.documents.api,
    servers: [{ url: '/', description: 'This sandbox.' }],
  }),
};

function showMagic({ suffix, name, description }: Magic) {
  return { suffix, name, description };
}
