/**
 * The manifests agree with themselves, with the image and with the settings. Whether the fields are those of Kubernetes is
 * for `scripts/lint-deploy.sh`, which has its schemas.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { configOptionList } from '../../src/config/options.js';

interface Container {
  readonly name: string;
  readonly image: string;
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly securityContext: unknown;
  readonly resources: { readonly requests: object; readonly limits: object };
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly startupProbe?: Probe;
  readonly readinessProbe: Probe;
  readonly livenessProbe: Probe;
}
interface Probe {
  readonly httpGet?: { readonly path: string; readonly port: string };
  readonly tcpSocket?: { readonly port: string };
}
interface Pod {
  readonly metadata: { readonly labels: Record<string, string>; readonly annotations?: Record<string, string> };
  readonly spec: {
    readonly containers: readonly [Container];
    readonly securityContext: object;
    readonly volumes: readonly { readonly name: string; readonly configMap?: { readonly name: string } }[];
    readonly automountServiceAccountToken: boolean;
    readonly enableServiceLinks: boolean;
  };
}
interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly replicas?: number;
    readonly strategy?: { readonly type: string };
    readonly serviceName?: string;
    readonly selector: Record<string, string> & { readonly matchLabels?: Record<string, string> };
    readonly template: Pod;
    readonly ports: readonly { readonly port: number; readonly targetPort: string }[];
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[];
  };
}

const dockerfile = readFileSync('Dockerfile', 'utf8');
const port = Number(/^EXPOSE (\d+)$/m.exec(dockerfile)?.[1]);
const [uid, gid] = (/^USER (\d+:\d+)$/m.exec(dockerfile)?.[1] ?? '').split(':').map(Number);

/** What a kustomization brings together, those it is made of included. */
function resourcesOf(folder: string): Resource[] {
  const { resources = [] } = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')) as {
    resources?: string[];
  };
  return resources.flatMap((name) => {
    if (!name.endsWith('.yaml')) return resourcesOf(join(folder, name));
    // `js`: an alias stands for a copy, as it does for kubectl.
    return parseAllDocuments(readFileSync(join(folder, name), 'utf8')).map((document) => document.toJS() as Resource);
  });
}

describe('deploy/kubernetes', () => {
  const all = resourcesOf('deploy/kubernetes');
  const workloads = all.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');
  const services = all.filter(({ kind }) => kind === 'Service');
  const pods = workloads.map(({ spec }) => spec.template);
  const sandboxes = workloads.filter(({ spec }) => spec.template.spec.containers[0].name === 'sandbox');
  const sandbox = sandboxes[0]!.spec.template;
  const [container] = sandbox.spec.containers;

  it('has exactly one workload of sandboxes, on the port and under the user of the image', () => {
    expect(sandboxes).toHaveLength(1);
    expect(container.ports).toStrictEqual([{ name: 'http', containerPort: port }]);
    expect(sandbox.spec.securityContext).toMatchObject({ runAsUser: uid, runAsGroup: gid, fsGroup: gid });
  });

  it('keeps to the strictest rules for pods, in every one', () => {
    for (const { spec } of pods) {
      expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      expect(spec.containers[0].securityContext).toStrictEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(spec).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false });
      expect(spec.containers[0].resources).toMatchObject({ requests: { memory: /Mi$/ }, limits: { memory: /Mi$/ } });
    }
  });

  it('asks for life and readiness where the sandbox tells them', () => {
    expect(container.startupProbe?.httpGet).toStrictEqual({ path: '/readyz', port: 'http' });
    expect(container.readinessProbe.httpGet).toStrictEqual({ path: '/readyz', port: 'http' });
    expect(container.livenessProbe.httpGet).toStrictEqual({ path: '/livez', port: 'http' });
  });

  it('sets only variables that are read', () => {
    const known = configOptionList.flatMap(({ env }) => env);
    const set = container.env.map(({ name }) => name).filter((name) => name.startsWith('SANDBOX_'));
    expect(set.filter((name) => !known.includes(name))).toStrictEqual([]);
    expect(container.env).toContainEqual({ name: 'SANDBOX_DATA', value: '/data' });
  });

  it('mounts what it declares, and can write to /data and /tmp', () => {
    for (const { spec } of workloads) {
      const { volumes, containers } = spec.template.spec;
      const claims = (spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata.name);
      const declared = [...volumes.map(({ name }) => name), ...claims];
      expect(containers[0].volumeMounts.map(({ name }) => name).sort()).toStrictEqual(declared.sort());
    }
    const paths = container.volumeMounts.map(({ mountPath }) => mountPath);
    expect(paths).toStrictEqual(['/data', '/scenarios', '/tmp']);
  });

  it('leads its services to its pods', () => {
    expect(services.map(({ metadata }) => metadata.name)).toContain('messaging-sandbox');
    for (const { spec } of services) {
      const chosen = pods.filter(({ metadata }) =>
        Object.entries(spec.selector).every(([name, value]) => metadata.labels[name] === value),
      );
      expect(chosen).toHaveLength(1);
      expect(spec.ports[0]).toMatchObject({ port, targetPort: 'http' });
    }
    for (const { spec } of workloads) expect(spec.template.metadata.labels).toStrictEqual(spec.selector.matchLabels);
  });
});

describe('the data of a process', () => {
  it('has one process at a time', () => {
    const deployment = resourcesOf('deploy/kubernetes').find(({ kind }) => kind === 'Deployment')!;
    expect(deployment.spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } });
  });
});
