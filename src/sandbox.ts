/**
 * The composition root. The three sources of nondeterminism are created here: machine time, the seed, and the sender
 * with the listening socket.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { Accounts } from './accounts/registry.js';
import { urlOf, type Config } from './config/index.js';
import { wireOf } from './dialect/wire.js';
import { createLog, type Log } from './log.js';
import { documentsOf } from './documents.js';
import { LiveHub, maxSockets } from './live/hub.js';
import type { UpgradeListener } from './live/upgrade.js';
import {
  closeServer,
  createServer,
  handleMalformedRequests,
  limitConnections,
  listen,
  type ServerTimeouts,
} from './http/server.js';
import { operations as compiled } from './generated/api-validators.js';
import { createApp } from './http/app.js';
import { warmValidator } from './http/validation/request-validator.js';
import { responseChecks } from './http/validation/response-checks.js';
import { RejectedCalls } from './http/rejected-calls.js';
import type { ControlService } from './http/control/handler.js';
import { prepareFakeData } from './random/fake-data.js';
import { scenarioOfKey, StartingScenarios } from './stage/starting-scenario.js';
import { loadReader, ScenarioLibrary } from './reader/library.js';
import type { History } from './record/history.js';
import type { Program } from './account/application.js';
import { replaceScenario } from './stage/activate.js';
import { Stage } from './stage/stage.js';
import type { LoadedRule } from './language/rule.js';
import type { LoadedScenario } from './language/scenario.js';
import type { DataDirectory } from './store/directory.js';
import { machineDisk, type Disk } from './store/disk.js';
import { memoryShelf } from './store/snapshots.js';
import { machineTime, owned, type SystemClock } from './time/system-clock.js';
import { version } from './version.js';
import { isInsideContainer } from './webhooks/failure.js';
import { createSender, type Sender } from './webhooks/send.js';
import { Tunnels } from './webhooks/direct.js';

/** The door: what is above it calls the control plane, through the client. */
export interface Sandbox {
  /** The URL for clients on this machine. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** The account is created on first use. */
  stage(key: string): Stage;
  /** Keeps the records of accounts that are reset or deleted from now on. */
  history(): Promise<History>;
  close(): Promise<void>;
}

/** Also has the parts below the door, for tests. */
export interface OpenSandbox extends Sandbox {
  readonly accounts: Accounts;
}

export type { History, Program, Stage };

export interface SandboxParts {
  readonly hostTime?: SystemClock;
  readonly log?: Log;
  /** Sends requests to receivers; real HTTP by default. */
  readonly sender?: Sender;
  /** Default: 30 s for the headers and two minutes for the body. */
  readonly timeouts?: Partial<ServerTimeouts>;
  /** The file system for `--data`; by default the machine's. */
  readonly disk?: Disk;
  /**
   * Machine milliseconds after the start; by default 250, so that the calls that wait for the start come first. If
   * null, the first call that the validator rejects builds it.
   */
  readonly warmUpAfterMs?: number | null;
  /** The account also has these after each reset. They take precedence over the scenario's rules. */
  readonly rulesFor?: (key: string) => readonly LoadedRule[];
  /** Steps of scenarios reach this program. */
  readonly programOf?: (key: string) => Program | null;
  /** Wraps the sender, to observe requests. */
  readonly observed?: (sender: Sender) => Sender;
}

const maxAccounts = 1000;

export async function startSandbox(config: Config, parts: SandboxParts = {}): Promise<OpenSandbox> {
  const { hostTime = machineTime, disk = machineDisk, observed, warmUpAfterMs = 250 } = parts;
  const { dialect, controlToken: token, allowedHosts, tlsCert, tlsKey, webhookTimeoutMs } = config;
  const log = parts.log ?? createLog({ level: config.logLevel, format: config.logFormat, host: hostTime });
  const report = (error: unknown) => {
    log.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  };
  const host = owned(hostTime, report);
  const startedAtMs = host.now();
  const startedMs = host.monotonic();

  const scenarios = new ScenarioLibrary();
  const namesScenario = config.scenarios.length > 0 || config.apiKeys?.some((key) => key.includes('~')) === true;
  if (namesScenario) await loadReader();
  await prepareFakeData();
  const starting = new StartingScenarios(scenarios, config.scenarios, parts.rulesFor);
  const documents = documentsOf(dialect);
  const wire = wireOf(dialect);
  // From here on, resources are in use, so every error below calls `close`.
  const directory = await openData(config, host, log, disk);
  const shelf = directory?.snapshots ?? memoryShelf();
  const tunnels = new Tunnels();
  const network =
    parts.sender ??
    createSender({
      host,
      routes: config.webhookRoutes,
      allowPublic: config.allowPublicWebhooks,
      timeoutMs: webhookTimeoutMs,
      insideContainer: isInsideContainer(process.env),
    });
  const sender = observed?.(network) ?? network;
  const programOf = parts.programOf ?? (() => null);
  const { clock, apiKeys, randomSeed: seed, maxJournal, applicationUrl } = config;
  const accounts = new Accounts({
    ...{
      host,
      seed,
      dialect,
      log,
      maxJournal,
      programOf,
      applicationUrl,
      sender,
      tunnels,
      clock,
      apiKeys,
      maxAccounts,
    },
    home: directory ?? { create: () => null, remove: (key) => shelf.forget(key) },
    startingScenario: (key) => starting.of(key),
  });

  let ready = false;
  let port = config.port;
  const facts = () => ({
    startedAtMs,
    uptimeMs: host.monotonic() - startedMs,
    host: config.host,
    port,
    dataDir: config.dataDir,
    maxAccounts,
    maxSockets,
  });
  const senderOf = (key: string): Sender => ({
    send: (request) => network.send({ ...request, tunnel: tunnels.receiverOf(key) }),
    close: () => Promise.resolve(),
  });
  const rejected = new RejectedCalls(host);
  const service: ControlService = {
    ...{ accounts, host, shelf, scenarios, version, documents, webhookTimeoutMs, senderOf, rejected, facts },
    explorationReport: { html: null },
  };
  const app = createApp({
    api: {
      ...{ accounts, wire, document: documents.requests, host, version, token, rejected, report },
      compiled: responseChecks(compiled, documents, dialect),
      createdStatus: dialect.http.created,
    },
    control: { service, token },
    allowedHosts,
    ready: () => ready && directory?.isWritable !== false,
    report,
  });
  const tls = tlsCert !== null && tlsKey !== null ? { cert: tlsCert, key: tlsKey } : null;
  const server = await createServer(tls, parts.timeouts ?? {}, app);
  handleMalformedRequests(server, { wire, version, report });
  limitConnections(server, (most) =>
    log.warn(`limit of ${most} open connections reached; further connections are closed`),
  );
  const hub = new LiveHub(accounts, host);
  const live = { accounts, hub, host, tunnels, webhookTimeoutMs, token, allowedHosts, ready: () => ready, report };
  let upgrade: Promise<UpgradeListener> | null = null;
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // A client that disconnects here needs no response.
    socket.on('error', () => undefined);
    upgrade ??= import('./live/upgrade.js').then(({ liveUpgrade }) => liveUpgrade(live));
    upgrade.then((listener) => listener(request, socket, head), report);
  });

  let cancelWarmUp = (): void => undefined;
  const close = async (): Promise<void> => {
    ready = false;
    cancelWarmUp();
    starting.close();
    // The server counts live sockets among its own, so neither stops without the other.
    await Promise.all([hub.close(), closeServer(server, host)]);
    try {
      await accounts.close();
    } finally {
      await network.close();
      await directory?.close();
    }
  };
  try {
    port = await listen(server, config);
    await restoreAll(directory, accounts);
    if (config.watch) starting.watch(host, log, (scenario, text) => replaceEverywhere(accounts, scenario, text));
  } catch (error) {
    await close().catch(report);
    throw error;
  }
  ready = true;
  // The first call of the control plane, and the first one that is rejected, then take no longer than others.
  const warmUp = () => void warm().catch(report);
  const nextTurn = () => new Promise<void>((resolve) => host.defer(resolve));
  const warm = async () => {
    await import('./http/control/router.js');
    await nextTurn();
    await warmValidator(documents.requests, app, nextTurn);
  };
  if (warmUpAfterMs !== null) cancelWarmUp = host.setTimer(warmUpAfterMs, warmUp, { unref: true });
  const url = urlOf(config, port);
  return {
    ...{ url, host: config.host, port, accounts, close },
    stage: (key) => new Stage(accounts.of(key), accounts),
    history: async () => new (await import('./record/history.js')).History(accounts, url, rejected.all),
  };
}

/** The scenario is replaced in every account in which it is active. */
function replaceEverywhere(accounts: Accounts, scenario: LoadedScenario, text: string): void {
  for (const account of accounts.all()) {
    if (account.script.scenario?.files[0] === scenario.files[0]) replaceScenario(account, scenario, text);
  }
}

async function openData(config: Config, host: SystemClock, log: Log, disk: Disk): Promise<DataDirectory | null> {
  if (config.dataDir === null) return null;
  const { openDirectory } = await import('./store/directory.js');
  return openDirectory({ dir: config.dataDir, host, disk, fsync: config.fsync, warn: (text) => log.warn(text) });
}

async function restoreAll(directory: DataDirectory | null, accounts: Accounts): Promise<void> {
  if (directory === null) return;
  for await (const { key, data, disk } of directory.load()) {
    if (scenarioOfKey(key) !== null) await loadReader();
    accounts.restore(key, data, disk);
  }
}
