/**
 * The manifests agree with the image and with the settings. Whether the fields are those of Kubernetes is for
 * `scripts/lint-deploy.sh`, which has its schemas.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { configOptionList } from '../../src/config/options.js';

interface Container {
  readonly name: string;
  readonly ports: readonly object[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly volumeMounts: readonly { readonly mountPath: string }[];
  readonly readinessProbe: { readonly httpGet?: object };
  readonly livenessProbe: { readonly httpGet?: object };
}
interface Resource {
  readonly kind: string;
  readonly spec: {
    readonly replicas?: number;
    readonly strategy?: object;
    readonly selector?: object & { readonly matchLabels?: object };
    readonly ports?: readonly object[];
    readonly template?: {
      readonly metadata: { readonly labels: object };
      readonly spec: { readonly containers: readonly [Container]; readonly securityContext: object };
    };
  };
}

const folder = 'deploy/kubernetes';
const manifests = readdirSync(folder).filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml');
// `toJS`: an alias stands for a copy, as it does for kubectl.
const resources = manifests.flatMap((name) =>
  parseAllDocuments(readFileSync(join(folder, name), 'utf8')).flatMap((document) => {
    const resource = document.toJS() as Partial<Resource>;
    return resource.spec === undefined ? [] : [resource as Resource];
  }),
);
const { spec } = resources.find((one) => one.spec.template?.spec.containers[0].name === 'sandbox')!;
const pod = spec.template!.spec;
const [container] = pod.containers;
const dockerfile = readFileSync('Dockerfile', 'utf8');
const port = Number(/^EXPOSE (\d+)$/m.exec(dockerfile)?.[1]);
const [uid, gid] = (/^USER (\d+:\d+)$/m.exec(dockerfile)?.[1] ?? '').split(':').map(Number);

it('runs the image as it is built: its port, its user, its volumes, without privileges', () => {
  expect(container.ports).toStrictEqual([{ name: 'http', containerPort: port }]);
  expect(pod.securityContext).toMatchObject({ runAsUser: uid, runAsGroup: gid, fsGroup: gid, runAsNonRoot: true });
  expect(container).toMatchObject({
    securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
  });
  expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toStrictEqual(['/data', '/scenarios', '/tmp']);
});

it('has one process for the data, which is asked for life and readiness where it tells them', () => {
  expect(spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } });
  expect(container.readinessProbe.httpGet).toStrictEqual({ path: '/readyz', port: 'http' });
  expect(container.livenessProbe.httpGet).toStrictEqual({ path: '/livez', port: 'http' });
});

it('sets only variables that are read', () => {
  const known = configOptionList.flatMap(({ env }) => env);
  const set = container.env.map(({ name }) => name).filter((name) => name.startsWith('SANDBOX_'));
  expect(set.filter((name) => !known.includes(name))).toStrictEqual([]);
  expect(container.env).toContainEqual({ name: 'SANDBOX_DATA', value: '/data' });
});

it('leads its service to its pods', () => {
  const service = resources.find(({ kind, spec: { ports } }) => kind === 'Service' && ports !== undefined)!;
  expect(spec.template!.metadata.labels).toMatchObject(service.spec.selector!);
  expect(spec.template!.metadata.labels).toStrictEqual(spec.selector!.matchLabels);
  expect(service.spec.ports![0]).toMatchObject({ port, targetPort: 'http' });
});
