import { act, type ActiveScenario, controlToken, exampleOf, here, model } from '../../core/index.js';
import { type Route, save, useRead, yaml } from '../../core/index.js';
import { Button, Card, Detail, Empty, HelpLink, Icon, Loading, Menu, MenuItem, Tabs, Time } from '../../parts/index.js';
import { Checks, Timeline } from './checks.js';
import { Edit } from './edit.js';
import { Files } from './files.js';
import { AddedRules, RuleRows } from './rules.js';
import { endScenario, useVerdict } from './use-verdict.js';
import './scenario.css';

const tabs = [
  ['Now', ''],
  ['Files', 'files'],
  ['Edit', 'edit'],
] as const;

/** `scenario/TAB`; `scenario?rule=ID` shows a rule; `scenario/edit/NAME` opens a file, `scenario/edit/active` what is active. */
export function Scenario({ route }: { route: Route }) {
  const [tab = '', file] = route.path;
  const active = model.value.scenario.value;
  if (active === null) return <Loading />;
  return (
    <div class="scenario">
      <Tabs
        label="Views of the scenario"
        current={tabs.find(([, id]) => id === tab)?.[0] ?? 'Now'}
        tabs={tabs.map(([title, id]) => [title, here('scenario', pathOf(id, active))])}
      >
        <ExploreLink />
      </Tabs>
      <div class="page">
        {tab === 'files' ? (
          <Files active={active} />
        ) : tab === 'edit' ? (
          <Edit key={file} file={file} active={active} />
        ) : (
          <Now active={active} rule={route.query['rule']} />
        )}
      </div>
    </div>
  );
}

/** One edits what is active; without it, something new. */
function pathOf(id: string, { name }: ActiveScenario): string[] {
  if (id === 'edit' && name !== null) return [id, 'active'];
  return id === '' ? [] : [id];
}

function ExploreLink() {
  const { api } = model.value;
  const path = useRead('exploration', () => api.get('/_sandbox/info')).value?.exploration;
  if (path === undefined) return null;
  // The browser opens it, and cannot send a header.
  const token = controlToken.value === null ? '' : `?control_token=${encodeURIComponent(controlToken.value)}`;
  return (
    <a class="button low" href={path + token} target="_blank" rel="noreferrer">
      <Icon name="bolt" size={16} /> Report of explore
    </a>
  );
}

function Now({ active, rule }: { active: ActiveScenario; rule: string | undefined }) {
  const { site } = model.value;
  const { name, description, file, activated_at: since, rules } = active;
  const found = useVerdict();
  if (name === null) {
    return (
      <div class="detail">
        <Empty
          title="No scenario is active"
          command={exampleOf(site, 'PUT', '/_sandbox/scenario', { name: 'flaky-api' })}
        >
          <p>
            Every call succeeds, except those to <HelpLink page="failures.md#magic-numbers">magic numbers</HelpLink>.
            Choose a scenario under <a href={here('scenario', ['files'])}>Files</a>, write one under{' '}
            <a href={here('scenario', ['edit'])}>Edit</a>, or activate one from your tests:
          </p>
        </Empty>
        <AddedRules chosen={rule} />
      </div>
    );
  }
  const { word = '', tone = 'off', checks = [] } = found?.state ?? {};
  const count = (wanted: string) => `${checks.filter((each) => each === wanted).length} ${wanted}`;
  return (
    <Detail
      title={name}
      label={`Scenario ${name}`}
      tone={tone}
      words={[
        word,
        checks.length > 0 && [count('passed'), count('failed'), count('open')].join(', '),
        since !== null && (
          <>
            since <Time at={since} />
          </>
        ),
      ]}
      actions={<Actions active={active} />}
      lead={
        <div>
          {description !== null && <p>{description}</p>}
          <p class="hint breaks">
            {file === null || file === 'request body' ? 'Activated by a call.' : file}{' '}
            <a href={here('scenario', ['edit', 'active'])}>Show its text</a>
          </p>
        </div>
      }
    >
      {found && <Checks verdict={found.verdict} states={checks} />}
      <div class="sides">
        <Card title="Rules" label={`Rules of ${name}`}>
          {rules.length === 0 && <p class="soft">It has no rules, only given records and a timeline.</p>}
          <RuleRows rules={rules} chosen={rule} />
        </Card>
        <Timeline active={active} />
      </div>
      <AddedRules chosen={rule} />
    </Detail>
  );
}

async function restart({ name, file, source }: ActiveScenario): Promise<void> {
  const account = model.value;
  const isFile = file !== null && file !== 'request body';
  const byName = (isFile || source === null) && name !== null;
  const call = account.api.put('/_sandbox/scenario', byName ? { body: { name } } : yaml(source ?? ''));
  if ((await act(call, `${name ?? 'The scenario'} was restarted.`)) !== null) await account.readScenario();
}

function saveVerdict(format: 'junit' | 'markdown', file: string, type: string): Promise<void> {
  return save(model.value.api.get('/_sandbox/verdict', { query: { format }, parseAs: 'text' }), file, type);
}

function Actions({ active }: { active: ActiveScenario }) {
  const account = model.value;
  const { name, ends_at: end } = active;
  const endMs = end === null ? null : Date.parse(end);
  const isOver = endMs !== null && endMs <= (account.clock.second.value ?? 0) && end !== active.activated_at;
  const cannotPlay = isOver || account.advances.moving.value !== null;
  const stop = async () => {
    await act(endScenario(), 'No scenario is active: everything succeeds again.');
    await account.readScenario();
  };
  return (
    <>
      <Button
        kind="low primary"
        icon="play"
        aria-disabled={cannotPlay}
        title={isOver ? 'It has ended. Restart it to play it again.' : 'Time jumps when the application is idle'}
        onClick={() => {
          if (!cannotPlay) void account.advances.play(name ?? '', endMs);
        }}
        words="Play to the end"
      />
      <Button kind="low" icon="restart" onClick={() => void restart(active)} words="Restart" />
      <Button kind="low" icon="close" onClick={() => void stop()} words="Deactivate" />
      <Menu label="Save the verdict" menu="from-end" button={<Icon name="download" />}>
        {() => (
          <>
            <MenuItem icon="download" onClick={() => void saveVerdict('junit', 'verdict.xml', 'application/xml')}>
              Verdict as JUnit (XML)
            </MenuItem>
            <MenuItem icon="download" onClick={() => void saveVerdict('markdown', 'verdict.md', 'text/markdown')}>
              Verdict as Markdown
            </MenuItem>
          </>
        )}
      </Menu>
    </>
  );
}
